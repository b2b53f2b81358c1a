"""An int that is doubled a hundred times."""

import numpy as np

import autograph as ag


@ag.function
def doubled(n):
    k = 1
    for _ in range(n):
        k = k * 2
    return k


@ag.function
def reduced(n):
    k = 1
    for _ in range(n):
        k = k * 2 % 1000007
    return k


# fails
doubled(np.int64(100))

# works
reduced(np.int64(100))
