"""Lengths of axes that only a run knows: symbolic dims, and what is known of them.

A `SymbolicDim` is an expression over named lengths. Expressions are kept in one normal form, so that dims
that are known to be equal are equal in Python:

>>> n = named("x.0")
>>> print(n + 1, 2 * n - n == n, (2 * n + 1) // 2, maximum(n - 1, 0))
x.0+1 True x.0 max(x.0-1,0)

The form is a sum of products with integer factors. A product is one of *atoms*, each of them a number from 0
on: a named length, the positive part of a sum, a quotient rounded down, or what lengths broadcast to. The
positive part is all that slices need, as ``min(a, b)`` is ``a - max(a - b, 0)``:

>>> print(minimum(n, 2) + maximum(n - 2, 0))
x.0
"""

from runtime.core.dims.bounds import *  # noqa: F403  # each file's `__all__` is exact
from runtime.core.dims.functions import *  # noqa: F403
from runtime.core.dims.names import *  # noqa: F403
from runtime.core.dims.sums import *  # noqa: F403
from runtime.core.dims.text import *  # noqa: F403
