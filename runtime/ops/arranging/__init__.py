"""Elements at other places of a result: repeated, turned round, or with others around them."""

from runtime.ops.arranging.padding import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.arranging.repeating import *  # noqa: F403
from runtime.ops.arranging.turning import *  # noqa: F403
