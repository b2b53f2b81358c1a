"""The cache key of a call: the arguments as a structure, tensor specs and Python values."""

from __future__ import annotations

import enum
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from datetime import timezone
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from runtime.core.dataclass import dataclass
from runtime.core.dtypes import DType, float64, int64
from runtime.core.spec import ArraySpec, ListSpec, Spec, TensorSpec, as_array_spec
from runtime.core.structure import (
    Structure,
    containers_in,
    flatten,
    flatten_shared,
    leaf_paths,
    level_of,
    unflatten,
)
from runtime.core.tensor import PLAIN_ARRAYS, Tensor, as_array
from runtime.errors import DTypeError, ShapeError, SignatureError
from runtime.functions.callables import is_written_in_python, signature_of
from runtime.functions.stand_ins import GeneratorKey, SetKey, is_generator
from runtime.graph.build import as_tensor, current_builder, current_defaults, is_strict, is_weak

__all__ = [
    "ADAPTERS",
    "Arguments",
    "CellSpec",
    "Key",
    "NumberSpec",
    "Parameters",
    "PassedSpec",
    "adapted",
    "is_told_by_text",
    "key_of",
]

_VALUES = (str, bytes, bool, int, type(None), type, enum.Enum, DType, type(...))
"""Their instances are the same argument when they are equal; other objects are compared by identity."""


def _items(input_signature: Any, name: str) -> tuple[Any, ...]:
    """What an `input_signature` says, parameter by parameter."""
    if isinstance(input_signature, Sequence) and not isinstance(input_signature, str):
        return tuple(input_signature)
    raise SignatureError(
        f"input_signature of {name}() is {input_signature!r}, which is no sequence",
        why="It has an item for each parameter.",
        way_out="Put it into a list: `input_signature=[…]`.",
    )


class _Identity:
    """An object in a key, compared by identity and, where Python allows, not kept alive."""

    __slots__ = ("_hash", "_target")

    def __init__(self, target: object) -> None:
        self._hash = id(target)
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


def _leaf_key(leaf: Any) -> object:
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
    if is_told_by_text(leaf):
        return _Literal(type(leaf), repr(leaf), leaf)
    if type(leaf) is frozenset and len(leaf) <= _MOST_IN_A_SET:
        elements = tuple(map(_element_key, leaf))
        return _Identity(leaf) if None in elements else _Literal(frozenset, elements, leaf)
    return _Identity(leaf)


def is_told_by_text(value: Any) -> bool:
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


def _key_of_lent(leaf: Any, number: int) -> GeneratorKey | SetKey | None:
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
    key = _leaf_key(element)
    return key if isinstance(key, _Literal) else None


def _number_spec(tensor: Tensor) -> NumberSpec | None:
    """What stands for a tensor of a graph that stands for a number of Python's, in the function as well."""
    spec = tensor.spec
    if not isinstance(spec, ArraySpec) or spec.shape != () or is_strict() or not is_weak(tensor):
        return None
    return NumberSpec((), spec.dtype)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _tensor_leaf(leaf: Any) -> Any:
    """NumPy arrays and scalars count as tensors; everything else stays what it is.

    So do arrays of a class of its own, which may compute as it likes: with masks, units or as matrices.
    """
    is_array = type(leaf) in PLAIN_ARRAYS or isinstance(leaf, np.generic)
    return Tensor(as_array(leaf)) if is_array else leaf


@dataclass(frozen=True)
class NumberSpec(ArraySpec):
    """The place of numbers of Python's that are inputs: one graph serves many, or another has made them."""


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


@dataclass(frozen=True)
class CellSpec(ArraySpec):
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
    return any(isinstance(mine, kind) is not isinstance(theirs, kind) for kind in (CellSpec, NumberSpec))


