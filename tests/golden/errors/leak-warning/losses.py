"""A list outside of the function that takes a tensor of the graph."""

import autograph as ag
import runtime as rt

losses = []


@ag.function(effects="trace")
def kept(x):
    loss = rt.sum(x * x)
    losses.append(loss)
    return loss


@ag.function
def returned(x):
    return rt.sum(x * x)


# fails
kept(rt.asarray([1.0, 2.0]))

# works
losses.append(returned(rt.asarray([1.0, 2.0])))
