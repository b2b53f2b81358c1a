"""Memory for a consumer that would be allowed to write to it."""

import runtime as rt

x = rt.asarray([1.0, 2.0])

# fails
x.__dlpack__(copy=False)

# works
x.__dlpack__(max_version=(1, 0), copy=False)
