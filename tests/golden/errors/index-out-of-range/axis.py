"""An index behind the end."""

import runtime as rt

x = rt.asarray([1, 2, 3])

# fails
x[3]

# works
x[-1]
