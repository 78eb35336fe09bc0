"""One module a group of commands.

These modules are imported to build `--help`, so they import nothing heavy at the top: no numpy, numba,
polars or matplotlib, and of `solver` nothing at all. A command imports what it calls inside its own body.
"""
