"""The command line of truc-solve: options, printing, exit codes and the commands themselves."""