def _joined(mine: object, theirs: object) -> Spec | None:
    """The spec of two tensors of one dtype, or of two lists; None otherwise."""
    if isinstance(mine, ListSpec) and isinstance(theirs, ListSpec):
        return mine.join(theirs)
    if isinstance(mine, CellSpec | NumberSpec) or isinstance(theirs, CellSpec | NumberSpec):
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

    def passed(self) -> list[int]:
        """The leaves that stand for all such numbers that a program passes."""
        return [index for index, leaf in enumerate(self.leaves) if isinstance(leaf, PassedSpec)]

    def numbers_apart(self, other: Key) -> list[int]:
        """The leaves that are other numbers of Python's there; none where anything else differs, too."""
        if self.structure != other.structure:
            return []
        found: list[int] = []
        for index, (mine, theirs) in enumerate(zip(self.leaves, other.leaves, strict=True)):
            if _accepts(theirs, mine):
                continue
            if (
                not isinstance(mine, _Literal)
                or not isinstance(theirs, _Literal)
                or mine.kind is not theirs.kind
            ):
                return []
            if mine.kind not in _NUMBERS:
                return []
            found.append(index)
        return found

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
    def is_dead(self) -> bool:
        """Whether it names an object that is gone."""
        return any(isinstance(leaf, _Identity) and leaf.is_dead for leaf in self.leaves)


def key_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Key:
    """The key of arguments as they stand, of a function whose parameters do not matter."""
    leaves, structure = flatten((args, dict(kwargs)))
    return Key(structure, tuple([_leaf_key(_tensor_leaf(leaf)) for leaf in leaves]))


