"""An option that there is not."""

import autograph as ag

# fails
@ag.function(jit=True)
def f(x):
    return x + 1

# works
@ag.function(jit_compile=True)
def f(x):
    return x + 1
