"""An index that is no integer."""

import runtime as rt

x = rt.arange(10)
middle = 10 / 2

# fails
x[middle]

# works
x[int(middle)]
