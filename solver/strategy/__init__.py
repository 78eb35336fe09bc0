"""Solved hands: stored behaviours, folders, equity tables."""
