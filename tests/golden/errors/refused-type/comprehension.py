"""A comprehension over a tensor."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    return [i * i for i in rt.arange(n)]


f(rt.asarray(3))

# works
@ag.function
def f(n):
    return [i * i for i in rt.arange(n)]


assert f(rt.asarray(3)) == [0, 1, 4]
