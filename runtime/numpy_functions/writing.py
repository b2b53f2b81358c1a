"""What NumPy writes into: `out=`, `ufunc.at`, and functions and methods that change their first argument.

An array of a graph that is being built is changed for everybody who has it (`runtime.ops.writing`); one
of NumPy's gives way to one. A tensor that has its value never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, as_dtype, bool_, float16
from runtime.core.shapes import normalise_axis
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind, current_builder, is_weak
from runtime.graph.symbol import Symbol
from runtime.numpy_functions.operands import cast_unsafely, known_rank, mask_of, strong
from runtime.ops.arguments import checked_axis, mode_of
from runtime.ops.at import Part
from runtime.ops.casting import Cast
from runtime.ops.products import LOWERCASE, UPPERCASE
from runtime.ops.sorting import Sort, kind_of_order
from runtime.ops.updating.combining import Casting

__all__ = [
    "AT",
    "METHODS",
    "WRITERS",
    "as_equation",
    "casting_of",
    "dtype_of_sums",
    "fills_in_place",
    "own",
    "permutation",
    "shows_memory",
    "store_at",
    "stored",
]

VIEWS = frozenset(
    {
        *(
            np.asarray,
            np.asanyarray,
            np.ascontiguousarray,
            np.atleast_1d,
            np.atleast_2d,
            np.atleast_3d,
            np.broadcast_arrays,
            np.broadcast_to,
            np.diag,
        ),
        *(np.diagonal, np.expand_dims, np.flip, np.fliplr, np.flipud, np.moveaxis, np.ravel, np.real),
        *(np.imag, np.reshape, np.rollaxis, np.rot90, np.split, np.array_split, np.hsplit, np.vsplit),
        *(np.dsplit, np.squeeze, np.swapaxes, np.transpose, np.trim_zeros, np.linalg.diagonal),
        *(getattr(np, name) for name in ("matrix_transpose", "permute_dims", "unstack") if hasattr(np, name)),
    }
)
"""Functions that show the memory of their argument; all others give arrays of their own."""


_COPYING = frozenset({np.array, np.meshgrid, getattr(np, "astype", None)})
"""Functions that show the memory of their argument where they are asked for no copy."""


ARRAYS = frozenset(
    {
        *(np.array, np.asarray, np.asanyarray, np.copy, np.empty_like, np.full, np.full_like, np.ones_like),
        *(np.block, np.broadcast_to, np.cov, np.isin, np.pad, np.roll, np.squeeze, np.tensordot, np.where),
        np.zeros_like,
    }
)
"""Functions that give an array of NumPy's where it has no axes, too: others give a number then."""


