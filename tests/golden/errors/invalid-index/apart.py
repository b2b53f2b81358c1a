"""Indices of two lengths."""

import runtime as rt

table = rt.zeros((3, 4))
rows, columns = rt.asarray([0, 2]), rt.asarray([0, 1, 3])

# fails
table[rows, columns]

# works
table[rows[:, None], columns]
