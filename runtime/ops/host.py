"""Calls of functions of the program's when the graph runs: `host_call`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from runtime.core import records, shapes
from runtime.core.dataclass import dataclass
from runtime.core.dtypes import as_dtype
from runtime.core.spec import ArraySpec, ObjectSpec, Spec, TensorSpec, TextSpec
from runtime.core.structure import Structure, flatten, level_of, map_leaves, unflatten
from runtime.core.tensor import Array, Tensor
from runtime.core.text import Slot
from runtime.errors import Error, InvalidValue, ResultDisagrees
from runtime.graph.build import as_tensor, bind_all, current_builder, is_weak
from runtime.graph.op import Effects, Op
from runtime.graph.resources import HostObject
from runtime.graph.symbol import Symbol
from runtime.ops.facts import Sample
from runtime.ops.raising import CAUGHT, Nest, is_value, plain_data

__all__ = ["PyFunc", "host_call"]


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

    def kernel(self, *values: Any) -> tuple[Array, ...]:
        args, kwargs = filled(self.arguments, values)
        return _taken_apart(called(self.function.value, args, kwargs), self.result, self.function.name)


def called(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function of the program's gives. Exceptions that pass through here are the program's own."""
    return function(*args, **kwargs)


def filled(arguments: Nest, values: Sequence[Any]) -> Any:
    """The arguments of one call."""
    leaves, rest = iter(arguments.leaves), iter(values)
    positional, named = arguments.structure.children
    given = tuple([_put_together(child, leaves, rest) for child in positional.children])
    if not named.keys:
        return given, {}
    return given, {
        key: _put_together(child, leaves, rest) for key, child in zip(named.keys, named.children, strict=True)
    }


def _put_together(structure: Structure, leaves: Iterator[Any], values: Iterator[Any]) -> Any:
    """One argument, of the next leaves and values."""
    if structure.kind is None:  # as most are
        part = next(leaves)
        return _plain(next(values), part.is_number) if isinstance(part, Slot) else _constant(part)
    parts = list(islice(leaves, structure.leaf_count))
    if len(parts) == 1 and isinstance(parts[0], Slot):
        value = next(values)
        if isinstance(value, Held):  # as an object of the run with methods
            made = unflatten(structure, (value,))
            return _constant(made) if level_of(made) is None else map_leaves(_constant, made)
        values = iter((value,))
    numbers: list[Tensor] = []

    def lent(part: Any) -> Any:
        if not isinstance(part, Slot):
            return part
        value = next(values)
        if isinstance(value, (Held, str, BaseException)):
            return value if isinstance(value, Held) else Held(value)
        tensor = Tensor(value)
        if part.is_number:
            numbers.append(tensor)
        return tensor

    def plain(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return _constant(leaf)
        return _plain(leaf.numpy(), any(leaf is number for number in numbers))

    return map_leaves(plain, unflatten(structure, list(map(lent, parts))))


def _constant(leaf: Any) -> Any:
    """What stands in the arguments, as the function gets it."""
    return leaf.value if isinstance(leaf, (Held, HostObject)) else leaf


def _plain(value: Any, is_number: bool) -> Any:
    """A value of the run, as the function gets it."""
    if isinstance(value, np.generic):  # as most are
        return value.item() if is_number else value
    if isinstance(value, Held):
        return value.value
    if isinstance(value, (str, BaseException)):
        return value
    array = Tensor(value).numpy()
    return array.item() if is_number else _for_reading(array[()])


def _for_reading(value: Any) -> Any:
    """A value of the run that nobody is to write to: other values may lie in its memory."""
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _taken_apart(found: Any, result: Nest, name: str) -> tuple[Array, ...]:
    """What a function gave, as values of a run."""
    if result.structure.kind is None:
        return (_fitted(found, result.leaves[0], name),)
    leaves, structure = flatten(found)
    if structure != result.structure:
        wanted = str(result.structure) if result.leaves else "no result"
        raise ResultDisagrees(f"{name}() gave {_described(found)}, where the graph has {wanted}")
    return tuple([_fitted(leaf, given, name) for leaf, given in zip(leaves, result.leaves, strict=True)])


def _fitted(value: Any, given: Given, name: str) -> Any:
    """A value as the spec says that it is."""
    spec = given.spec
    if type(value) is float and (spec is _FLOAT or spec == _FLOAT):  # as most draws and clocks give
        return np.float64(value)
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
    parts = _taken_apart(found, wanted, _name(function))
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
    builder = current_builder()
    assert builder is not None, "a call is recorded while a graph is built"
    arguments, values = template((tuple(args), dict(kwargs)))
    op = PyFunc(HostObject(name or _name(function), function), arguments, result)
    outputs = bind_all(op, *values)
    for output, given in zip(outputs, result.leaves, strict=True):
        if given.is_number and isinstance(output, Symbol):
            builder.weak.add(output.value)
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
            return plain_data(leaf)
        values.append(as_tensor(leaf) if caught is None else caught)
        return Slot(is_number=is_weak(values[-1]))

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
