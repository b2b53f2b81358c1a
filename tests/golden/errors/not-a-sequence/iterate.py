"""The items of a single number."""

import runtime as rt

n = rt.asarray(3)

# fails
list(n)

# works
list(rt.arange(n))
