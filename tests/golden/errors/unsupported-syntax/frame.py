"""A function that looks at its own frame."""

import autograph as ag
import runtime as rt

strict = ag.Options(on_failure="raise")

# fails
@ag.function(options=strict)
def f(x):
    return sum(locals().values())


f(rt.asarray(3))

# works
@ag.function(options=strict)
def f(x):
    return sum([x])


f(rt.asarray(3))
