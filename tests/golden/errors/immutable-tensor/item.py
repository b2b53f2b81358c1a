"""Setting an item of a tensor."""

import runtime as rt

x = rt.zeros(3)

# fails
x[0] = 5.0

# works
x = x.at[0].set(5.0)
