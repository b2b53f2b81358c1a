"""The rows that a loop has met, in a list outside of the function."""

import numpy as np

import autograph as ag
import runtime as rt

kept = []


@ag.function
def keep_rows(table, n):
    for i in range(n):
        kept.append(table[i])


@ag.function
def keep_copies(table, n):
    for i in range(n):
        kept.append(table[i].copy())


# fails
keep_rows(np.eye(3), rt.asarray(2))

# works
keep_copies(np.eye(3), rt.asarray(2))
