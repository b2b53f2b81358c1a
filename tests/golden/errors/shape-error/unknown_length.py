"""A length that only a run knows."""

import autograph as ag
import runtime as rt


vector = rt.TensorSpec((None,), rt.float64)

# fails
@ag.function(input_signature=[vector])
def noisy(x):
    return x + rt.random.uniform(x.shape)


noisy(rt.ones(2))

# works
@ag.function(input_signature=[vector])
def noisy(x):
    return x + rt.random.uniform(rt.shape(x))


noisy(rt.ones(2))
