"""`x[key]`: ints, slices, None and an ellipsis."""

from runtime.ops.slicing.cutting import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.slicing.items import *  # noqa: F403
from runtime.ops.slicing.keys import *  # noqa: F403
from runtime.ops.slicing.selected import *  # noqa: F403
