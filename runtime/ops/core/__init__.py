"""The core: about twenty kinds of ops in which every graph can be written.

What computes: `Map` (a scalar expression for each element), `Reduce` and `Scan`, `Dot`; what moves elements:
`AffineMap`, `Reshape`, `Gather`, `Scatter`, `ConcatV2`, `Iota`; what asks: `Length`, `Nonzero`; what stays a
call of Python: `HostCall`; what raises: `Check`. Control flow, variables, lists and printing are core ops
themselves.
`runtime.passes.decompose` writes a graph in them: it is what compilers and other targets start from.
"""

from runtime.ops.core.calls import *  # noqa: F403  # each file's `__all__` is exact
from runtime.ops.core.contracting import *  # noqa: F403
from runtime.ops.core.elements import *  # noqa: F403
from runtime.ops.core.folding import *  # noqa: F403
from runtime.ops.core.moving import *  # noqa: F403
from runtime.ops.core.picking import *  # noqa: F403
