"""Joining what differs along another axis."""

import runtime as rt

top, bottom = rt.ones((2, 3)), rt.ones((2, 4))

# fails
rt.concat([top, bottom], axis=0)

# works
rt.concat([top, bottom], axis=1)
