"""`python -m cli`, for where the script is not on the path."""

from cli.app import run

run()
