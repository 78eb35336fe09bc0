"""The public tree of a hand as arrays."""
