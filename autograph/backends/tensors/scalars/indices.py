"""Checks that a value of the graph is an integer where Python requires one, with Python's own messages.

And what else a number of the graph cannot be, in Python's words.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.statements.refused import refused
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.core.instances import is_ours
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.errors import StateDisagrees
from runtime.graph.build import as_tensor, current_builder, current_defaults, is_strict, is_symbolic, is_weak
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import whose
from runtime.ops.examples import NUMBERS, refuse_as_python
from runtime.ops.whose import as_test

__all__ = [
    "BOUND",
    "INTEGER",
    "OF_AN_ARRAY",
    "REPEATED",
    "are_numbers",
    "is_array",
    "named",
    "refuse",
    "require_callable",
    "require_index",
    "require_iterable",
    "require_order",
    "require_whole",
    "spelled",
]

INTEGER = "'{}' object cannot be interpreted as an integer"
"""What Python says of most of them."""
BOUND = "slice indices must be integers or None or have an __index__ method"
"""What it says of the bounds of slices."""
OF_AN_ARRAY = "only integer scalar arrays can be converted to a scalar index"
"""What NumPy says of arrays with axes, whatever is in them."""
REPEATED = "can't multiply sequence by non-int of type '{}'"
"""What it says of how often a sequence is repeated."""


def refuse(error: Exception) -> NoReturn:
    """Raises what Python says of an object that a value of the graph stands for: the program may catch it."""
    raise error


def require_iterable(value: Any) -> None:
    """Sees to it that what is added to a list is no number of Python's, and not None.

    Raises
    ------
    TypeError
    """
    if value is None or type(value) in NUMBERS.values():
        raise TypeError(f"'{type(value).__name__}' object is not iterable")


def require_index(kind: type, index: Any) -> None:
    """Sees to it that an index of a sequence, which may be a slice, is made of integers.

    Raises
    ------
    TypeError
        In Python's words, where a value of the graph is none.
    """
    if isinstance(index, slice):
        bounds = index.start, index.stop, index.step
        known = [each for each in bounds if not (each is None or is_ours(type(each)))]
        if not all(hasattr(type(each), "__index__") for each in known):
            raise TypeError(BOUND)
        require_whole(bounds, BOUND)
    else:
        says = f"{kind.__name__} indices must be integers or slices, not {{}}"
        if type(index) in _NO_INDICES:
            raise TypeError(says.format(type(index).__name__))
        require_whole((index,), says)


_NO_INDICES = frozenset({str, float, complex, type(None), tuple, list, dict})


def require_whole(values: Iterable[Any], says: str = INTEGER) -> None:
    """Sees to it that values of the graph are integers; `says` has the place of a class in it.

    Raises
    ------
    TypeError
    """
    for value in values:
        if isinstance(value, Tensor) and is_symbolic(value) and isinstance(value.spec, ArraySpec):
            if is_strict() or current_defaults().static_shapes:
                continue
            if value.static_shape:
                raise TypeError(OF_AN_ARRAY)
            if value.dtype.kind == "b":  # Python's are integers
                decides = whose(value)
                is_known = isinstance(decides, bool)
                is_numpys = not decides if is_known else ops.logical_not(as_test(decides, {}))
                refused(is_numpys, TypeError(says.format("numpy.bool")))
            elif value.dtype.kind not in "iu":
                _require_one_kind(value)
                if says == INTEGER:
                    refuse_as_python(operator.index, value)
                raise TypeError(says.format(named(value)))


def require_order(reverse: Any) -> None:
    """Sees to it that `reverse` is what Python takes: an integer, from 3.12 on whatever is true or false."""
    if sys.version_info < (3, 12):
        require_whole((reverse,))


def _require_one_kind(value: Tensor) -> None:
    """Sees to it that a value that is no integer is none on any path."""
    builder = current_builder()
    if builder is not None and isinstance(value, Symbol) and value.value in builder.context.whole_on_paths:
        raise StateDisagrees(
            f"a number is an integer on some paths, a {value.dtype.name} on others, and is to be an index",
            where=caller_location(),
            why="A graph holds both as one dtype, and Python takes the integers and refuses the others.",
            way_out="Make it an integer on all paths, with `int(…)` or `//`.",
        )


def is_array(operand: Any) -> bool:
    """Whether an operand is, or stands for, an array: a list beside it is multiplied, and not repeated."""
    return isinstance(operand, np.ndarray) or ops.is_array(operand)


def require_callable(value: Any) -> None:
    """Sees to it that what is called is no number of the graph, and no container.

    Raises
    ------
    TypeError
    """
    if isinstance(value, Tensor) and is_symbolic(value) and isinstance(value.spec, ArraySpec):
        raise TypeError(f"'{named(value)}' object is not callable") from None
    if hasattr(type(value), "built"):
        raise TypeError(f"'{value.built.__name__}' object is not callable") from None


def named(value: Tensor) -> str:
    """The class that a number of the graph has in Python."""
    if is_weak(value):
        return NUMBERS[value.dtype.kind].__name__
    return f"numpy.{'ndarray' if ops.is_array(value) else value.dtype.numpy.type.__name__}"


def are_numbers(value: Any) -> bool:
    """Whether a value is a number, or a tuple or a list of such."""
    if isinstance(value, tuple | list):
        return all(map(are_numbers, value))
    return isinstance(value, Tensor | int | float | complex | np.generic)


def spelled(value: Any, is_pythons: bool | None = None) -> str:
    """How an element is shown, with a gap for each number; of one `is_pythons` may say whose it is."""
    if isinstance(value, tuple | list):
        inside = ", ".join(map(spelled, value)) + ("," if type(value) is tuple and len(value) == 1 else "")
        return f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
    if is_pythons is None:
        is_pythons = not isinstance(value, np.generic) and whose(value) is not False
    if is_pythons or as_tensor(value).static_shape != ():
        return "{}"
    if ops.is_array(value):
        return "array({})"
    kind = as_tensor(value).dtype
    return "np.{}_" if kind is bool_ else f"np.{kind.name}({{}})"
