"""Tensors with some elements replaced, or combined with others."""

from autograph_base.waiting import when_used

when_used(
    __name__,
    "fitting",
)

from runtime.ops.updating.combining import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.updating.items import *  # noqa: F403
from runtime.ops.updating.replacing import *  # noqa: F403
