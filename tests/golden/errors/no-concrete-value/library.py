"""A test in a function of a library."""

import collections

import autograph as ag
import runtime as rt

# fails
@ag.function
def f(x):
    order = collections.OrderedDict(a=1.0, b=2.0)
    order.move_to_end("a", last=x > 0)
    return list(order)


f(rt.asarray(-3))

# works
@ag.function
def f(x):
    order = collections.OrderedDict(a=1.0, b=2.0)
    if x > 0:
        order.move_to_end("a")
    else:
        order.move_to_end("a", last=False)
    return list(order)


f(rt.asarray(-3))
