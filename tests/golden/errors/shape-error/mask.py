"""A test of many elements."""

import runtime as rt

x = rt.asarray([1.0, -2.0])

# fails
if x > 0:
    print("positive")

# works
if rt.all(x > 0):
    print("positive")
