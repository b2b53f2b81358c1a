"""An operation that TensorFlow does not have."""

import numpy as np

import autograph as ag
import runtime as rt

# fails
@ag.function
def middle(x):
    return np.median(x)


middle.get_concrete_function(rt.TensorSpec((3,), rt.float64)).graph.as_graph_def()

# works
@ag.function
def middle(x):
    return rt.sort(x)[len(x) // 2]


middle.get_concrete_function(rt.TensorSpec((3,), rt.float64)).to_python()
