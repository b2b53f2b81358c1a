"""Calls of functions of the program's when the graph runs: `host_call`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core import records, shapes
from runtime.core.dtypes import as_dtype
from runtime.core.instances import with_attributes
from runtime.core.spec import ArraySpec, ObjectSpec, Spec, TensorSpec, TextSpec
from runtime.core.structure import Level, Structure, flatten, level_of, map_leaves, unflatten
from runtime.core.tensor import Array, Tensor
from runtime.core.text import Slot
from runtime.errors import Error, InvalidValue, ResultDisagrees
from runtime.graph.build import as_tensor, bind_all, builder_in_use, current_builder, known_as_eager, slot_of
from runtime.graph.op import Effects, Op
from runtime.graph.resources import HostArray, HostObject
from runtime.graph.symbol import Symbol
from runtime.ops.facts import Sample
from runtime.ops.filled import is_value
from runtime.ops.raising import CAUGHT, Nest, plain_data

__all__ = ["PyFunc", "called_method", "host_call", "order_of_shuffle", "place_of_choice"]


class Held:
    """An object of Python's that is a value of a run: whatever it is, arrays of NumPy do not look into it."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Held({self.value!r})"


@records.record
@dataclass(frozen=True)
class Given:
    """One value that a function of the program's gives; `is_number` where it is a number of Python's own."""

    spec: Spec
    is_number: bool = False

    def __str__(self) -> str:
        return str(self.spec)


class _Number(Tensor):
    """A number of Python's own in an argument; so are the elements of a list of which this is the handle."""

    __slots__ = ()


class _Cell(Tensor):
    """An array without axes in an argument, where others are numbers of NumPy's."""

    __slots__ = ()


known_as_eager(_Number)
known_as_eager(_Cell)


class PyFunc(Op):
    """Calls a function of the program's with Python's and NumPy's values."""

    function: HostObject
    arguments: Nest
    """``(args, kwargs)``, with a slot for each value of the graph."""
    result: Nest
    """What it gives: a nest of `Given`."""

    is_core = True
    why_no_graphdef = "a function of the program's only exists in this process"
    samples = (
        Sample(
            (np.array(2.0),),
            {
                "function": HostObject("host", lambda x, y: x + y),
                "arguments": Nest(flatten(((0, 0), {}))[1], (Slot(), 1.0)),
                "result": Nest(flatten(0)[1], (Given(ArraySpec((), as_dtype(float))),)),
            },
        ),
    )

    @property
    def effects(self) -> Effects:
        return Effects.WRITES | Effects.PRINTS | Effects.CHECKS | Effects.RANDOM  # nobody knows

    def infer(self, *_: Spec) -> tuple[Spec, ...]:
        return tuple([given.spec for given in self.result.leaves])

    @cached_property
    def _forms(self) -> tuple[Fill, Callable[[Any], tuple[Array, ...]]]:
        return filling(self.arguments), _taking_apart(self.result, self.function.name)

    def kernel(self, *values: Any) -> tuple[Array, ...]:
        fill, take_apart = self._forms
        args, kwargs = fill(values)
        return take_apart(called(self.function.value, args, kwargs))


