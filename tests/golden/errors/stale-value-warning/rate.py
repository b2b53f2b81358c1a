"""A global number that changes after the function was traced."""

import autograph as ag
import runtime as rt

rate = 0.1


@ag.function
def step(x):
    return x - rate * x


@ag.function
def step_with(x, rate):
    return x - rate * x


# fails
step(rt.asarray(1.0))
rate = 0.01
step(rt.asarray(1.0))

# works
step_with(rt.asarray(1.0), rt.asarray(0.1))
step_with(rt.asarray(1.0), rt.asarray(0.01))
