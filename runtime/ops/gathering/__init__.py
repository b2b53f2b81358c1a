"""Elements taken from places that tensors name."""

from runtime.ops.gathering.advanced import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.gathering.along_axis import *  # noqa: F403
from runtime.ops.gathering.by_coordinates import *  # noqa: F403
from runtime.ops.gathering.by_number import *  # noqa: F403
from runtime.ops.gathering.masks import *  # noqa: F403
