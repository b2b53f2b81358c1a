"""A tensor kept from a trace."""

import autograph as ag
import runtime as rt

# fails
kept = []


@ag.function(effects="trace")
def f(x):
    kept.append(x * 2)
    return x


f(rt.asarray(3))
kept[0] + 1

# works
@ag.function
def f(x):
    return x, x * 2


_, doubled = f(rt.asarray(3))
doubled + 1
