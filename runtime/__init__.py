"""Tensors, graphs, an optimiser and executors: the front door.

>>> import runtime as rt
>>> rt.asarray([1, 2]) + 0.5
<Tensor: shape=(2,), dtype=float64, numpy=array([1.5, 2.5])>
"""

from math import e, inf, nan, pi

from runtime import errors
from runtime.core.dtypes import *  # noqa: F403
from runtime.core.dtypes import bool_ as bool
from runtime.core.spec import Spec, TensorSpec
from runtime.core.tensor import Tensor, set_print_options
from runtime.ops import *  # noqa: F403
from runtime.variables import Variable

from runtime.interchange import methods as _methods  # isort: skip  # last: it writes methods onto graphs
