"""Tensors under TensorFlow's names: their shapes are `tf.TensorShape`s.

A tensor that a function of `tf` makes, or that is computed from one, is of the class `EagerTensor`; the
tensors of graphs of `tf.function` show their shapes likewise. Tensors of `runtime` keep tuples.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn

import numpy as np

from autograph.backends.tensors.text.strings import Text
from autograph.compat.tf.explained import failed
from autograph.compat.tf.operations import GraphTensor
from autograph.compat.tf.shapes import TensorShape
from autograph.compat.tf.texts import StagedString, StringTensor, as_strings, renewed, spec_of_texts, string
from runtime import ops
from runtime.core import shapes
from runtime.core.containers import register
from runtime.core.dtypes import DType, as_dtype, float32, int32
from runtime.core.instances import is_ours
from runtime.core.shapes import Written, written
from runtime.core.spec import TensorSpec as _TensorSpec
from runtime.core.spec import as_shape
from runtime.core.structure import Structure, flatten, map_leaves
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, InvalidValue, RefusedType, ShapeError
from runtime.graph.build import current_builder, known_as_eager
from runtime.graph.symbol import Symbol, set_value
from runtime.ops.tensor_list import TensorArray as _TensorArray

__all__ = [
    "EagerTensor",
    "RecordedSpec",
    "Reference",
    "StringSpec",
    "TensorArray",
    "TensorSpec",
    "TypeSpec",
    "as_eager",
    "fitted",
]


_SHAPE: Any = vars(_TensorSpec)["shape"]
"""Where a spec keeps its shape."""


class TypeSpec:
    """`tf.TypeSpec`: what is known of a value before it is there; the base class of every kind."""

    __slots__ = ()
    value_type: ClassVar[Any] = object

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value, or what is known of one, fits."""
        other = spec_or_value
        if not isinstance(other, TypeSpec):
            from autograph.compat.tf.specs import type_spec_from_value  # noqa: PLC0415  # it knows all kinds

            other = type_spec_from_value(other)
        shape, dtype = getattr(self, "shape", None), getattr(self, "dtype", None)
        return (
            type(other) is type(self)
            and getattr(other, "dtype", None) is dtype
            and TensorShape(shape).is_compatible_with(getattr(other, "shape", None))
        )


class RecordedSpec(TypeSpec):
    """A spec that is the arguments that made it."""

    def _parts(self) -> tuple[Any, ...]:
        return tuple(vars(self).values())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self), self._parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"


class TensorSpec(_TensorSpec, TypeSpec):
    """`tf.TensorSpec`: shape and dtype of tensors, as a user writes them.

    Parameters
    ----------
    shape : TensorShape, or what makes one
        None for an unknown rank.
    dtype : DType, optional
    name : str, optional
        What the argument is called in the graph.

    >>> TensorSpec([None, 3]).shape
    TensorShape([None, 3])
    """

    __slots__ = ()

    def __new__(cls, shape: Any = None, dtype: Any = float32, name: str | None = None) -> Any:
        """A spec of strings is of another class: a graph has the code points of one string."""
        if dtype is string or dtype in {"string", str, bytes}:
            return StringSpec(shape, name)
        return super().__new__(cls)

    def __init__(self, shape: Any, dtype: Any = float32, name: str | None = None) -> None:
        _SHAPE.__set__(self, TensorShape(shape).dims)
        object.__setattr__(self, "dtype", as_dtype(dtype))
        object.__setattr__(self, "name", name)

    @classmethod
    def from_spec(cls, spec: _TensorSpec, name: str | None = None) -> TensorSpec:
        """A spec like another one."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @property
    def shape(self) -> TensorShape:  # type: ignore[override]  # it counts as the tuple
        """The lengths, None for those that may be any."""
        return TensorShape(_SHAPE.__get__(self))

    @property
    def rank(self) -> int | None:
        """The number of axes, or None where it is unknown."""
        return self.shape.rank

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor, or what is known of one, fits."""
        return _TensorSpec.is_compatible_with(self, spec_or_tensor)

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        """The most exact spec that holds both."""
        if not isinstance(other, _TensorSpec) or other.dtype is not self.dtype:
            raise InvalidValue(
                f"{self!r} and {other!r} have no spec in common",
                why="A spec has one dtype.",
                way_out="Cast one of the tensors with `tf.cast`.",
            )
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TensorSpec) and (self.shape, self.dtype) == (
            TensorShape(other.shape),
            other.dtype,
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self.shape, self.dtype, self.name)

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype=tf.{self.dtype}, name={self.name!r})"


