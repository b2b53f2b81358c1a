"""A long loop of Python, whose turns a dict tells apart."""

import autograph as ag
import runtime as rt

STEPS = {0: 2.0}


@ag.function
def unrolled(x):
    for i in range(1000):
        x = x * 0.5 + STEPS.get(i, 1.0)
    return x


@ag.function
def looped(x):
    for i in range(1000):
        x = x * 0.5 + (2.0 if i == 0 else 1.0)
    return x


# fails
unrolled(rt.asarray(1.0))

# works
looped(rt.asarray(1.0))
