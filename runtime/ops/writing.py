"""Writing into arrays while a graph is built: `x[key] = value`, ``x += y``, and all that is made of those.

An array of a graph is a value that never changes, and a name for what the program's array holds now
(`runtime.graph.arrays`). A write makes a new value and has the array hold it. Written to a view, the value
goes back into what the view shows a part of, and so on up to the array itself.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any, NoReturn

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, int64
from runtime.core.shapes import text
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.tracing import tracing
from runtime.errors import ImmutableTensor, ShapeError, StateDisagrees
from runtime.graph.arrays import Arrays, Unknown
from runtime.graph.build import as_tensor, bind, builder_in_use, is_strict, is_weak, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.refusals import of_arrays
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Tie
from runtime.ops.casting import Cast, ToInteger
from runtime.ops.families import Elementwise, Reduction
from runtime.ops.refused_calls import asked
from runtime.ops.slicing.cutting import StridedSlice
from runtime.ops.ties import follow, is_element, ways_of

__all__ = [
    "as_array_of_its_own",
    "as_element",
    "as_elements",
    "can_write",
    "copied",
    "flat",
    "is_array",
    "is_number",
    "lose",
    "note_of_tensors",
    "overwrite",
    "refuse_taken_array",
    "set_give_way",
    "target",
    "update_in_place",
    "write_item",
]


def is_array(x: Any) -> bool:
    """Whether `x` is a tensor of the graph that is being built which stands for an array.

    It has axes, or NumPy gives an array without any for what made it, as `np.asarray` does of a number. The
    characters of a string of Python's are none, though they have an axis.
    In graphs that refuse what TensorFlow refuses there are none: tensors there never change.
    """
    builder = tracing.builder
    if type(x) is not Symbol or builder is None or builder.strict:
        return False
    value = x.value
    return (
        isinstance(value.spec, ArraySpec)
        and value not in builder.context.weak
        and builder.arrays.is_array(value)
    )


def is_number(x: Tensor) -> bool:
    """Whether a tensor without axes is known to be a number: what NumPy computes, and items of arrays.

    What functions of tensors give is none, nor is what is computed of that.
    """
    builder = tracing.builder
    if type(x) is not Symbol or builder is None or x.static_shape != () or is_array(x):
        return False
    pending, seen = [x.value], set[Value]()
    for value in pending:  # which grows
        if value in builder.arrays.of_tensors:
            return False
        if isinstance(value.node.op, Elementwise):
            pending += [each for each in value.node.inputs if each not in seen]
            seen.update(value.node.inputs)
    return isinstance(x.value.node.op, Elementwise | Reduction | StridedSlice)


def note_of_tensors(x: Any) -> None:
    """Says that a function of tensors has given this."""
    builder = tracing.builder
    if builder is not None and type(x) is Symbol and isinstance(x.spec, ArraySpec) and x.static_shape == ():
        builder.arrays.of_tensors.add(x.value)


def as_array_of_its_own(x: Tensor) -> Tensor:
    """A number of a graph as an array without axes, which may be written into; any other tensor itself."""
    builder = tracing.builder
    if type(x) is not Symbol or builder is None or builder.strict or x.static_shape != () or is_array(x):
        return x
    made = bind(Cast(x.dtype), x)
    assert isinstance(made, Symbol), "a graph is being built"
    builder.arrays.without_axes.add(made.value)
    return made


def copied(x: TensorLike) -> Tensor:
    """`x` as an array of its own, in a graph."""
    tensor = as_tensor(x)
    return bind(Cast(tensor.dtype), tensor) if is_array(tensor) else tensor


_give_way: Callable[[Any], Symbol] | None = None


def set_give_way(give_way: Callable[[Any], Symbol]) -> None:
    """Says which array of the graph takes the place of an array of NumPy's that is to be written to."""
    global _give_way  # noqa: PLW0603  # set once, at import: runtime knows of no program that reads arrays
    _give_way = give_way


def target(x: Any) -> Symbol:
    """The array of the graph that is written to where a program writes to `x`.

    Raises
    ------
    ImmutableTensor
        When no array of the graph is in its place.
    """
    if is_array(x) or (type(x) is Symbol and not is_strict()):
        return x  # type: ignore[no-any-return]  # a symbol
    if isinstance(x, (np.ndarray, Tensor)) and _give_way is not None and can_write():
        return _give_way(x)
    raise ImmutableTensor(
        f"`{type(x).__name__}` was to be changed, which is no array of the graph that is being built",
        why="A tensor never changes, and an array cannot hold what only the run knows.",
        way_out="Use what the function returns, or convert the function with AutoGraph.",
    )


def can_write() -> bool:
    """Whether a graph is being built whose arrays may be written to."""
    return tracing.builder is not None and not tracing.builder.strict


def write_item(x: Tensor, key: Any, value: TensorLike) -> None:
    """``x[key] = value``, seen by everybody who has the array."""
    with asked(operator.setitem, (x, key, value)):
        value = as_element(x, key, _read_by_numpy(x, value))
        whole = _behind_flat(x)
        if whole is None:
            overwrite(x, ops.set_item(x, key, value))
        else:
            line = ops.set_item(ops.reshape(whole, (-1,)), key, value)
            overwrite(whole, ops.reshape(line, ops.shape(whole)))


