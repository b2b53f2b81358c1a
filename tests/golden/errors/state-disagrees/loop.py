"""A loop that nests deeper and deeper."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def f(n):
    chain = (0,)
    while n > 0:
        chain = (chain, n)
        n = n - 1
    return chain


f(rt.asarray(3))

# works
@ag.function
def f(n):
    chain = []
    while n > 0:
        chain.append(n)
        n = n - 1
    return chain


f(rt.asarray(3))
