"""The cache key of a call: what of the arguments decides the graph."""

from __future__ import annotations

import enum
import weakref
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from datetime import timezone
from typing import Any, ClassVar

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, float64, int64
from runtime.core.spec import ArraySpec, ListSpec, Spec, TensorSpec
from runtime.core.structure import Structure, flatten
from runtime.core.tensor import PLAIN_ARRAYS, Tensor, as_array
from runtime.functions.stand_ins import GeneratorKey, SetKey
from runtime.graph.build import current_defaults, is_strict, is_weak

__all__ = [
    "ContainerKey",
    "Key",
    "NotForAll",
    "NumberSpec",
    "NumbersSpec",
    "PassedSpec",
    "ZeroDimSpec",
    "key_of",
    "key_of_lent",
    "leaf_key",
    "tensor_leaf",
]

_VALUES = (str, bytes, bool, int, type(None), type, enum.Enum, DType, type(...))
"""Their instances are the same argument when they are equal; other objects are compared by identity."""


class _Identity:
    """An object in a key, compared by identity and, where Python allows, not kept alive."""

    __slots__ = ("_hash", "_target", "target_kind")

    def __init__(self, target: object) -> None:
        self._hash, self.target_kind = id(target), type(target)
        try:
            self._target: Callable[[], object] = weakref.ref(target)
        except TypeError:
            self._target = lambda: target

    @property
    def value(self) -> object:
        """The object; None once it is gone."""
        return self._target()

    @property
    def is_dead(self) -> bool:
        """Whether no call can ever match: the object is gone."""
        return self._target() is None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Identity):
            return NotImplemented
        target = self._target()
        return target is not None and target is other._target()

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self._target())


@dataclass(frozen=True, slots=True)
class _Literal:
    """A Python value in a key: `1`, `1.0` and `True` differ, and so do `0.0` and `-0.0`."""

    kind: type
    content: object
    value: object = field(compare=False)

    def __repr__(self) -> str:
        return repr(self.value)


def leaf_key(leaf: Any) -> object:
    """What of a leaf of the arguments decides the graph: a spec, a value, or which object it is."""
    if isinstance(leaf, Tensor):
        return _number_spec(leaf) or leaf.spec
    if isinstance(leaf, TensorSpec):
        return leaf.plain
    if isinstance(leaf, float | complex):
        return _Literal(type(leaf), np.complex128(leaf).tobytes(), leaf)
    if isinstance(leaf, range):  # two that are empty are equal
        return _Literal(range, (leaf.start, leaf.stop, leaf.step), leaf)
    if isinstance(leaf, _VALUES):
        return _Literal(type(leaf), leaf, leaf)
    if _is_told_by_text(leaf):
        return _Literal(type(leaf), repr(leaf), leaf)
    if type(leaf) is frozenset and len(leaf) <= _MOST_IN_A_SET:
        elements = tuple(map(_element_key, leaf))
        return _Identity(leaf) if None in elements else _Literal(frozenset, elements, leaf)
    return _Identity(leaf)


def _is_told_by_text(value: Any) -> bool:
    """Whether an object never changes, and its `repr` says all of it: dates, decimals, fractions, paths."""
    kind = type(value)
    if (kind.__module__.partition(".")[0], kind.__qualname__) not in _TOLD_BY_TEXT:
        return False
    zone = getattr(value, "tzinfo", None)
    return zone is None or type(zone) is timezone


_TOLD_BY_TEXT = frozenset(
    {
        *[("datetime", name) for name in ("date", "datetime", "time", "timedelta", "timezone")],
        *[("pathlib", name) for name in ("PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath")],
        ("decimal", "Decimal"),
        ("fractions", "Fraction"),
        ("uuid", "UUID"),
    }
)
"""Classes, by module and name: who has not imported these has none of their objects."""


def key_of_lent(leaf: Any, number: int) -> GeneratorKey | SetKey | None:
    """The key of a generator or a set for which others may stand; None of a set of objects, or of many."""
    if type(leaf) is not set:
        return GeneratorKey(leaf, number)
    if len(leaf) > _MOST_IN_A_SET:
        return None
    elements = tuple(map(_element_key, leaf))
    return None if None in elements else SetKey(leaf, elements, number)


_MOST_IN_A_SET = 1000


def _element_key(element: Any) -> object:
    """What tells an element of a set from others; None of one that is an object, and nothing but itself."""
    if type(element) is tuple:
        parts = tuple(map(_element_key, element))
        return None if None in parts else parts
    if isinstance(element, np.number | np.bool_):  # among leaves it is a tensor
        return _Literal(type(element), (element.dtype.str, element.tobytes()), element)
    key = leaf_key(element)
    return key if isinstance(key, _Literal) else None


