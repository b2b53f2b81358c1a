"""What each scalar function, each cast and each service of a run is in LLVM's code."""

from runtime.executors.native.intrinsics.casts import *  # noqa: F403  # each file's `__all__` is exact
from runtime.executors.native.intrinsics.complex_numbers import *  # noqa: F403
from runtime.executors.native.intrinsics.helpers import *  # noqa: F403
from runtime.executors.native.intrinsics.scalar_functions import *  # noqa: F403
