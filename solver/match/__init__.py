"""The whole match: every score, from the end."""
