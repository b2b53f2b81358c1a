"""A list that grows in a loop."""

import autograph as ag
import runtime as rt

# fails
@ag.function(strict=True)
def f(n):
    squares = []
    for i in rt.arange(n):
        squares.append(i * i)
    return squares


f(rt.asarray(3))

# works
@ag.function
def f(n):
    squares = []
    for i in rt.arange(n):
        squares.append(i * i)
    return squares


assert f(rt.asarray(3)) == [0, 1, 4]
