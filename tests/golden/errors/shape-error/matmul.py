"""A product of matrices that do not fit."""

import runtime as rt

left = rt.ones((2, 3))
right = rt.ones((2, 3))

# fails
left @ right

# works
left @ right.T
