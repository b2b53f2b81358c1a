"""A Python number that changes, in a function with a budget of graphs."""

import autograph as ag
import runtime as rt


@ag.function(max_traces=2, on_max_traces="raise")
def update(weights, gradient, rate):
    return weights - rate * gradient


weights = rt.ones(2)

# fails
for rate in (0.1, 0.01, 0.001):
    weights = update(weights, rt.ones(2), rate)

# works
for rate in (0.1, 0.01, 0.001):
    weights = update(weights, rt.ones(2), rt.asarray(rate))
