"""The rule book as data (rule sets), as arithmetic (scores) and as a referee that plays one hand."""
