"""The class of what a value of the graph stands for: `isinstance(x, np.ndarray)`, `type(n) is np.int64`.

A tensor stands for an array of NumPy's, or for one of its numbers where it has no axes. What `float(x)`,
`len(x)` or `range(n)` give stands for a number of Python's. To a library a tensor is a tensor: it asks to
choose the functions that take it, and hands arrays of NumPy's to code of C.
"""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.backends.tensors.arrays import identity as identity_
from autograph.backends.tensors.containers.linked import Linked, identity, note_identified
from autograph.backends.tensors.containers.lists import Staged, StagedTuple
from autograph.backends.tensors.iteration.items import Lazy, Range
from autograph.backends.tensors.objects.choices import choose
from autograph.backends.tensors.statements.turn_numbers import TurnNumber
from autograph.backends.tensors.statements.undecided import Undecided
from autograph.backends.tensors.text.strings import Text
from autograph.staging.context import staging
from autograph.staging.heap import tell_apart
from autograph.staging.plain import Plain
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.taken_apart import was_made
from runtime.core.tensor import Tensor
from runtime.functions.meeting import is_told_by_identity, require_itself
from runtime.graph.build import (
    builder_in_use,
    is_recorded,
    is_symbolic,
    is_weak,
    note_kind_told,
)
from runtime.graph.location import caller_location, is_users_file
from runtime.graph.symbol import Symbol
from runtime.ops.examples import NUMBERS
from runtime.ops.whose import as_test, keeps_our_classes, whose_number

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
    if isinstance(value, Linked):
        return value.ag__kind
    if isinstance(value, Undecided):
        value.refuse()
    if isinstance(value, Range):
        return range
    if isinstance(value, TurnNumber):
        return value.ag__kind
    if isinstance(value, Text):
        return str
    if isinstance(value, Lazy) and value.pythons_class is not None:
        return value.pythons_class
    if not isinstance(value, Tensor) or not is_recorded(value) or keeps_our_classes():
        return type(value)
    if not isinstance(value.spec, ArraySpec):
        return type(value)
    if is_weak(value):
        return NUMBERS[value.dtype.kind]
    if not is_users_file(caller_location().filename):
        return type(value)
    is_array = value.ndim != 0 or (is_symbolic(value) and ops.is_array(value))
    if is_array and isinstance(value, Symbol) and value.static_shape == ():
        builder_in_use().arrays.require_one_class(value.value)
    elif isinstance(value, Symbol) and value.value in builder_in_use().arrays.of_lists:
        builder_in_use().note_array_told()
    return np.ndarray if is_array else value.dtype.numpy.type


_NUMBERS = (*NUMBERS.values(), np.bool_, np.int32, np.int64, np.float32, np.float64, np.complex128)
"""Classes of numbers: who asks for one of them sees of what kind a number is."""


ONE_EVERYWHERE = frozenset(
    {type(None), bool, int, float, complex, str, bytes, type, FunctionType, ModuleType}
)
"""Classes of objects that no statement chooses between as values."""


class Classes(Plain):
    """The part of the tensors' backend that is about classes."""

    def is_instance(self, value: Any, kind: Any) -> Any:
        """Whether a value is, or stands for, an instance of a class, or of one of several."""
        if super().is_instance(value, kind):
            return True
        found = issubclass(class_of(value), kind)
        if len({issubclass(each, kind) for each in _NUMBERS}) > 1:
            note_kind_told(value)
        decides = whose_number(value)
        if decides is False or issubclass(NUMBERS[value.dtype.kind], kind) is found:
            return found
        is_python = as_test(decides, {})
        return ops.stands_for_python(ops.logical_not(is_python)) if found else is_python

    def id_(self, value: Any) -> Any:
        """Which object it is: of one that a loop makes, as a value of the graph."""
        if isinstance(value, Undecided):
            value.refuse()
        if isinstance(value, Linked):
            return identity(value)
        require_itself(value)
        path = staging.journal
        is_inside = path is not None and path.around is not None
        if path is not None and is_inside and was_made(value) and path.existed(value) is False:
            note_identified(value)
        tell_apart((value,))
        return (
            super().id_(value) if type(value) in ONE_EVERYWHERE else identity_.Identity(value, self.identical)
        )

    def hash_(self, value: Any) -> Any:
        """What says of an object which it is, where its class says nothing else."""
        if isinstance(value, Undecided):
            value.refuse()
        if isinstance(value, Linked):
            own: Any = value.ag__kind.__hash__
            return identity(value) if own is object.__hash__ else own(value)
        if is_told_by_identity(type(value)):
            require_itself(value)
        tell_apart((value,))
        return super().hash_(value)

    def type_(self, /, *arguments: Any, **options: Any) -> Any:
        """The class of what a value stands for, or a new class."""
        if len(arguments) == 1 and not options:
            (value,) = arguments
            note_kind_told(value)
            decides = whose_number(value)
            if decides is False:
                return class_of(value)
            return choose(as_test(decides, {}), lambda: NUMBERS[value.dtype.kind], lambda: class_of(value))
        return super().type_(*arguments, **options)
