"""A Python in which llvmlite is not installed, as is made believe here."""

import sys
from unittest import mock

import autograph as ag
import runtime as rt

# fails
@ag.function(jit_compile=True)
def half(x):
    return x / 2


with mock.patch.dict(sys.modules, {"llvmlite": None}):
    half(rt.asarray(3.0))

# works
@ag.function
def half(x):
    return x / 2


with mock.patch.dict(sys.modules, {"llvmlite": None}):
    half(rt.asarray(3.0))
