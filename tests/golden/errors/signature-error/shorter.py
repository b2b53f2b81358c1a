"""A signature that leaves a parameter out."""

import autograph as ag
import runtime as rt

vector = rt.TensorSpec((None,), rt.float64)

# fails
ag.function(lambda x, y: x + y, input_signature=[vector])

# works
ag.function(lambda x, y: x + y, input_signature=[vector, vector])
