"""The length of a single number."""

import runtime as rt

n = rt.asarray(3)

# fails
len(n)

# works
len(rt.reshape(n, (-1,)))
