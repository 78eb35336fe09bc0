"""Slow, obvious judges for the tests: explicit game trees, a linear program, recursion over dictionaries.

Nothing here is shared with the solver except the referee, which is the specification of the rules.
"""
