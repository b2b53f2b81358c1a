"""A test in a function that is not converted."""

import autograph as ag
import runtime as rt

# fails
@ag.do_not_convert
def magnitude(x):
    return x if x > 0 else -x


@ag.function
def f(x):
    return magnitude(x)


f(rt.asarray(-3))

# works
def magnitude(x):
    return x if x > 0 else -x


@ag.function
def f(x):
    return magnitude(x)


f(rt.asarray(-3))
