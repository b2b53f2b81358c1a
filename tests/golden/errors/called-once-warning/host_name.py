"""A function of the standard library of which nobody knows what it does."""

import socket

import autograph as ag
import runtime as rt


# fails
@ag.function
def f(x):
    return x, socket.gethostname()


f(rt.asarray(1.0))


# works
@ag.function
def f(x):
    return x, ag.host_call(socket.gethostname, result=str)


f(rt.asarray(1.0))
