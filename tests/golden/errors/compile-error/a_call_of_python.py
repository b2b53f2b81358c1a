"""A sort, which NumPy computes."""

import autograph as ag
import runtime as rt

# fails
@ag.function(jit_compile=True)
def median(x):
    return rt.sort(x)[len(x) // 2]


median(rt.asarray([3.0, 1.0, 2.0]))

# works
@ag.function
def median(x):
    return rt.sort(x)[len(x) // 2]


median(rt.asarray([3.0, 1.0, 2.0]))
