"""More indices than axes."""

import runtime as rt

x = rt.asarray([1, 2, 3])

# fails
x[0, 1]

# works
x[0:2]
