"""A negative power of an int, which is a float in Python."""

import numpy as np

import autograph as ag


@ag.function
def powered(base, n):
    return base ** -int(n)


# fails
powered(2, np.int64(3))

# works
powered(2.0, np.int64(3))
