"""An index that only a run knows."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def pick(x, i):
    doubled = x * 2
    return doubled[i]


pick(rt.asarray([1, 2, 3]), rt.asarray(7))

# works
@ag.function
def pick(x, i):
    doubled = x * 2
    return doubled[rt.clip(i, 0, len(x) - 1)]


pick(rt.asarray([1, 2, 3]), rt.asarray(7))
