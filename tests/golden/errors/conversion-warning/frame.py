"""A function that looks at its own frame."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def f(x):
    return sum(locals().values())


f(rt.asarray(3))

# works
@ag.function
def f(x):
    return sum([x])


f(rt.asarray(3))
