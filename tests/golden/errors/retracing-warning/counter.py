"""A Python number that changes in every call."""

import autograph as ag
import runtime as rt


@ag.function
def decayed(x, step):
    return x / (step + 1)


x = rt.ones(2)

# fails
for step in range(10):
    x = decayed(x, step)

# works
for step in range(10):
    x = decayed(x, rt.asarray(step))
