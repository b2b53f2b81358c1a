"""The shape of a tensor, and the same elements in another shape."""

from runtime.ops.shaping.broadcasting import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.shaping.lengths import *  # noqa: F403
from runtime.ops.shaping.reshaping import *  # noqa: F403
