"""Shapes that do not broadcast."""

import runtime as rt

rows = rt.ones((2, 3))
weights = rt.asarray([0.5, 2.0])

# fails
rows * weights

# works
rows * rt.expand_dims(weights, axis=1)
