"""A seed below zero."""

import runtime as rt

# fails
rt.random.set_seed(-1)

# works
rt.random.set_seed(1)
