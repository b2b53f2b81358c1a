"""A function made from text."""

import autograph as ag
import runtime as rt

namespace = {}

# fails
exec("def double(x): return x + x", namespace)
ag.to_code(namespace["double"])

# works
def double(x):
    return x + x


ag.to_code(double)
