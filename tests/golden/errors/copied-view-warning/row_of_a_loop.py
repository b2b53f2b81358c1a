"""A row that a loop has bound last, kept outside of the function."""

import numpy as np

import autograph as ag
import runtime as rt

kept = {}


@ag.function
def last_row(table, n):
    row = table[0]
    for i in range(n):
        row = table[i]
    kept["row"] = row


@ag.function
def last_row_by_its_number(table, n):
    last = 0
    for i in range(n):
        last = i
    kept["row"] = table[last]


# fails
last_row(np.eye(3), rt.asarray(2))

# works
last_row_by_its_number(np.eye(3), rt.asarray(2))
