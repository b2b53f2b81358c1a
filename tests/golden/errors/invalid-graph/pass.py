"""A pass that changes a dtype."""

import autograph as ag
import runtime as rt

from runtime.graph.verify import verify


@ag.function
def f(x):
    return x + 1


graph = f.get_concrete_function(rt.TensorSpec((), rt.float64)).graph

# fails
wrong = graph.nodes[-1]
wrong.specs = (wrong.specs[0].with_dtype(rt.int32),)
verify(graph)

# works
verify(graph)
