"""An axis that is not there."""

import runtime as rt

x = rt.ones((2, 3))

# fails
rt.sum(x, axis=2)

# works
rt.sum(x, axis=-1)
