"""An item of a dict that one branch adds."""

import autograph as ag
import runtime as rt


# fails
@ag.function(strict=True)
def f(n):
    x = {}
    if n > 0:
        x["b"] = n
    return n


f(rt.asarray(3))


# works
@ag.function
def f(n):
    x = {}
    if n > 0:
        x["b"] = n
    return n


assert f(rt.asarray(3)) == 3
