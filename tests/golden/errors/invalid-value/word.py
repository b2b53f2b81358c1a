"""A word that a function does not know."""

import runtime as rt

x, y = rt.arange(2), rt.arange(3)

# fails
rt.meshgrid(x, y, indexing="yx")

# works
rt.meshgrid(x, y, indexing="ij")
