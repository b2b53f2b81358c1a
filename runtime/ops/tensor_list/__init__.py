"""Lists of tensors as values of a graph.

A list is a value like any other: changing it gives a new list and leaves the old one as it was. `TensorArray`
reads and writes it by hand; `edits` are what the methods of Python's lists do,
`places` what dicts and sets ask of their keys.
"""

from runtime.ops.tensor_list.array import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.tensor_list.edits import *  # noqa: F403
from runtime.ops.tensor_list.handles import *  # noqa: F403
from runtime.ops.tensor_list.nodes import *  # noqa: F403
from runtime.ops.tensor_list.places import *  # noqa: F403
