"""Too many elements for a shape."""

import runtime as rt

x = rt.arange(6)

# fails
rt.reshape(x, (4, 2))

# works
rt.reshape(x, (-1, 2))
