"""A list whose rows differ in length."""

import runtime as rt

# fails
rt.asarray([[1, 2], [3]])

# works
rt.asarray([[1, 2], [3, 0]])
