"""A function that is not converted, and so prints while it is traced."""

import autograph as ag
import runtime as rt


def doubled(x):
    print("given:", x)
    return x + x

# fails
ag.check(doubled, rt.asarray(1.0), options={"autograph": False})

# works
ag.check(doubled, rt.asarray(1.0))
