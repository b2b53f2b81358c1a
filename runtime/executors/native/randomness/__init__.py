"""Draws of random numbers as NumPy's and Python's own generators make them."""
