"""Branches that build different things, where TensorFlow's refusals are kept."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(x):
    if x > 0:
        result = {"positive": x}
    else:
        result = {"negative": -x}
    return result


f(rt.asarray(3))

# works
@ag.function(strict=True)
def f(x):
    if x > 0:
        result = {"positive": x, "negative": 0}
    else:
        result = {"positive": 0, "negative": -x}
    return result


f(rt.asarray(3))
