"""The class of what a value of the graph stands for: `isinstance(x, np.ndarray)`, `type(n) is np.int64`.

A tensor stands for an array of NumPy's, or for one of its numbers where it has no axes. What `float(x)`,
`len(x)` or `range(n)` give stands for a number of Python's. To a library a tensor is a tensor: it asks to
choose the functions that take it, and hands arrays of NumPy's to code of C.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.backends.tensors.items import Range
from autograph.backends.tensors.lists import Staged, StagedTuple
from autograph.backends.tensors.strings import Text
from autograph.backends.tensors.turn_numbers import TurnNumber
from autograph.staging.plain import Plain
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.graph.build import current_defaults, is_strict, is_symbolic, is_weak
from runtime.graph.location import caller_location, is_users_file
from runtime.ops.examples import NUMBERS

__all__ = ["Classes", "class_of"]


def class_of(value: Any) -> type:
    """The class that a value has where the function runs as Python.

    Parameters
    ----------
    value : object
        A value of the graph; anything else has its own class.
    """
    if isinstance(value, StagedTuple | Staged):
        return value.built
    if isinstance(value, Range):
        return range
    if isinstance(value, TurnNumber):
        return value.ag__kind
    if isinstance(value, Text):
        return str
    if not isinstance(value, Tensor) or not is_symbolic(value) or _keeps_our_classes():
        return type(value)
    if not isinstance(value.spec, ArraySpec):
        return type(value)
    if is_weak(value):
        return NUMBERS[value.dtype.kind]
    if not is_users_file(caller_location().filename):
        return type(value)
    return value.dtype.numpy.type if value.static_shape == () else np.ndarray


def _keeps_our_classes() -> bool:
    """Whether a tensor is a tensor for the program, too: under TensorFlow's names."""
    return is_strict() or current_defaults().static_shapes


class Classes(Plain):
    """The part of the tensors' backend that is about classes."""

    def is_instance(self, value: Any, kind: Any) -> bool:
        """Whether a value is, or stands for, an instance of a class, or of one of several."""
        return super().is_instance(value, kind) or issubclass(class_of(value), kind)

    def type_(self, *arguments: Any, **options: Any) -> Any:
        """The class of what a value stands for, or a new class."""
        if len(arguments) == 1 and not options:
            return class_of(arguments[0])
        return super().type_(*arguments, **options)
