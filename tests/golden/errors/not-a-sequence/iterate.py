"""Looping over a single number."""

import runtime as rt

n = rt.asarray(3)

# fails
for i in n:
    print(i)

# works
for i in rt.arange(n):
    print(i)
