"""A generator: who goes over its items may be a graph."""

import autograph as ag
import runtime as rt


# fails
@ag.function
def halves(x):
    while x > 1:
        x = x / 2
        yield x


# works
def halves(x):
    while x > 1:
        x = x / 2
        yield x


@ag.function
def total(x):
    return sum(halves(x), 0.0)


total(rt.asarray(9.0))