def called(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function of the program's gives. Exceptions that pass through here are the program's own."""
    return function(*args, **kwargs)


def called_method(own: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """What a method of an object of the run gives."""
    return getattr(own, name)(*args, **kwargs)


def order_of_shuffle(shuffle: Callable[[list[int]], None], count: Any) -> Array:
    """Where the items come from that a generator's shuffle puts into their places."""
    order = [*range(int(count))]
    shuffle(order)
    return np.asarray(order, np.int64)


def place_of_choice(draw: Callable[..., Any], length: Any, *args: Any, **kwargs: Any) -> Any:
    """Where the items are that a generator of Python's draws among as many."""
    return draw(range(int(length)), *args, **kwargs)


Fill: TypeAlias = Callable[[Sequence[Any]], "tuple[Sequence[Any], Mapping[str, Any]]"]
"""What makes the arguments of a call of its values."""


def filled(arguments: Nest, values: Sequence[Any]) -> Any:
    """The arguments of one call."""
    return filling(arguments)(values)


def filling(arguments: Nest) -> Fill:
    """What makes the arguments of one call after the other: their form is looked at once."""
    leaves = iter(arguments.leaves)
    positional, named = arguments.structure.children
    given = [_putting_together(child, leaves) for child in positional.children]
    by_name = [_putting_together(child, leaves) for child in named.children]

    def fill(values: Sequence[Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
        rest = iter(values)
        args = [each(rest) for each in given]
        return args, dict(zip(named.keys, [each(rest) for each in by_name], strict=True)) if by_name else {}

    return fill


def _putting_together(structure: Structure, leaves: Iterator[Any]) -> Callable[[Iterator[Any]], Any]:
    """What makes one argument, of the next leaves, from the next values."""
    parts = list(islice(leaves, structure.leaf_count))
    slot = parts[0] if len(parts) == 1 and isinstance(parts[0], Slot) else None
    if structure.kind is not None:
        is_object = slot is not None and _is_leaf(structure.children[0]) and not structure.shares
        level = Level(structure.kind, structure.keys, structure.extra)
        build = level.building() if is_object else None

        def put(values: Iterator[Any]) -> Any:
            if build is not None:
                value = next(values)
                if isinstance(value, Held):  # as an object of the run with methods
                    made = build((value,))
                    if type(made).__module__ in _NEVER_NESTS:
                        return made
                    return _constant(made) if level_of(made) is None else map_leaves(_constant, made)
                values = iter((value,))
            return _put_together(structure, iter(parts), values)

        return put
    if slot is None:
        constant = _constant(parts[0])
        return lambda _: constant
    is_number, is_array = slot.is_number, slot.is_array
    return lambda values: _plain(next(values), is_number, is_array)


def _is_leaf(structure: Structure) -> bool:
    return structure.kind is None


def _put_together(structure: Structure, leaves: Iterator[Any], values: Iterator[Any]) -> Any:
    """One argument, of the next leaves and values."""
    parts = list(islice(leaves, structure.leaf_count))
    if len(parts) == 1 and isinstance(parts[0], Slot):
        value = next(values)
        if isinstance(value, Held):  # as an object of the run with methods
            made = unflatten(structure, (value,))
            return _constant(made) if level_of(made) is None else map_leaves(_constant, made)
        values = iter((value,))

    def lent(part: Any) -> Any:
        if not isinstance(part, Slot):
            return part
        value = next(values)
        if isinstance(value, (Held, str, BaseException)):
            return value if isinstance(value, Held) else Held(value)
        return _Number(value) if part.is_number else _Cell(value) if part.is_array else Tensor(value)

    def plain(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return _constant(leaf)
        return _plain(leaf.numpy(), isinstance(leaf, _Number), isinstance(leaf, _Cell))

    found = [lent(part) for part in parts]
    made = with_attributes(lambda: unflatten(structure, found), partial(map_leaves, plain))
    return map_leaves(plain, made)


_NEVER_NESTS = frozenset(("numpy.random._generator", "numpy.random.mtrand", "random"))
"""Modules of classes whose instances hold nothing that a graph looks into: as most that are called."""


def _constant(leaf: Any) -> Any:
    """What stands in the arguments, as the function gets it."""
    return leaf.value if isinstance(leaf, (Held, HostObject)) else leaf


def _plain(value: Any, is_number: bool, is_array: bool) -> Any:
    """A value of the run, as the function gets it."""
    if isinstance(value, np.generic) and not is_array:  # as most are
        return value.item() if is_number else value
    if isinstance(value, Held):
        return value.value
    if isinstance(value, (str, BaseException)):
        return value
    array = Tensor(value).numpy()
    return array.item() if is_number else _for_reading(np.asarray(array) if is_array else array[()])


def _for_reading(value: Any) -> Any:
    """A value of the run that nobody is to write to: other values may lie in its memory."""
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _taking_apart(result: Nest, name: str) -> Callable[[Any], tuple[Array, ...]]:
    """What makes values of a run of what a function gives."""
    if result.structure.kind is None:
        given = result.leaves[0]
        if given.spec == _FLOAT:  # as most draws and clocks give
            number: Callable[[float], Any] = np.float64
            return lambda found: (number(found) if type(found) is float else _fitted(found, given, name),)
        return lambda found: (_fitted(found, given, name),)

    def take_apart(found: Any) -> tuple[Array, ...]:
        leaves, structure = flatten(found)
        if structure != result.structure:
            wanted = str(result.structure) if result.leaves else "no result"
            raise ResultDisagrees(f"{name}() gave {_described(found)}, where the graph has {wanted}")
        return tuple([_fitted(leaf, given, name) for leaf, given in zip(leaves, result.leaves, strict=True)])

    return take_apart


def _fitted(value: Any, given: Given, name: str) -> Any:
    """A value as the spec says that it is."""
    spec = given.spec
    if isinstance(spec, ObjectSpec):
        return Held(value)
    if isinstance(spec, TextSpec):
        if isinstance(value, str):
            return str(value)
    elif isinstance(spec, ArraySpec) and isinstance(
        value, (bool, int, float, complex, np.generic, np.ndarray)
    ):
        array = np.array(value)  # a copy: the function may keep its array, and write to it
        is_fitting = isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic)
        if is_fitting and array.dtype.kind in "biufc":
            is_fitting = _KINDS.index(array.dtype.kind) <= _KINDS.index(spec.dtype.numpy.kind)
            array = array.astype(spec.dtype.numpy) if is_fitting else array
        if array.dtype == spec.dtype.numpy and shapes.contains(spec.shape, array.shape):
            return array
    raise ResultDisagrees(f"{name}() gave {_described(value)}, where the graph has {given}")


_FLOAT = ArraySpec((), as_dtype(float))
_KINDS = "biufc"
"""Kinds of numbers, each of which the next ones hold."""


def _described(value: Any) -> str:
    """A value in a message, by its kind."""
    if isinstance(value, (np.ndarray, np.generic)):
        with_known_dtype = value.dtype.kind in "biufc"
        return str(ArraySpec(value.shape, as_dtype(value.dtype))) if with_known_dtype else repr(value)
    return f"{value!r} ({type(value).__name__})"


def host_call(function: Callable[..., Any], /, *args: Any, result: Any = None, **kwargs: Any) -> Any:
    """Calls a function of Python's when the code runs: in a graph, on every run, in program order.

    Parameters
    ----------
    function : callable
        Any function, also one that reads the world or changes it. It gets values of NumPy and Python, as in
        plain Python; arrays are for reading. It is not converted.
    *args, **kwargs
        What it is called with: tensors, and anything else. Lists, tuples and dicts are handed over as they
        are at the call: the function gets others with the same content.
    result : nest of TensorSpec, dtype or type, optional
        What it gives: an `rt.TensorSpec` for an array, a dtype for a scalar of NumPy's, `bool`, `int`,
        `float`, `complex` or `str` for a value of Python's own, `object` for any other one; or a list, tuple
        or dict of these. By default None.

    Returns
    -------
    object
        What the function gives.

    Raises
    ------
    ResultDisagrees
        When the function gives something else than it was said to.

    Notes
    -----
    What the function raises leaves the graph as it is. TensorFlow's names are `tf.numpy_function` and
    `tf.py_function`.

    Examples
    --------
    >>> import runtime as rt
    >>> host_call(max, rt.asarray([1.0, 3.0]), result=rt.float64)
    <Tensor: shape=(), dtype=float64, numpy=3.0>
    """
    if not callable(function):
        raise InvalidValue(f"{function!r} cannot be called", way_out="Give a function.")
    wanted = givens(result)
    if current_builder() is not None:
        return recorded(function, args, kwargs, wanted)
    arguments, values = template((args, kwargs))
    given, named = filled(
        arguments, [value.numpy() if isinstance(value, Tensor) else value for value in values]
    )
    found = function(*given, **named)
    parts = _taking_apart(wanted, _name(function))(found)
    if not values:  # plain Python
        return found
    leaves = [_eager(*pair) for pair in zip(parts, wanted.leaves, strict=True)]
    return unflatten(wanted.structure, leaves)


def _eager(value: Any, given: Given) -> Any:
    if isinstance(value, Held):
        return value.value
    return Tensor(value) if isinstance(given.spec, ArraySpec) else value


def recorded(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], result: Nest, name: str = ""
) -> Any:
    """The nest of what a call in the graph that is being built gives.

    Parameters
    ----------
    function : callable
    args, kwargs
        Its arguments, with values of the graph among them.
    result : Nest of Given
    name : str, optional
        What the graph calls the function.
    """
    builder = builder_in_use()
    arguments, values = template((tuple(args), dict(kwargs)))
    op = PyFunc(HostObject(name or _name(function), function), arguments, result)
    outputs = bind_all(op, *values)
    for output, given in zip(outputs, result.leaves, strict=True):
        if given.is_number and isinstance(output, Symbol):
            builder.context.weak.add(output.value)
    return unflatten(result.structure, list(outputs))


def _name(function: Any) -> str:
    found = getattr(function, "__name__", None) or type(function).__name__
    return str(found)


def template(arguments: Any) -> tuple[Nest, list[Any]]:
    """Arguments with a slot for each value of the graph, and these values."""
    values: list[Any] = []

    def part(leaf: Any) -> Any:
        leaf = leaf.error if type(leaf) is _Whole else leaf
        caught = getattr(leaf, CAUGHT, None) if isinstance(leaf, BaseException) else None
        if caught is None and not is_value(leaf):
            return HostArray("ndarray", leaf) if type(leaf) is np.ndarray else plain_data(leaf)
        values.append(as_tensor(leaf) if caught is None else caught)
        return slot_of(values[-1])

    leaves, structure = flatten(_with_whole(arguments))
    return Nest(structure, tuple(map(part, leaves))), values


class _Whole:  # no dataclass, which would be taken apart
    """An exception that the graph has caught, which is handed on as it is, with its traceback."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _with_whole(arguments: Any) -> Any:
    """Arguments in which exceptions that the graph has caught are not taken apart."""
    if type(arguments) in {list, tuple}:
        return type(arguments)(map(_with_whole, arguments))
    if type(arguments) is dict:
        return {key: _with_whole(each) for key, each in arguments.items()}
    is_caught = isinstance(arguments, BaseException) and hasattr(arguments, CAUGHT)
    return _Whole(arguments) if is_caught else arguments


def givens(result: Any) -> Nest:
    """What a function is said to give, as a nest of `Given`.

    Raises
    ------
    InvalidValue
        When it says nothing of a value.
    """
    leaves, structure = flatten(result)
    return Nest(structure, tuple(map(_given, leaves)))


_PYTHON = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}


def _given(leaf: Any) -> Given:
    if isinstance(leaf, TensorSpec):
        return Given(leaf.plain)
    if isinstance(leaf, Spec):
        return Given(leaf)
    if leaf is str:
        return Given(TextSpec())
    if leaf is object:
        return Given(ObjectSpec())
    if inspect.isclass(leaf) and leaf in _PYTHON:
        return Given(ArraySpec((), as_dtype(_PYTHON[leaf])), is_number=True)
    try:
        return Given(ArraySpec((), as_dtype(leaf)))
    except Error:
        raise InvalidValue(
            f"result={leaf!r} does not say what the function gives",
            way_out="Give an `rt.TensorSpec`, a dtype, `bool`, `int`, `float`, `complex`, `str` or `object`, "
            "or a nest of these.",
        ) from None
