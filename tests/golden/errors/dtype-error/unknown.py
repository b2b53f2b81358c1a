"""A dtype that is not there."""

import runtime as rt

# fails
rt.zeros((2,), dtype="flaot32")

# works
rt.zeros((2,), dtype="float32")
