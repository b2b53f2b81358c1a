"""As many bytes as a tensor says."""

import autograph as ag
import runtime as rt

# fails
@ag.function
def bar(n):
    return (5).to_bytes(n, "big")


bar(rt.asarray(3))

# works
@ag.function
def bar(n):
    return n


(5).to_bytes(int(bar(rt.asarray(3))), "big")