@dataclass
class Arguments:
    """The arguments of one call, in canonical order."""

    leaves: list[Any]
    structure: Structure
    paths: list[str]
    promised: tuple[ArraySpec, ...] = ()
    """What an input signature says of some leaves, which may be wider than they are."""
    first_promised: int = 0
    """The leaf where the input signature starts: behind `self`."""
    nest: Any = None
    """Positional and keyword arguments, as they were given."""
    given: Sequence[Any] = ()
    """The leaves as the caller has them: arrays of NumPy's in the place of tensors."""
    whole: Collection[int] = ()
    """The ids of objects that the function has from outside, too, and so are no containers of arguments."""
    lends: bool = False
    """Whether generators of random numbers may be others in the next call."""

    @property
    def objects(self) -> list[Any]:
        """The containers, arrays of NumPy's, generators and sets that a function may find elsewhere, too."""
        arrays = [each for each in self.given if isinstance(each, np.ndarray) and id(each) not in self.whole]
        return [*containers_in(self.nest, self.whole), *arrays, *self.lent.values()]

    @property
    def generators(self) -> dict[int, Any]:
        """The generators of random numbers for which others may stand, by the leaves that they are."""
        return {index: leaf for index, leaf in self.lent.items() if type(leaf) is not set}

    @property
    def lent(self) -> dict[int, Any]:
        """These, and the sets for which a copy may stand."""
        if not self.lends:
            return {}
        return {
            index: leaf
            for index, leaf in enumerate(self.leaves)
            if id(leaf) not in self.whole and (is_generator(leaf) or type(leaf) is set)
        }

    @property
    def key(self) -> Key:
        """What of them decides the graph."""
        start, end = self.first_promised, self.first_promised + len(self.promised)
        own = list(map(_leaf_key, self.leaves))
        for index, given in enumerate(self.given):
            if type(given) is np.ndarray and not given.ndim and id(given) not in self.whole:
                own[index] = CellSpec((), self.leaves[index].dtype)
        known: dict[int, Any] = {}
        for index, leaf in self.lent.items():
            if id(leaf) not in known:
                known[id(leaf)] = _key_of_lent(leaf, len(known))
            own[index] = known[id(leaf)] or own[index]
        return Key(self.structure, (*own[:start], *self.promised, *own[end:]))

    def refuse_specs(self, name: str) -> None:
        """A call takes values; specs are for `get_concrete_function`."""
        for leaf, path in zip(self.leaves, self.paths, strict=True):
            if isinstance(leaf, TensorSpec):
                raise SignatureError(
                    f"argument `{path}` of {name}() is a spec, which has no value",
                    details=[f"{path}: {leaf!r}"],
                    why="A call runs the graph, on tensors.",
                    way_out=f"Call {name}() with a tensor, or {name}.get_concrete_function() with specs.",
                )

    @property
    def tensors(self) -> list[Tensor]:
        """The leaves that are inputs of the graph."""
        return [leaf for leaf in self.leaves if isinstance(leaf, Tensor)]

    def inputs(self, key: Key) -> list[Tensor]:
        """The inputs of a graph that was made for `key`."""
        if not key.has_numbers or self._are_tensors:
            return self.tensors
        return [
            leaf if isinstance(leaf, Tensor) else Tensor(np.asarray(leaf, as_array_spec(spec).dtype.numpy))
            for leaf, spec in zip(self.leaves, key.leaves, strict=True)
            if isinstance(spec, Spec)
        ]

    def given_as(self, key: Key) -> list[Any]:
        """What the caller has in the place of each input of a graph that was made for `key`."""
        if not key.has_numbers or self._are_tensors:
            pairs = zip(self.given, self.leaves, strict=True)
            return [given for given, leaf in pairs if isinstance(leaf, Tensor)]
        return [given for given, spec in zip(self.given, key.leaves, strict=True) if isinstance(spec, Spec)]

    @property
    def _are_tensors(self) -> bool:
        """Whether these are the inputs of a graph, and nothing is told of the parameters."""
        return self.structure.kind is tuple and not self.structure.children

    def rebuilt(self, leaves: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """``args, kwargs`` with other leaves."""
        args, kwargs = unflatten(self.structure, leaves)
        return args, kwargs


ADAPTERS: dict[type, Callable[[Any], Any]] = {}
"""What becomes of an argument where the signature has a container of a class that stands for one value."""


def adapted(value: Any, structure: Structure) -> Any:
    """An argument with what a caller has for such containers of a signature turned into them."""
    if structure.kind in ADAPTERS:
        return ADAPTERS[structure.kind](value)
    level = level_of(value)
    if level is None or not structure.children or level[0].kind is not structure.kind:
        return value
    if len(level[1]) != len(structure.children):
        return value
    children = [adapted(*pair) for pair in zip(level[1], structure.children, strict=True)]
    unchanged = all(one is other for one, other in zip(children, level[1], strict=True))
    return value if unchanged else level[0].build(children)


def _as_given(before: Sequence[Any], converted: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
    """The leaves of converted arguments, as far as possible as they were before."""
    given: list[Any] = []
    for one, other in zip(before, converted, strict=True):
        (own, form), (new, form_now) = flatten(one), flatten(other)
        given += own if form == form_now else new
    return [*given, *leaves[len(given) :]]


def _may_share(structure: Structure) -> bool:
    """Whether there are two containers among arguments, which may be one."""
    args, kwargs = structure.children
    outermost = [each for each in (*args.children, *kwargs.children) if each.kind is not None]
    return len(outermost) > 1 or any(child.kind is not None for each in outermost for child in each.children)


def _has_no_end(value: Any) -> bool:
    """Whether an argument holds itself, as the nodes of a tree do that know their parents."""
    try:
        flatten(value)
    except RecursionError:
        return True
    return False


class Parameters:
    """The parameters of a Python function, and how its arguments become `Arguments`.

    Parameters
    ----------
    function : callable
    input_signature : nest of TensorSpec, optional
        One for each parameter but `self`: arguments are converted to these specs, and every call runs one
        graph.
    lends : bool
        Whether its graphs serve all generators of random numbers of a kind: they draw when they run.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        input_signature: Sequence[Any] | None = None,
        *,
        lends: bool = False,
    ) -> None:
        self.lends = lends
        self.name = getattr(function, "__name__", type(function).__name__)
        self.function = function
        self.signature = signature_of(function)
        self.input_signature = None if input_signature is None else _items(input_signature, self.name)
        parameters = list(self.signature.parameters.values())
        self.positional = [
            p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        self.is_plain = len(self.positional) == len(parameters)
        """Whether a call with as many positional arguments as parameters needs no sorting out."""
        self._has_defaults = is_written_in_python(function)
        self.skipped = int(input_signature is not None and self.positional[:1] == ["self"])
        """Arguments in front of those that `input_signature` is about."""
        self._promised = self._promised_specs()

    def _promised_specs(self) -> tuple[ArraySpec, ...]:
        if self.input_signature is None:
            return ()
        self._check_signature()
        return tuple([leaf.plain for leaf in flatten(self.input_signature)[0]])

    def _check_signature(self) -> None:
        leaves, _ = flatten(self.input_signature)
        for leaf in leaves:
            if not isinstance(leaf, TensorSpec):
                raise SignatureError(
                    f"input_signature of {self.name}() holds {leaf!r}, which is no TensorSpec",
                    why="It says the shape and the dtype of each argument.",
                    way_out="Give a TensorSpec, or a nest of them, for each parameter.",
                )
        variadic = any(p.kind is p.VAR_POSITIONAL for p in self.signature.parameters.values())
        names = self.positional[self.skipped :]
        if len(self.input_signature or ()) > len(names) and not variadic:
            raise SignatureError(
                f"input_signature of {self.name}() has {_counted(len(self.input_signature or ()), 'item')}, "
                f"but the function takes {_counted(len(names), 'positional argument')}",
                details=[f"def {self.name}{self.signature}"],
                why="Each item says what one argument is.",
                way_out="Leave out those that have no argument.",
            )
        missing = self._without_spec()
        if missing:
            raise SignatureError(
                f"input_signature of {self.name}() says nothing of "
                f"{' and '.join(f'`{name}`' for name in missing)}, which every call has to give",
                details=[f"def {self.name}{self.signature}"],
                why="Each item says what one argument is, and every call is converted to the same ones.",
                way_out="Add a TensorSpec for each, or give the parameter a default.",
            )

    def _without_spec(self) -> list[str]:
        """Parameters without a default that the input signature leaves out."""
        promised = {*self.positional[: self.skipped + len(self.input_signature or ())]}
        return [
            p.name
            for p in self.signature.parameters.values()
            if p.default is p.empty
            and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            and p.name not in promised
        ]

    def canonical(
        self,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        whole: Collection[int] = (),
        *,
        tells_arrays: bool = False,
    ) -> Arguments:
        """The arguments in the order of the parameters, with defaults filled in.

        A container that is among them twice is one container, and one that holds itself is an object.

        Parameters
        ----------
        args, kwargs
            Those of a call.
        whole : collection of int
            The ids of containers and arrays that the function has from outside, too: they are objects.
        tells_arrays : bool
            Whether an array that is among them twice is one array.

        Raises
        ------
        SignatureError
            When the function cannot be called so.
        """
        if kwargs or not self.is_plain or len(args) != len(self.positional):
            try:
                bound = self.signature.bind(*args, **kwargs)
            except TypeError as error:
                raise SignatureError(
                    self._refusal(args, kwargs) or f"{self.name}() {error}",
                    details=[f"def {self.name}{self.signature}"],
                    why="The arguments must fit the parameters of the function.",
                    way_out="Call it as its `def` says.",
                ) from None
            if self._has_defaults:
                bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        kwargs = dict(kwargs)
        nest = args, kwargs
        if self.input_signature is not None:
            args = self._as_promised(args)
        leaves, structure, whole = self._flattened((args, kwargs), whole, tells_arrays=tells_arrays)
        given = leaves if args is nest[0] else _as_given(nest[0], args, leaves)
        tensors = [leaf if id(leaf) in whole else _tensor_leaf(leaf) for leaf in leaves]
        receivers = structure.children[0].children[: self.skipped]
        start = sum(receiver.leaf_count for receiver in receivers)
        lends = self.lends and current_builder() is None
        return Arguments(
            tensors, structure, self._paths(structure), self._promised, start, nest, given, whole, lends
        )

    def _flattened(
        self, nest: tuple[Any, dict[str, Any]], whole: Collection[int], *, tells_arrays: bool
    ) -> tuple[list[Any], Structure, Collection[int]]:
        """The leaves and the structure of arguments, each object once, and which are objects as a whole.

        With an `input_signature`, all are apart: it has one graph.
        """
        try:
            leaves, structure = flatten(nest)
        except RecursionError:
            args, kwargs = nest
            whole = {*whole, *[id(each) for each in (*args, *kwargs.values()) if _has_no_end(each)]}
            leaves, structure = flatten_shared(nest, (), whole)
        if self.input_signature is not None or not (whole or tells_arrays or _may_share(structure)):
            return leaves, structure, whole
        objects = [id(each) for each in containers_in(nest, whole)]
        if tells_arrays:
            objects += [id(leaf) for leaf in leaves if isinstance(leaf, (Tensor, np.ndarray))]
        shared = {each for each, count in Counter(objects).items() if count > 1}
        if not shared and not whole:
            return leaves, structure, whole
        return *flatten_shared(nest, shared, whole), whole

    def argument_names(self, count: int) -> list[str]:
        """A name for each of `count` positional arguments: of ``*args``, ``args_0`` and so on."""
        extra = next(
            (p.name for p in self.signature.parameters.values() if p.kind is p.VAR_POSITIONAL), "args"
        )
        surplus = [f"{extra}_{index}" for index in range(count - len(self.positional))]
        return [*self.positional[:count], *surplus]

    def _paths(self, structure: Structure) -> list[str]:
        args, kwargs = structure.children
        names = self.argument_names(len(args.children))
        named = zip([*names, *map(str, kwargs.keys)], [*args.children, *kwargs.children], strict=True)
        return [path for name, child in named for path in leaf_paths(child, name)]

    def _as_promised(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        promised = self.input_signature or ()
        end = self.skipped + len(promised)
        if len(args) < end:
            raise SignatureError(
                f"{self.name}() has an input_signature of {_counted(len(promised), 'argument')}, and was "
                f"called with {len(args) - self.skipped}",
                details=[f"def {self.name}{self.signature}"],
                why="The graph has one input for each item of the signature.",
                way_out="Give them all, or leave the last ones out of the signature.",
            )
        names = self.argument_names(end)
        triples = zip(args[self.skipped : end], promised, names[self.skipped :], strict=True)
        converted = [self._convert(value, spec, name) for value, spec, name in triples]
        return (*args[: self.skipped], *converted, *args[end:])

    def _convert(self, value: Any, spec: Any, name: str) -> Any:
        """`value` as tensors of the promised specs."""
        specs, structure = flatten(spec)
        if structure.kind is None:
            return self._convert_leaf(value, spec, name)
        leaves, given = flatten(adapted(value, structure))
        if given != structure:
            raise SignatureError(
                f"argument `{name}` of {self.name}() has another structure than its input_signature",
                details=[f"signature:  {structure}", f"given:      {given}"],
                why="The function has one graph, for the nest of tensors (each a `*`) in the signature.",
                way_out="Give the same nest of lists, tuples and dicts.",
            )
        paths = leaf_paths(structure, name)
        return unflatten(
            structure, [self._convert_leaf(*each) for each in zip(leaves, specs, paths, strict=True)]
        )

    def _convert_leaf(self, value: Any, spec: TensorSpec, name: str) -> Any:
        if isinstance(value, TensorSpec):
            tensor: Any = value
        elif isinstance(value, (Tensor, np.ndarray, np.generic)) or hasattr(type(value), "__tensor__"):
            tensor = as_tensor(value)
        else:
            tensor = self._from_python(value, spec, name)
        found = tensor.plain if isinstance(tensor, TensorSpec) else tensor.spec
        if not spec.plain.contains(found):
            raise self._mismatch(name, str(found), spec)
        return spec if isinstance(tensor, TensorSpec) else tensor

    def _from_python(self, value: Any, spec: TensorSpec, name: str) -> Tensor:
        try:
            array = as_array(value)
        except (DTypeError, ShapeError) as error:
            raise SignatureError(
                f"argument `{name}` of {self.name}() is no tensor: {error.happened}",
                why=error.why,
                way_out=f"Its input_signature asks for {spec.plain}: give a tensor, an array or a number.",
            ) from None
        if not np.can_cast(array.dtype, spec.dtype.numpy, "same_kind"):
            raise self._mismatch(name, repr(value), spec)
        return Tensor(array.astype(spec.dtype.numpy))

    def _mismatch(self, name: str, found: str, spec: TensorSpec) -> SignatureError:
        return SignatureError(
            f"argument `{name}` of {self.name}() is {found}, but its input_signature asks for {spec.plain}",
            why="The function has one graph, for tensors of the dtype and shape that the signature gives.",
            way_out="Cast or reshape it before the call, or widen the signature: None stands for any length.",
        )

    def _refusal(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
        """What Python says when the function itself is called so; its body does not begin to run."""
        if not isinstance(self.function, FunctionType) or not vars(self.function).keys().isdisjoint(
            ("__wrapped__", "__signature__")
        ):
            return None
        try:
            self.function(*args, **kwargs)
        except TypeError as error:
            return str(error)
        return None