def _number_spec(tensor: Tensor) -> NumberSpec | NumbersSpec | None:
    """What stands for a tensor of a graph that stands for a number of Python's, in the function as well.

    So does a list of such.
    """
    spec = tensor.spec
    if is_strict() or not is_weak(tensor):
        return None
    if isinstance(spec, ListSpec):
        return NumbersSpec(spec.element)
    return NumberSpec((), spec.dtype) if isinstance(spec, ArraySpec) and spec.shape == () else None


def tensor_leaf(leaf: Any) -> Any:
    """NumPy arrays and scalars count as tensors; everything else stays what it is.

    So do arrays of a class of its own, which may compute as it likes: with masks, units or as matrices.
    """
    is_array = type(leaf) in PLAIN_ARRAYS or isinstance(leaf, np.generic)
    return Tensor(as_array(leaf)) if is_array else leaf


@dataclass(frozen=True)
class NumberSpec(ArraySpec):
    """The place of numbers of Python's that are inputs: one graph serves many, or another has made them."""


@dataclass(frozen=True)
class NumbersSpec(ListSpec):
    """The place of lists of the graph with numbers of Python's, or with nothing yet."""


@dataclass(frozen=True)
class PassedSpec(NumberSpec):
    """The place of numbers of Python's that a program passes, of just one class: one graph serves them."""

    number: type
    noun: ClassVar[str] = "a number:"

    def takes(self, literal: _Literal) -> bool:
        """Whether a number is one of these, and has room in a graph."""
        if literal.kind is not self.number:
            return False
        return self.number is not int or self.dtype.min <= literal.content <= self.dtype.max  # type: ignore[operator]

    def __str__(self) -> str:
        return f"any {self.number.__name__}"


class NotForAll(Exception):
    """Says that no graph serves all the numbers, or all the lists, that a key stands for."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"no graph of {name}() serves all arguments like these: {why}")


class ContainerKey:
    """The place of a list, a dict or a deque of numbers, of any length, that a program passes.

    Parameters
    ----------
    place : Place
        What such a container holds.
    """

    def __init__(self, place: Any) -> None:
        self._place: Any = place
        longest = place.owner.maxlen if isinstance(place.owner, deque) else None
        self._told = type(place.owner), longest, place.columns()
        self._is_copied = False

    @property
    def place(self) -> Any:
        """What the container holds that a function is traced with: a copy of that which this was made of."""
        if not self._is_copied:
            self._place, self._is_copied = self._place.at(self._place.owner.copy()), True
        return self._place

    @property
    def stand_in(self) -> Any:
        """That container."""
        return self.place.owner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContainerKey) and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._told)

    def __repr__(self) -> str:
        kind, _, columns = self._told
        return f"any {kind.__name__} of {', '.join(map(_shown_kind, columns))}"


def _shown_kind(column: Any) -> str:
    return column.__name__ if type(column) is type else str(column)


@dataclass(frozen=True)
class ZeroDimSpec(ArraySpec):
    """The place of NumPy's arrays without axes, which a function may write into, and into no other number."""


def _accepts(mine: object, theirs: object) -> bool:
    """Whether a graph made for one leaf also serves another."""
    if isinstance(mine, PassedSpec) and isinstance(theirs, _Literal):
        return mine.takes(theirs)
    if isinstance(mine, NumberSpec) and isinstance(theirs, _Literal):
        return theirs.kind in _NUMBERS and np.can_cast(theirs.kind, mine.dtype.numpy, "same_kind")
    if isinstance(mine, GeneratorKey) and isinstance(theirs, _Identity):
        return mine.is_stood_for(theirs.value)
    if _are_told_apart(mine, theirs):
        return False
    return mine.contains(theirs) if isinstance(mine, Spec) and isinstance(theirs, Spec) else mine == theirs


def _are_told_apart(mine: object, theirs: object) -> bool:
    """Whether one of two specs is of numbers of Python's, or of arrays without axes, and the other is not."""
    kinds = ZeroDimSpec, NumberSpec, NumbersSpec
    return any(isinstance(mine, kind) is not isinstance(theirs, kind) for kind in kinds)


def _joined(mine: object, theirs: object) -> Spec | None:
    """The spec of two tensors of one dtype, or of two lists; None otherwise."""
    if isinstance(mine, NumbersSpec) and isinstance(theirs, NumbersSpec):
        return NumbersSpec(mine.join(theirs).element)
    if type(mine) is type(theirs) is ListSpec:
        return mine.join(theirs)
    if isinstance(mine, ZeroDimSpec | NumberSpec) or isinstance(theirs, ZeroDimSpec | NumberSpec):
        return mine if isinstance(mine, ArraySpec) and type(mine) is type(theirs) and mine == theirs else None
    if isinstance(mine, ArraySpec) and isinstance(theirs, ArraySpec) and mine.dtype is theirs.dtype:
        return mine.join(theirs)
    return None


