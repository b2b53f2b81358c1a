"""A function that prints while it is traced."""

import autograph as ag
import runtime as rt


def doubled(x):
    print("doubling")
    return x + x

# fails
ag.check(doubled, rt.asarray(1.0), options={"effects": "trace"})

# works
ag.check(doubled, rt.asarray(1.0))
