"""A variable that is made anew."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def counted(x):
    total = rt.Variable(0.0)
    return total.assign_add(rt.sum(x))


counted(rt.ones(2))
counted(rt.ones(2))

# works
total = rt.Variable(0.0)


@ag.function
def counted(x):
    return total.assign_add(rt.sum(x))


counted(rt.ones(2))
counted(rt.ones(3))
