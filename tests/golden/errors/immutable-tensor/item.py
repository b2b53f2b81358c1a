"""Setting an item of a tensor."""

import runtime as rt

x = rt.zeros(3)

# fails
x[0] = 5.0

# works
x = rt.set_item(x, 0, 5.0)
