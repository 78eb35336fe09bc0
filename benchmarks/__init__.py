"""This project and other programs on the same exported games."""
