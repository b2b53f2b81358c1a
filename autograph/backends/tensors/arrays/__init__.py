"""Aliasing of arrays: which array a name refers to, and of which path it is."""
