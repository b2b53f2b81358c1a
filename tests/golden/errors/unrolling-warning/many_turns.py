"""A long loop of Python, whose turns are not alike."""

import autograph as ag
import runtime as rt


@ag.function
def unrolled(x):
    for i in range(1000):
        step = 0.5
        if i % 2 == 0:
            step = 0.25
        x = x * step + 1.0
    return x


@ag.function
def looped(x):
    for i in rt.arange(1000):
        step = 0.5
        if i % 2 == 0:
            step = 0.25
        x = x * step + 1.0
    return x


# fails
unrolled(rt.asarray(1.0))

# works
looped(rt.asarray(1.0))
