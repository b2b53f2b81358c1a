"""Text as long as a tensor says."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def bar(n):
    return "".ljust(n, "#")


bar(rt.asarray(3))

# works
@ag.function
def bar(n):
    return n


"#" * int(bar(rt.asarray(3)))
