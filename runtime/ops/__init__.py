"""The operations: one family per file, one class per op, with its public function beside it."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "written_calls",
)

from runtime.ops import core as core
from runtime.ops import fft as fft
from runtime.ops import linalg as linalg
from runtime.ops import random as random
from runtime.ops.activation import *  # noqa: F403  # each family's `__all__` is exact
from runtime.ops.arithmetic import *  # noqa: F403
from runtime.ops.arranging import *  # noqa: F403
from runtime.ops.axes import *  # noqa: F403
from runtime.ops.bits import *  # noqa: F403
from runtime.ops.casting import *  # noqa: F403
from runtime.ops.checks import *  # noqa: F403
from runtime.ops.comparison import *  # noqa: F403
from runtime.ops.complexes import *  # noqa: F403
from runtime.ops.control_flow import *  # noqa: F403
from runtime.ops.counting import *  # noqa: F403
from runtime.ops.creation import *  # noqa: F403
from runtime.ops.domains import *  # noqa: F403
from runtime.ops.einsum import *  # noqa: F403
from runtime.ops.exchange import *  # noqa: F403
from runtime.ops.exponential import *  # noqa: F403
from runtime.ops.foreign import *  # noqa: F403
from runtime.ops.gathering import *  # noqa: F403
from runtime.ops.host import *  # noqa: F403
from runtime.ops.integers import *  # noqa: F403
from runtime.ops.joining import *  # noqa: F403
from runtime.ops.logic import *  # noqa: F403
from runtime.ops.order_statistics import *  # noqa: F403
from runtime.ops.printing import *  # noqa: F403
from runtime.ops.products import *  # noqa: F403
from runtime.ops.python_order import *  # noqa: F403
from runtime.ops.ranges import *  # noqa: F403
from runtime.ops.reduction import *  # noqa: F403
from runtime.ops.rounding import *  # noqa: F403
from runtime.ops.sameness import *  # noqa: F403
from runtime.ops.scan import *  # noqa: F403
from runtime.ops.selection import *  # noqa: F403
from runtime.ops.sets import *  # noqa: F403
from runtime.ops.shaping import *  # noqa: F403
from runtime.ops.signals import *  # noqa: F403
from runtime.ops.slicing import *  # noqa: F403
from runtime.ops.sorting import *  # noqa: F403
from runtime.ops.special import *  # noqa: F403
from runtime.ops.statistics import *  # noqa: F403
from runtime.ops.tensor_list import *  # noqa: F403
from runtime.ops.texts import *  # noqa: F403
from runtime.ops.trigonometry import *  # noqa: F403
from runtime.ops.ufuncs import *  # noqa: F403
from runtime.ops.updating import *  # noqa: F403
from runtime.ops.validity import *  # noqa: F403
from runtime.ops.variable_ops import *  # noqa: F403
from runtime.ops.writing import *  # noqa: F403

from runtime.ops import methods as _methods  # noqa: F401  # isort: skip  # last: it uses all of them
