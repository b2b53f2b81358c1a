"""A matrix that is not square has no inverse."""

import runtime as rt

x = rt.ones((2, 3))

# fails
rt.linalg.inv(x)

# works
rt.linalg.pinv(x)