def _read_by_numpy(x: Tensor, value: Any) -> Any:
    """What NumPy makes of a text, or of None, that is put into an array; anything else as it is.

    Raises
    ------
    Exception
        NumPy's own, where it reads no number there.
    """
    if not isinstance(value, str | bytes | None) or is_strict():
        return value
    element = np.empty((), x.dtype.numpy)
    element[()] = value
    return element[()]


def as_element(x: Tensor, key: Any, value: TensorLike) -> TensorLike:
    """A number as the integer that NumPy asks it for, where it is set among integers.

    NumPy asks Python's numbers by `int`, and its own where no array is in the key and the integers have
    signs. Arrays are cast, and say of NaN only that it is invalid. Of a list it asks for one number after the
    other.
    """
    if not x.dtype.is_integer:
        return value
    if isinstance(value, list | tuple):
        return [_cast_element(x, as_element(x, (), each)) for each in value]
    if type(value) is not Symbol or value.static_shape != () or is_array(value):
        return value
    if not is_weak(value) and (x.dtype.kind == "u" or ops.is_advanced(key)):
        return value
    if value.dtype.is_floating:
        return _require_fits(x, bind(ToInteger(int64), value))
    return _require_fits(x, value) if value.dtype.is_integer else value


def as_elements(number: Tensor, to: DType) -> Tensor:
    """A tensor as elements of a dtype; a number of Python's among integers is what `int` gives."""
    if to.is_integer and number.dtype is not to and is_weak(number):
        if number.dtype.is_floating and number.static_shape == ():
            number = bind(ToInteger(int64), number)
        if number.dtype.is_integer:
            ops.check_fits(number, to)
    return ops.cast(number, to)


def _require_fits(x: Tensor, whole: Tensor) -> Tensor:
    """An integer that the run checks to fit into the dtype of an array."""
    wanted, given = np.iinfo(x.dtype.numpy), np.iinfo(whole.dtype.numpy)
    message = f"Python integer {{0}} out of bounds for {x.dtype.name}"
    if given.max > np.iinfo(np.int64).max > wanted.min < 0:
        fits = ops.less_equal(whole, int(np.iinfo(np.int64).max))
        ops.core.check(fits, "OverflowError", "Python int too large to convert to C long")
    bounds = []
    if given.min < wanted.min:
        bounds.append(ops.greater_equal(whole, int(wanted.min)))
    if given.max > wanted.max and wanted.max < np.iinfo(np.int64).max:
        bounds.append(ops.less_equal(whole, int(wanted.max)))
    if bounds:
        ops.core.check(reduce(ops.logical_and, bounds), "OverflowError", message, whole)
    return whole


def _cast_element(x: Tensor, value: Any) -> Any:
    """An item of a list as NumPy casts it that writes it; it may be a row."""
    if isinstance(value, list):
        return value
    if isinstance(value, Tensor):
        return ops.cast(value, x.dtype)
    element = np.empty(np.shape(value), x.dtype.numpy)
    element[...] = value
    return element[()]


def flat(x: Tensor) -> Tensor:
    """The elements along one axis, row by row: what is written into them is written into `x`."""
    line = ops.reshape(x, (-1,))
    builder = tracing.builder
    if builder is not None and is_array(x) and isinstance(x, Symbol) and isinstance(line, Symbol):
        arrays = builder.arrays
        if arrays.root(line.value) is not arrays.root(x.value):
            arrays.flat[arrays.identity(line.value)] = arrays.identity(x.value)
    return line


def _behind_flat(x: Tensor) -> Symbol | None:
    """The array of which this is all that there is, along one axis."""
    builder = tracing.builder
    if builder is None or not isinstance(x, Symbol) or not builder.arrays.flat:
        return None
    whole = builder.arrays.flat.get(builder.arrays.identity(x.value))
    return None if whole is None else Symbol(whole)


def overwrite(x: Tensor, value: Tensor) -> None:
    """Has the array or the view `x` hold a value of its shape and dtype.

    Raises
    ------
    ValueError
        When it is a view that nobody may write to.
    StateDisagrees
        When it is an element of a list of the graph.
    """
    builder = builder_in_use()
    assert isinstance(x, Symbol), "others never change"
    _overwrite(builder, builder.arrays.identity(x.value), value)


def lose(x: Symbol, held: Unknown) -> None:
    """Says that only the run knows what an array holds, as where another graph has left it."""
    builder = builder_in_use()
    builder.arrays.lose(builder.arrays.root(x.value), held.where, by_turns=held.by_turns)


def _overwrite(builder: Builder, array: Value, value: Tensor) -> None:
    if array in builder.arrays.may_be_numbers:
        _refuse_number()
    root = builder.arrays.root(array)
    ways = ways_of(builder, root)
    _put(builder, array, value)
    follow(builder, ways, _put)