@spec_of_texts
class StringSpec(RecordedSpec):
    """What is known of a tensor of strings; a graph takes one string, whose characters a run knows.

    >>> TensorSpec([], string)
    TensorSpec(shape=(), dtype=tf.string, name=None)
    """

    value_type = StringTensor

    def __init__(self, shape: Any = None, name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype = string
        self.name = name

    @property
    def codes(self) -> TensorSpec:
        """What a graph takes.

        Raises
        ------
        DTypeError
            For several strings.
        """
        if self.shape.rank != 0:
            raise DTypeError(
                f"a graph was to take strings of the shape {self.shape}",
                why="A graph has one text at a time.",
                way_out="Give the function one string, `tf.TensorSpec([], tf.string)`, and call it for each.",
            )
        return TensorSpec([None], int32, self.name)

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype=tf.string, name={self.name!r})"


class EagerTensor(Tensor):
    """A tensor that has its value, and shows its shape as TensorFlow does."""

    __slots__ = ()
    written = TensorSpec
    symbol = GraphTensor

    @staticmethod
    def failed(error: BaseException) -> BaseException:
        """What is raised where an operation on one fails at once: it has TensorFlow's name."""
        return failed(error)

    @staticmethod
    def shown(shape: Written) -> TensorShape:
        """What `.shape` gives, here and of tensors of graphs."""
        return TensorShape(shape)

    @staticmethod
    def nested(result: Any) -> Any:
        """What a function returns, in which other dicts of Python's are nests as well."""
        result = renewed(result)
        if not any(isinstance(leaf, _DICTS) for leaf in flatten(result)[0]):
            return result
        return map_leaves(lambda leaf: _Entries(leaf) if isinstance(leaf, _DICTS) else leaf, result)

    @staticmethod
    def returned(leaf: Any, name: str) -> Any:
        """What a function returns: a tensor, text, or an object of the namespace; a shape becomes a tensor.

        Raises
        ------
        TypeError
            For any other object: every call would return the one that was there when the function was traced.
        """
        if getattr(leaf, "is_of_graph", False):
            _refuse_dataset(name)
        if isinstance(leaf, TensorShape):
            return ops.asarray(leaf.as_list(), dtype=int32)
        if isinstance(leaf, (str, bytes)):
            return as_strings(leaf)
        if not isinstance(leaf, (*_RETURNED, Tensor)) and not _stands_for_tensors(type(leaf)):
            _refuse_result(type(leaf), name)
        return leaf

    @staticmethod
    def structured(structure: Structure, name: str) -> Structure:
        """What holds the results of a function: texts of the graph become tensors of strings.

        Raises
        ------
        TypeError
            For an object of a class of the user's.
        """
        kind = structure.kind
        if kind is Text:
            kind = StagedString
        elif kind is not None and not (
            kind in _NESTS or hasattr(kind, "_fields") or _stands_for_tensors(kind)
        ):
            _refuse_result(kind, name)
        children = tuple([EagerTensor.structured(child, name) for child in structure.children])
        return replace(structure, kind=kind, children=children)

    @property
    def shape(self) -> TensorShape:
        """The length of each axis."""
        return TensorShape(self._array.shape)

    def __reduce__(self) -> tuple[Any, ...]:
        return EagerTensor, (np.array(self._array),)


known_as_eager(EagerTensor)


def as_eager(tensor: Tensor) -> Tensor:
    """A tensor of `runtime` as one of TensorFlow's; one of a graph as it is."""
    return EagerTensor(tensor._array) if type(tensor) is Tensor else tensor  # as ops, a friend of Tensor


_RETURNED = (bool, int, float, complex, np.ndarray, np.generic)
_DICTS = (OrderedDict, defaultdict)
_NESTS = (type(None), tuple, list, dict)


class _Entries:
    """What is in a dict that a function returns; a `defaultdict` becomes a dict."""

    def __init__(self, found: Mapping[Any, Any]) -> None:
        self.kind = OrderedDict if isinstance(found, OrderedDict) else dict
        self.entries = {key: EagerTensor.nested(value) for key, value in found.items()}


register(
    _Entries,
    lambda found: ((*found.entries,), (*found.entries.values(),), found.kind),
    lambda _, keys, values, kind: kind(zip(keys, values, strict=True)),
)
_ITERATORS = "autograph.backends."
"""Where the classes are of what stands for Python's own iterators."""


def _stands_for_tensors(kind: type) -> bool:
    """Whether objects of a class are the namespace's own, which a function may return."""
    room = kind.__module__
    if issubclass(kind, (DType, _TensorSpec)) or (room.startswith(_ITERATORS) and hasattr(kind, "__next__")):
        return False
    return is_ours(kind)


