"""A large table that a function reads from outside."""

import numpy as np

import autograph as ag
import runtime as rt

table = np.zeros((1000, 1000))


@ag.function
def constant(x):
    return x + table


@ag.function
def passed(x, table):
    return x + table


# fails
constant(rt.asarray(1.0))

# works
passed(rt.asarray(1.0), table)
