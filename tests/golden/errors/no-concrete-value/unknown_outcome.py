"""A call that touches the world, of which nobody knows what it gives."""

import subprocess
import sys

import autograph as ag
import runtime as rt


def version():
    command = [sys.executable, "-c", "print(3)"]
    return int(subprocess.run(command, capture_output=True).stdout)


# fails
@ag.function
def f(x):
    return x + version()


f(rt.asarray(1.0))


# works
@ag.function
def f(x):
    return x + ag.host_call(version, result=int)


f(rt.asarray(1.0))
