"""A coroutine: its computation may be a graph."""

import autograph as ag
import runtime as rt


# fails
@ag.function
async def answer(x):
    return x if x > 0 else -x


# works
@ag.function
def computed(x):
    return x if x > 0 else -x


async def answer(x):
    return computed(x)


computed(rt.asarray(-3))