def _widened(mine: object, theirs: object) -> object:
    """A leaf that serves both, where they are shapes of one dtype, or numbers; None otherwise."""
    if mine == theirs:
        return mine
    joined = _joined(mine, theirs)
    if joined is not None:
        return joined
    for one, other in ((mine, theirs), (theirs, mine)):
        if isinstance(one, NumberSpec) and _accepts(one, other):
            return one
    if isinstance(mine, _Literal) and isinstance(theirs, _Literal) and mine.kind is theirs.kind:
        return NumberSpec((), current_defaults().of(mine.value)) if mine.kind in _NUMBERS else None
    return None


_NUMBERS = (int, float)


def _passed_spec(leaf: object) -> PassedSpec | None:
    """What stands for all numbers like one that a program passes; None where it is none, or has no room."""
    if not isinstance(leaf, _Literal) or leaf.kind not in _NUMBERS:
        return None
    spec = PassedSpec((), int64 if leaf.kind is int else float64, leaf.kind)
    return spec if spec.takes(leaf) else None


@dataclass(frozen=True)
class Key:
    """What of the arguments decides the graph: their structure, tensor specs, and Python values."""

    structure: Structure
    leaves: tuple[object, ...]

    def accepts(self, other: Key) -> bool:
        """Whether a graph made for this key also serves `other`: specs may be wider, values must agree."""
        return self.structure == other.structure and all(map(_accepts, self.leaves, other.leaves))

    def widened(self, other: Key) -> Key | None:
        """The key that accepts both, where they differ in shapes and Python numbers only."""
        if self.structure != other.structure:
            return None
        leaves = tuple(map(_widened, self.leaves, other.leaves))
        return None if None in leaves else Key(self.structure, leaves)

    @property
    def has_numbers(self) -> bool:
        """Whether Python numbers are inputs of its graph."""
        return any(isinstance(leaf, NumberSpec) for leaf in self.leaves)

    def numbers(self) -> list[int]:
        """The leaves that are ints or floats of Python's, with room in a graph."""
        return [index for index, leaf in enumerate(self.leaves) if _passed_spec(leaf) is not None]

    @property
    def is_for_more(self) -> bool:
        """Whether its graph serves other numbers or lists of Python's, too."""
        return any(isinstance(leaf, PassedSpec | ContainerKey) for leaf in self.leaves)

    def containers(self) -> list[int]:
        """The leaves that stand for all containers of a kind that a program passes."""
        return [index for index, leaf in enumerate(self.leaves) if isinstance(leaf, ContainerKey)]

    def passed(self) -> list[int]:
        """The leaves that stand for all such numbers that a program passes."""
        return [index for index, leaf in enumerate(self.leaves) if isinstance(leaf, PassedSpec)]

    def with_passed(self, places: Collection[int]) -> Key:
        """The key that takes all numbers of the classes of those at some leaves."""
        leaves = [_passed_spec(leaf) if index in places else leaf for index, leaf in enumerate(self.leaves)]
        return Key(self.structure, tuple(leaves))

    def relaxed(self, other: Key) -> Key | None:
        """The key that accepts both, where they differ in shapes only."""
        if self.structure != other.structure:
            return None
        leaves: list[object] = []
        for mine, theirs in zip(self.leaves, other.leaves, strict=True):
            joined = _joined(mine, theirs)
            if joined is None and mine != theirs:
                return None
            leaves.append(joined or mine)
        return Key(self.structure, tuple(leaves))

    @property
    def values(self) -> list[Any]:
        """The leaves: specs, and Python values as they were given."""
        return [leaf.value if isinstance(leaf, (_Literal, _Identity)) else leaf for leaf in self.leaves]

    @property
    def kinds_of_objects(self) -> set[type]:
        """The classes of the objects that it names, each of which has a graph of its own."""
        return {leaf.target_kind for leaf in self.leaves if isinstance(leaf, _Identity)}

    @property
    def is_dead(self) -> bool:
        """Whether it names an object that is gone."""
        return any(isinstance(leaf, _Identity) and leaf.is_dead for leaf in self.leaves)


def key_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Key:
    """The key of arguments as they stand, of a function whose parameters do not matter."""
    leaves, structure = flatten((args, dict(kwargs)))
    return Key(structure, tuple([leaf_key(tensor_leaf(leaf)) for leaf in leaves]))
