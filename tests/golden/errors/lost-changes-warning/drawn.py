"""A function that counts and draws before its graph raises."""

import numpy as np

import autograph as ag
import runtime as rt

count, rng = 0, np.random.default_rng(3)


@ag.function
def checked(x):
    global count
    count += 1
    if x < rng.random():
        raise ValueError("too small")
    return x


@ag.function
def counted(x):
    global count
    count += 1
    return x


# fails
try:
    checked(rt.asarray(-1.0))
except ValueError:
    assert count == 0

# works
counted(rt.asarray(1.0))
