"""A long loop of Python over a tensor."""

import autograph as ag
import runtime as rt


@ag.function
def unrolled(x):
    for _ in range(1000):
        x = x * 0.5 + 1.0
    return x


@ag.function
def looped(x):
    for _ in rt.arange(1000):
        x = x * 0.5 + 1.0
    return x


# fails
unrolled(rt.asarray(1.0))

# works
looped(rt.asarray(1.0))