def shows_memory(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call gives an array whose memory is that of an argument."""
    if function in _COPYING:
        return not kwargs.get("copy", True)
    if function is np.einsum:
        return shows_operand(*as_equation(args))
    return function in VIEWS and not kwargs.get("copy")


def fills_in_place(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call gives back its first argument, changed: ``np.nan_to_num(x, copy=False)``."""
    return function is np.nan_to_num and not kwargs.get("copy", args[1] if len(args) > 1 else True)


def as_equation(operands: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """What ``np.einsum(x, [0, 1], y, [1, 2], [0, 2])`` says, as an equation and its operands."""
    if isinstance(operands[0], str):
        return operands[0], operands[1:]
    equation = ",".join(map(_letters, operands[1::2]))
    if len(operands) % 2:
        return f"{equation}->{_letters(operands[-1])}", operands[:-1:2]
    return equation, operands[::2]


def _letters(axes: Sequence[Any]) -> str:
    """The letters that stand for numbered axes, in the order of their numbers."""
    alphabet = UPPERCASE + LOWERCASE
    wrong = [axis for axis in axes if axis is not ... and axis not in range(len(alphabet))]
    if wrong:
        raise InvalidValue(
            f"{wrong[0]} numbers no axis for `np.einsum`", way_out="Give numbers from 0 to 51."
        )
    return "".join(["..." if axis is ... else alphabet[axis] for axis in axes])


def permutation(equation: str) -> tuple[int, ...] | None:
    """The order in which `np.einsum` shows the axes of one operand; None where it does something else."""
    axes, wanted = _sides(equation)
    is_order = axes.isalpha() and len(set(axes)) == len(axes) and sorted(axes) == sorted(wanted)
    return tuple(map(axes.index, wanted)) if is_order else None


def shows_operand(equation: str, operands: Sequence[Any]) -> bool:
    """Whether `np.einsum` computes nothing: it gives a view, of a diagonal perhaps."""
    axes, wanted = _sides(equation)
    return len(operands) == 1 and set(axes) == set(wanted)


def _sides(equation: str) -> tuple[str, str]:
    """The axes of what `np.einsum` takes, and those of what it gives, where it is told of that or not."""
    axes, arrow, wanted = "".join(equation.split()).partition("->")
    if not arrow:
        letters = sorted({each for each in axes if each.isalpha() and axes.count(each) == 1})
        wanted = "".join(["..." if "..." in axes else "", *letters])
    return axes, wanted


def own(result: Any, made_before: int) -> Any:
    """A result as NumPy gives it: arrays of their own, which the arguments know nothing of.

    Parameters
    ----------
    result : nest of lists and tuples
    made_before : int
        How many nodes there were in the graph before.
    """
    if type(result) in {tuple, list}:
        return type(result)([own(each, made_before) for each in result])
    builder = current_builder()
    if builder is None or not ops.is_array(result):
        return result
    value, arrays = result.value, builder.arrays
    if not any(node is value.node for node in builder.nodes[made_before:]):
        return bind(Cast(result.dtype), result)
    if arrays.base(value) is not None:
        arrays.make_own(value)
    return result


def stored(name: str, out: Any, result: Any, *, where: Any = True, casting: Casting = "same_kind") -> Any:
    """What a function gives with `out=`: the array, which holds the result.

    Raises
    ------
    DTypeError
        When the rule of casting does not let the result into the array.
    """
    array = ops.target(out)
    tensor = as_tensor(result)
    if casting == "equiv" and tensor.dtype != array.dtype:
        raise DTypeError(
            f"`{name}` gives {tensor.dtype.name}, and its `out=` is an array of {array.dtype.name}",
            why="NumPy computes in the dtype of `out`, where it does not refuse it.",
            way_out=f"Write `out[...] = {name}(…)`.",
        )
    rule: Casting = "unsafe" if _is_cast_whatever_it_is(name, tensor.dtype, array.dtype) else casting
    ops.require_castable(name, tensor.dtype, array.dtype, rule)
    if where is not True:
        # what stays is never cast: a result may be of a dtype that holds less than the array
        tensor = ops.where(where, ops.cast(tensor, array.dtype), array)
    ops.write_item(array, Ellipsis, tensor)
    return array


def _is_cast_whatever_it_is(name: str, found: DType, kept: DType) -> bool:
    """Whether NumPy writes a sum or a product into an array of any dtype: a float into integers, too.

    Where it warns of imaginary parts, or goes on from what it has cast to a truth value, the rule of the
    others holds.
    """
    goes_on = kept is bool_ and name not in _WHOLE_SUMS
    return name in _SUMS and not goes_on and (kept.kind == "c" or found.kind != "c")


def dtype_of_sums(name: str, x: Any, out: Any) -> dict[str, Any]:
    """The `dtype=` that an array to write into gives to what adds or multiplies elements up, as in NumPy.

    The array counts as an operand: floats are added with as many bits as the wider of the two has.
    """
    given, wanted = strong(x).dtype, ops.target(out).dtype
    if name not in _MEANS | _SUMS or given == wanted:
        return {}
    if name in _MEANS and (given.kind not in "fc" or given is float16):  # these are added in another dtype
        return {}
    return {"dtype": as_dtype(np.promote_types(given.numpy, wanted.numpy))}


def casting_of(name: str) -> Casting:
    """Which results of a function may go into an array of another dtype.

    Those that NumPy casts when it has computed them. The others it computes in the dtype of the array, partly
    or wholly, or refuses.
    """
    return "same_kind" if name in _SUMS | _MEANS | _CAST_AFTERWARDS else "equiv"


_SUMS = frozenset(
    {
        *("np.add.reduce", "np.add.accumulate", "np.multiply.reduce", "np.multiply.accumulate"),
        *("np.sum", "np.prod", "np.cumsum", "np.cumprod", "np.cumulative_sum", "np.cumulative_prod"),
        *("np.nansum", "np.nanprod", "np.nancumsum", "np.nancumprod", "np.trace"),
    }
)
_WHOLE_SUMS = frozenset(
    {"np.add.reduce", "np.multiply.reduce", "np.sum", "np.prod", "np.nansum", "np.nanprod", "np.trace"}
)
_MEANS = frozenset({"np.mean", "np.nanmean"})
_CAST_AFTERWARDS = frozenset(
    {
        *("np.max", "np.amax", "np.min", "np.amin", "np.nanmax", "np.nanmin", "np.all", "np.any"),
        *("np.clip", "np.fix", "np.isposinf", "np.isneginf", "np.outer"),
        *("np.choose", "np.concatenate", "np.stack"),
    }
)

AT: Mapping[np.ufunc, Callable[[Part, Any], Tensor]] = {
    np.add: Part.add,
    np.subtract: Part.subtract,
    np.multiply: Part.multiply,
    np.divide: Part.divide,
    np.power: Part.power,
    np.minimum: Part.min,
    np.maximum: Part.max,
}
"""Ufuncs whose `at` is a method of ``x.at[key]``."""


def store_at(ufunc: np.ufunc, x: Any, key: Any, *values: Any) -> None:
    """`ufunc.at(x, key, value)`: the elements of `x` computed with, as often as `key` names them.

    Raises
    ------
    InvalidValue
        When there is no such update of a graph.
    """
    if ufunc not in AT or len(values) != 1:
        raise InvalidValue(
            f"`np.{ufunc.__name__}.at` of an array of a graph",
            why="No op computes with an element as often as it is named.",
            way_out=f"Write `x[key] = np.{ufunc.__name__}(x[key], …)` where no element is named twice.",
        )
    array = ops.target(x)
    ops.overwrite(array, AT[ufunc](Part(array, key), values[0]))


# ── functions ──


def _copyto(dst: Any, src: Any, casting: Casting = "same_kind", where: Any = True) -> None:
    array, value = ops.target(dst), strong(src)
    if not (is_weak(src) and value.dtype.kind in ops.kinds_up_to(array.dtype)):
        ops.require_castable("np.copyto", value.dtype, array.dtype, casting)
    _replace(array, cast_unsafely(src, array.dtype), mask_of(where))


def _replace(array: Symbol, value: Any, where: Any) -> None:
    """The elements where a mask holds, or all."""
    tensor = ops.broadcast_to(ops.cast(as_tensor(value), array.dtype), ops.shape(array))
    ops.overwrite(array, tensor if where is True else ops.where(where, tensor, array))


def _put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    array, places = ops.target(a), ops.flatten(strong(ind))
    values, mode = ops.flatten(strong(v, array.dtype)), mode_of(mode)
    if mode != "raise":
        count = ops.count_elements(array)
        places = places % count if mode == "wrap" else ops.clip(places, 0, count - 1)
    _write_in_line(array, places, _cycled(values, ops.count_elements(places)))


def _write_in_line(array: Symbol, key: Any, values: Any) -> None:
    """Writes into elements of an array that are counted row by row, however they lie in memory."""
    if array.ndim == 1:
        ops.write_item(array, key, values)
        return
    line = Part(ops.reshape(array, (-1,)), key).set(values)
    ops.overwrite(array, ops.reshape(line, ops.shape(array)))


def _cycled(values: Tensor, count: Any) -> Tensor:
    """A vector, again and again, until it has so many elements."""
    if values.static_shape == (1,):
        return ops.reshape(values, ())
    return ops.take(values, ops.arange(0, count) % ops.count_elements(values), axis=0)


def _putmask(a: Any, mask: Any, values: Any) -> None:
    array = ops.target(a)
    cycled = _cycled(ops.flatten(strong(values, array.dtype)), ops.count_elements(array))
    whole = cycled if cycled.static_shape == () else ops.reshape(cycled, ops.shape(array))
    _replace(array, whole, ops.cast(strong(mask), bool))


def _place(arr: Any, mask: Any, vals: Any) -> None:
    array, chosen = ops.target(arr), ops.cast(ops.flatten(strong(mask)), bool)
    values = ops.flatten(strong(vals, array.dtype))
    counted = ops.cumulative_sum(ops.cast(chosen, int)) - 1
    numbers = counted % ops.count_elements(values)
    picked = ops.reshape(ops.take(values, numbers, axis=0), ops.shape(array))
    _replace(array, picked, ops.reshape(chosen, ops.shape(array)))


def _put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    array, places = ops.target(arr), strong(indices)
    if axis is None:
        _write_in_line(array, places, values)
        return
    rank = known_rank(array, "np.put_along_axis")
    own_axis, shape = normalise_axis(axis, rank), ops.shape(places)
    key: list[Any] = []
    for each in range(rank):
        if each == own_axis:
            key.append(places)
        else:
            counted = ops.arange(0, shape[each])
            key.append(ops.reshape(counted, [-1 if other == each else 1 for other in range(rank)]))
    ops.write_item(array, tuple(key), values)


def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    array = ops.target(a)
    rank = known_rank(array, "np.fill_diagonal")
    if rank < 2:
        raise ShapeError("`np.fill_diagonal` of an array with fewer than two axes")
    rows, columns = ops.shape(array)[0], ops.shape(array)[rank - 1]
    shape = array.static_shape
    if rank == 2:
        step = columns + 1
        end = None if wrap else columns * columns
    else:
        if shape is None or len(set(shape)) > 1:
            raise ValueError("All dimensions of input must be of equal length")
        step, end = 1 + ops.sum(ops.stack([rows**power for power in range(1, rank)])), None
    key = slice(None, end, step)
    place = ops.get_item(ops.reshape(array, (-1,)), key)
    _write_in_line(array, key, _cycled(ops.flatten(strong(val, array.dtype)), ops.count_elements(place)))


WRITERS: Mapping[Callable[..., Any], Callable[..., None]] = {
    np.copyto: _copyto,
    np.fill_diagonal: _fill_diagonal,
    np.place: _place,
    np.put: _put,
    np.put_along_axis: _put_along_axis,
    np.putmask: _putmask,
}
"""Functions that change their first argument, and what they do with arrays of a graph."""


# ── methods ──


def _fill(x: Symbol, value: Any) -> None:
    _replace(x, ops.as_element(x, ..., value), True)


def _sort(x: Symbol, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
    if order is not None:
        raise InvalidValue("`sort` was given `order=`", why="It names fields, which tensors do not have.")
    ops.overwrite(x, bind(Sort(checked_axis(axis, x), False, kind_of_order(kind, stable)), x))


METHODS: Mapping[str, Callable[..., None]] = {"fill": _fill, "put": _put, "sort": _sort}
"""Methods that change an array of a graph."""
