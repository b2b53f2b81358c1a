"""An operation that a dtype does not have."""

import runtime as rt

mask = rt.asarray([1.0, 0.0])

# fails
~mask

# works
~rt.astype(mask, rt.bool)