def _refuse_result(kind: type, name: str) -> NoReturn:
    raise RefusedType(
        "To be compatible with tf.function, Python functions must return zero or more Tensors or "
        f"ExtensionTypes or None values; in compilation of {name}, found return value of type "
        f"{kind.__name__}, which is not a Tensor or ExtensionType.",
        why="Under TensorFlow's names, a function returns what a graph computes.",
        way_out="Return tensors, and make the object of them where the function is called; "
        "`ag.function` returns objects, too.",
    )


def _refuse_dataset(name: str) -> NoReturn:
    raise RefusedType(
        f"{name}() returns a dataset that it has made",
        why="The graph computes what the dataset goes over, and has ended when the function returns.",
        way_out="Return the tensors that it is made of, and make it where the function is called; or loop "
        "over it in the function.",
    )


class TensorArray(_TensorArray):
    """`tf.TensorArray`: a list of tensors of one dtype, for loops that collect what they compute.

    Parameters
    ----------
    dtype : DType
    size : int or integer Tensor
        How many elements there are at first.
    dynamic_size : bool
        Whether writing behind the end makes it longer.
    element_shape : TensorShape, or what makes one, optional
        The shape that every element has; found from what is written where it is not given.

    Other Parameters
    ----------------
    clear_after_read, tensor_array_name, infer_shape, colocate_with_first_write_call, name
        Accepted; they change nothing here.
    handle, flow
        None: arrays of TensorFlow's graphs are not taken over.
    """

    def __init__(
        self,
        dtype: Any,
        size: TensorLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: None = None,
        flow: None = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        del clear_after_read, tensor_array_name, handle, flow, infer_shape
        del colocate_with_first_write_call, name
        super().__init__(dtype, size, dynamic_size, element_shape=element_shape)
        self.handle = as_eager(self.handle)

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements as far as it is known."""
        return TensorShape(super().element_shape)


@dataclass(frozen=True)
class Reference:
    """A variable or a tensor by its identity; `deref` gives it back."""

    referred: Any

    def deref(self) -> Any:
        """The variable, or the tensor."""
        return self.referred

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self.referred is other.referred

    def __hash__(self) -> int:
        return id(self.referred)


def fitted(tensor: Tensor, shape: Any) -> Tensor:
    """The tensor, known to have a shape from there on; a run checks what only a run knows.

    Raises
    ------
    ShapeError
        When it is known to have another one.
    """
    wanted = TensorShape(shape)
    TensorShape(tensor.static_shape).merge_with(wanted)
    if wanted.rank is None or shapes.contains(as_shape(wanted), tensor.static_shape):
        return tensor
    lengths = [(axis, length) for axis, length in enumerate(wanted) if length is not None]
    if tensor.static_shape is None:
        ops.check(ops.rank(tensor) == wanted.rank, f"the tensor has not the shape {wanted}")
    for axis, length in lengths:
        found = ops.shape(tensor)[axis]
        ops.check(
            found == length, f"the tensor has not the shape {wanted}: axis {axis} has the length", found
        )
    dims = [length if length is not None else ops.shape(tensor)[axis] for axis, length in enumerate(wanted)]
    return ops.reshape(tensor, tuple(dims))


# ── methods of TensorFlow's, on tensors of all kinds ──


def _get_shape(self: Tensor) -> Any:
    """The shape, under TensorFlow's name: None for what only a run knows."""
    builder = current_builder()
    is_ours = isinstance(self, EagerTensor) or (builder is not None and builder.defaults.static_shapes)
    return TensorShape(self.static_shape) if is_ours else written(self.static_shape)


def _set_shape(self: Tensor, shape: Any) -> None:
    """Says what shape the tensor has; a run checks what the graph did not know.

    Raises
    ------
    ValueError
        When it is known to have another one.
    """
    wanted, found = TensorShape(shape), TensorShape(self.static_shape)
    if not found.is_compatible_with(wanted):
        raise ShapeError(
            f"Tensor's shape {found} is not compatible with supplied shape {wanted}.",
            why="A tensor has one shape.",
            way_out="Give None for a length that may be any.",
        )
    if isinstance(self, Symbol):
        known = fitted(self, wanted)
        builder = current_builder()
        is_own = builder is not None and self.value.node.graph is builder.graph
        if is_own and isinstance(known, Symbol):
            set_value(self, known.value)


def _ref(self: Any) -> Reference:
    """What stands for the tensor as a key of dicts and in sets."""
    return Reference(self)


Tensor.get_shape = _get_shape  # type: ignore[method-assign]  # names of TensorFlow's, which `runtime` has not
Tensor.set_shape = _set_shape  # type: ignore[attr-defined]  # likewise
Tensor.ref = _ref  # type: ignore[attr-defined]  # likewise