def _put(builder: Builder, array: Value, value: Tensor) -> None:
    arrays = builder.arrays
    base = arrays.base(array)
    if base is None:
        _refuse_elements(arrays, array)
        arrays.hold(array, _of_its_own(builder, arrays, value))
        return
    whole = arrays.identity(base)  # the view may be one of what that held before
    op = array.node.op
    if op.put_back is None:  # an input that stands for a value of a graph around
        _put(builder, whole, value)
        return
    rest = [Symbol(each) for each in array.node.inputs[1:]]
    _put(builder, whole, op.put_back(array.index, Symbol(whole), value, *rest))


def _of_its_own(builder: Builder, arrays: Arrays, value: Tensor) -> Value:
    """A value that nothing else is known by."""
    found = value_in(builder, value)
    is_new = bool(builder.nodes) and found.node is builder.nodes[-1]
    if is_new and arrays.base(found) is None and not arrays.is_known(found):
        return found
    return value_in(builder, bind(Cast(value.dtype), Symbol(found)))


def _refuse_number() -> NoReturn:
    raise StateDisagrees(
        "what is an array without axes on some paths, and a number on others, is changed in place",
        why="Every name of the array would show the change, while a number never changes.",
        way_out="Write `x = x + y` for `x += y`, or give the array an axis.",
    )


def _refuse_elements(arrays: Arrays, array: Value) -> None:
    if array in arrays.listed or (arrays.listed and not arrays.listed.isdisjoint(arrays.kin(array))):
        raise of_arrays(
            StateDisagrees(
                "an array was written to that was put into a list of the graph before, or a view of it",
                details=["in a loop, that may have been in the turn before"],
                why="The list holds what the array held then, and in Python it holds the array.",
                way_out="Put a copy into the list: `items.append(x.copy())`.",
            )
        )
    if array in arrays.taken:
        refuse_taken_array()
    if is_element(array):
        raise of_arrays(
            StateDisagrees(
                "an array was written to that is in a list of the graph",
                why="A tensor decides how long the list is, so what is in it are values.",
                way_out="Put the changed array back: `items[i] = changed`.",
            )
        )


def refuse_taken_array() -> NoReturn:
    """Says that the graph does not hold an array that is written to, but what was in it."""
    raise of_arrays(
        StateDisagrees(
            "an array was written to that is a constant of the graph",
            why="A loop or a branch took it from an array of NumPy's, as it was then.",
            way_out="Write to the array by its index: `x[i, j] = value`.",
        )
    )


def update_in_place(x: Tensor, name: str, result: Any) -> Any:
    """What ``x += y`` leaves in the name, where `result` is what ``x + y`` gives: the same array.

    Raises
    ------
    ShapeError
        When the result has another shape.
    DTypeError
        When it is of a higher kind.
    """
    if result is NotImplemented:
        return result
    if not shapes.compatible(result.static_shape, x.static_shape):
        raise ShapeError(
            f"an array of shape {text(x.static_shape)} would become one of {text(result.static_shape)}",
            why="It changes the array in place, as in NumPy.",
            way_out="Write `x = x + y` for `x += y`, which makes another array.",
        )
    ops.require_castable(f"`{name}`", result.dtype, x.dtype)
    if _may_be_number(x):
        return _bound_anew(x, ops.cast(result, x.dtype))
    if result.static_shape != x.static_shape:
        write_item(x, Ellipsis, result)  # which asks in the run whether the shapes agree
    else:
        overwrite(x, ops.cast(result, x.dtype))
    return x


def _may_be_number(x: Tensor) -> bool:
    """Whether what is an array without axes is a number on some paths."""
    arrays = builder_in_use().arrays
    return isinstance(x, Symbol) and arrays.identity(x.value) in arrays.may_be_numbers


def _bound_anew(x: Tensor, value: Tensor) -> Tensor:
    """What ``x += y`` leaves in the name, where `x` may be a number: then other names for it keep that.

    Where it is an array, they have what was written. So do all that it is known to be one with; of what has
    no name but that of `x`, nobody knows.
    """
    builder = builder_in_use()
    arrays = builder.arrays
    assert isinstance(x, Symbol), "others never change"
    array = arrays.identity(x.value)
    ways, ties = ways_of(builder, array), arrays.all_ties().get(array, {})
    _put(builder, array, value)
    follow(builder, ways, _put)
    made = bind(Cast(value.dtype), value)
    assert isinstance(made, Symbol), "a graph is being built"
    arrays.without_axes.add(made.value)
    arrays.may_be_numbers.add(made.value)
    for other, known in ties.items():
        for tie in known or [None]:
            arrays.may_be_same(made.value, other, tie and _of_another(tie, array, made.value))
    arrays.lose(array, caller_location())
    return made


def _of_another(tie: Tie, array: Value, now: Value) -> Tie:
    """When another array is the one that an array was."""
    chosen, shown = [now if each is array else each for each in (tie.chosen, tie.shown)]
    return tie._replace(chosen=chosen, shown=shown)
