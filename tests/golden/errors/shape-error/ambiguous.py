"""Many elements where one must decide."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def halve(x):
    while x > 1:
        x = x / 2
    return x


halve(rt.asarray([8.0, 3.0]))

# works
@ag.function
def halve(x):
    while rt.any(x > 1):
        x = x / 2
    return x


halve(rt.asarray([8.0, 3.0]))
