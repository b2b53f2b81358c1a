"""A word where an option is a truth value."""

import autograph as ag

# fails
@ag.function(jit_compile="yes")
def f(x):
    return x + 1

# works
@ag.function(jit_compile=True)
def f(x):
    return x + 1
