"""A call of NumPy with a tensor among its arguments: by its adapter, on arrays, or refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import as_dtype, bool_, int64
from runtime.core.tensor import Tensor
from runtime.errors import ImmutableTensor, InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind, bind_all, current_builder, is_weak
from runtime.graph.symbol import Symbol
from runtime.numpy_functions import adapters as _adapters  # noqa: F401  # they fill the table
from runtime.numpy_functions.grids import taken_by_index
from runtime.numpy_functions.operands import known_rank, mask_of, number, place_of, strong
from runtime.numpy_functions.protocols import UFUNCS
from runtime.numpy_functions.refused import fills_arrays, on_arrays
from runtime.numpy_functions.table import TABLE, on_tensors, out_of, require_call, title
from runtime.numpy_functions.writing import (
    ARRAYS,
    METHODS,
    WRITERS,
    dtype_of_sums,
    fills_in_place,
    own,
    shows_memory,
    store_at,
    stored,
)
from runtime.ops.promotion import computing_dtypes
from runtime.ops.refused_calls import asked
from runtime.ops.scan import CumulativeMax, CumulativeMin, ReduceAt
from runtime.ops.ufuncs import Frexp

__all__ = ["COMPOSED", "METHODS", "call_function", "call_ufunc", "stand_in", "taken_by_index"]


def call_function(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What ``function(*args, **kwargs)`` gives, where NumPy asked a tensor."""
    with asked(function, args, kwargs):
        return _called_function(function, args, kwargs)


def _called_function(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    builder = current_builder()
    if builder is None or builder.strict:
        is_ours = function in TABLE and not _fills_arrays(function, args, kwargs)
        return (on_tensors if is_ours else on_arrays)(function, args, kwargs)
    require_call(function, args, kwargs)
    if function in WRITERS:
        return WRITERS[function](*args, **kwargs)
    if fills_in_place(function, args, kwargs):
        x, *options = args or [kwargs["x"]]  # the first of the options says whether to copy
        named = {name: value for name, value in kwargs.items() if name not in {"copy", "x"}}
        return stored(title(function), x, call_function(function, (x, True, *options[1:]), named))
    out = out_of(function, args, kwargs)
    if out is not None and function in TABLE:
        return on_tensors(function, args, kwargs)
    if out is not None:
        rest = {name: value for name, value in kwargs.items() if name != "out"}
        return stored(title(function), out, call_function(function, args, rest), casting="equiv")
    made_before = len(builder.nodes)
    result = (on_tensors if function in TABLE else on_arrays)(function, args, kwargs)
    result = result if shows_memory(function, args, kwargs) else own(result, made_before)
    if function not in ARRAYS or (function is np.squeeze and args and _is_numpys_number(args[0])):
        return result
    return ops.as_array_of_its_own(result)


def _fills_arrays(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether NumPy itself writes what a function gives; most calls name no array at all."""
    may_fill = "out" in kwargs or any(isinstance(each, np.ndarray) for each in args[1:])
    return may_fill and fills_arrays(_outs({"out": out_of(function, args, kwargs)}), args, kwargs)


def _is_numpys_number(x: Any) -> bool:
    """Whether a tensor of a graph stands for a number of NumPy's own, whose methods give numbers."""
    return type(x) is Symbol and x.static_shape == () and not (ops.is_array(x) or is_weak(x))


def stand_in(callee: Any) -> Callable[..., Any] | None:
    """What a callable of NumPy is on tensors, also on those in lists."""
    if isinstance(callee, np.ufunc):
        return lambda *inputs, **options: call_ufunc(callee, "__call__", inputs, options)
    owner = getattr(callee, "__self__", None)
    if isinstance(owner, np.ufunc):
        return lambda *inputs, **options: call_ufunc(owner, callee.__name__, inputs, options)
    if isinstance(callee, type) and issubclass(callee, np.generic):
        return partial(_of_class, callee)
    if callee is np.nditer:
        instead = "`x.flat`, or the places that `np.ndindex(*x.shape)` gives"
        return lambda *args, **kwargs: on_arrays(callee, args, kwargs, "np.nditer", instead)
    if callee in TABLE or callee in WRITERS:
        return lambda *args, **kwargs: call_function(callee, args, kwargs)
    return None


def _of_class(kind: type[np.generic], *arguments: Any) -> Any:
    """What a class of NumPy's numbers makes of a tensor."""
    as_dtype(kind)  # refuses those of texts and times
    if len(arguments) != 1:
        kind(*[1 for _ in arguments])  # which takes one
    made = strong(arguments[0], kind)
    return made[()] if ops.is_array(made) and made.static_shape == () else made


def call_ufunc(ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """What a ufunc, or one of its methods, gives for tensors.

    Raises
    ------
    ImmutableTensor
        When the result would be written into a tensor, or what a graph computes into an array, or when only
        some elements would be computed.
    """
    with asked(getattr(ufunc, method), inputs, options):
        return _called_ufunc(ufunc, method, inputs, options)


def _called_ufunc(ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    if method == "at" and ops.can_write():
        store_at(ufunc, *inputs)
        return None
    if method == "__call__" and len(inputs) > ufunc.nin:
        if len(inputs) > ufunc.nin + ufunc.nout or "out" in options:
            raise TypeError(f"{ufunc.__name__}() was given more arguments than it takes, or `out` twice")
        inputs, options = inputs[: ufunc.nin], {**options, "out": tuple(inputs[ufunc.nin :])}
    options = _said(options) if method == "__call__" and options else options
    if "where" in options:
        options = _masked(ufunc, method, options)
    outs = _outs(options)
    if outs and ops.can_write():
        return _stored(ufunc, method, inputs, options, outs)
    if fills_arrays(inputs[:1] if method == "at" else outs, inputs, options):
        return on_arrays(getattr(ufunc, method), inputs, options)
    _refuse_writing(ufunc, method, options)
    if method == "__call__" and set(options) <= {"dtype", "casting"}:
        function = UFUNCS.get(ufunc) or COMPOSED.get(ufunc)
        if function is not None:
            operands = [number(each) for each in inputs]
            return function(*(_of_loop(ufunc, operands, **options) if options else operands))
    if method == "__call__" and ufunc is np.vecdot and set(options) == {"axis"}:
        return ops.vecdot(*map(strong, inputs), axis=options["axis"])
    if method in {"reduce", "accumulate"} and (ufunc, method) in FOLDS:
        return FOLDS[ufunc, method](strong(inputs[0]), *inputs[1:], **{"axis": 0} | dict(options))
    is_binary = ufunc in UFUNCS and ufunc.nin == 2 and ufunc.signature is None
    if method == "reduce" and is_binary and set(options) <= {"axis", "keepdims"}:
        return _reduced(ufunc, strong(inputs[0]), *inputs[1:], **options)
    if method == "reduceat" and is_binary and set(options) <= {"axis", "dtype"}:
        return _parts_reduced(ufunc, *inputs, **options)
    if method == "outer" and set(options) <= {"dtype"} and ufunc in UFUNCS:
        left, right = [strong(each, options.get("dtype")) for each in inputs]
        rank = known_rank(right, f"np.{ufunc.__name__}.outer")
        shape = [*(ops.shape(left)[axis] for axis in range(left.ndim)), *[1] * rank]
        return UFUNCS[ufunc](ops.reshape(left, shape), right)
    if method == "__call__" and not options:
        op = ops.foreign_ufunc(ufunc)
        if op is not None:
            results = bind_all(op, *map(number, inputs))
            return results if ufunc.nout > 1 else results[0]
    whole = ufunc if method == "__call__" else getattr(ufunc, method)
    return on_arrays(whole, inputs, options, *_called(ufunc, method, options))


def _said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a ufunc's call that are not as NumPy has them anyway."""
    return {
        name: value
        for name, value in options.items()
        if not (name in _DEFAULTS and any(value is each or value == each for each in _DEFAULTS[name]))
    }


def _masked(ufunc: np.ufunc, method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a ufunc's call with the mask as it holds, and without one that holds everywhere."""
    if method == "__call__" and ufunc.signature is not None:
        raise TypeError(f"{ufunc.__name__}() got an unexpected keyword argument 'where'")
    where = mask_of(options["where"])
    rest = {name: value for name, value in options.items() if name != "where"}
    return rest if where is True else {**rest, "where": where}


_DEFAULTS: dict[str, tuple[Any, ...]] = {
    "casting": ("same_kind",),
    "dtype": (None,),
    "order": (None, "K", "C", "A"),
    "signature": (None,),
    "subok": (True, False),
}
"""What says nothing where a tensor is: it has neither an order in memory nor subclasses."""


def _of_loop(
    ufunc: np.ufunc, operands: Sequence[Any], dtype: Any = None, casting: Any = "same_kind"
) -> Sequence[Any]:
    """Operands in the dtypes of the loop that NumPy chooses for a dtype of results and a rule of casting.

    Raises
    ------
    TypeError
        When there is no such loop, or the rule does not let the operands in.
    """
    kinds = tuple([each.dtype.numpy if isinstance(each, Tensor) else type(each) for each in operands])
    options: dict[str, Any] = {"casting": casting}
    if dtype is not None:
        of_results = type(as_dtype(dtype).numpy)
        options["signature"] = (*[None] * ufunc.nin, *[of_results] * ufunc.nout)
    chosen = ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout), **options)
    return [strong(each, to) for each, to in zip(operands, chosen[: ufunc.nin], strict=True)]


def _outs(options: Mapping[str, Any]) -> list[Any]:
    """The arrays that a ufunc is to write into."""
    given = options.get("out")
    return [each for each in (given if isinstance(given, tuple) else (given,)) if each is not None]


def _stored(
    ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any], outs: Sequence[Any]
) -> Any:
    """What a ufunc gives that writes its results into arrays."""
    rest = {name: value for name, value in options.items() if name not in {"out", "where"}}
    where = options.get("where", True)
    if where is not True:
        if method == "__call__":
            inputs = _harmless(ufunc, inputs, where)
        else:
            rest["where"], where = where, True
    name = f"np.{ufunc.__name__}" if method == "__call__" else f"np.{ufunc.__name__}.{method}"
    if method in {"reduce", "accumulate"} and rest.get("dtype") is None:
        rest.update(dtype_of_sums(name, inputs[0], outs[0]))
    result = call_ufunc(ufunc, method, inputs, rest)
    results = result if type(result) is tuple else (result,)
    if len(outs) != len(results):
        raise InvalidValue(
            f"`np.{ufunc.__name__}` was given {len(outs)} of {len(results)} arrays to write into",
            way_out="Give it all of them, or none.",
        )
    casting = options.get("casting", "same_kind")
    left = [
        stored(name, out, each, where=where, casting=casting) for out, each in zip(outs, results, strict=True)
    ]
    return left[0] if len(left) == 1 else tuple(left)


def _harmless(ufunc: np.ufunc, inputs: Sequence[Any], where: Any) -> Sequence[Any]:
    """The operands with a number where a mask does not hold for which nothing is invalid or divided by 0."""
    operands = [number(each) for each in inputs]
    dtypes = [each.dtype.numpy.type if isinstance(each, Tensor) else None for each in operands]
    for instead in (1, 0):
        given = [each if of is None else of(instead) for each, of in zip(operands, dtypes, strict=True)]
        try:
            with np.errstate(all="raise"):
                ufunc(*given)
        except ArithmeticError:
            continue
        return [
            each if of is None else ops.where(where, each, as_tensor(of(instead)))
            for each, of in zip(operands, dtypes, strict=True)
        ]
    return operands


def _called(ufunc: np.ufunc, method: str, options: Mapping[str, Any]) -> tuple[str, str]:
    """What a user calls a ufunc or its method with these options, and what to write in a graph instead."""
    name = f"np.{ufunc.__name__}"
    if method == "accumulate":
        return f"{name}.accumulate", "a loop that carries what there is so far"
    if method != "__call__":
        return f"{name}.{method}", f"`{name}` of the parts"
    if options:
        return f"{name}` with `{', '.join(f'{each}=' for each in options)}", f"`{name}` without it"
    return name, "the functions of `runtime`, or the result of the call"


def _reduced(ufunc: np.ufunc, x: Tensor, axis: Any = 0, keepdims: bool = False) -> Tensor:
    """The slices along one axis, or along all, taken together two by two."""
    tensor = ops.flatten(x) if axis is None else x
    parts = ops.unstack(tensor, axis=axis or 0)
    if not parts:
        raise InvalidValue(
            f"`np.{ufunc.__name__}.reduce` of no elements", why="There is nothing to start from."
        )
    dtype = computing_dtypes(ufunc, (x.dtype, x.dtype))[-1]
    result: Tensor = reduce(UFUNCS[ufunc], parts) if len(parts) > 1 else ops.cast(parts[0], dtype)
    if not keepdims:
        return result
    if axis is None:
        return ops.reshape(result, (1,) * known_rank(x, f"np.{ufunc.__name__}.reduce"))
    return ops.expand_dims(result, axis=axis)


def _parts_reduced(ufunc: np.ufunc, x: Any, indices: Any, axis: int = 0, dtype: Any = None) -> Tensor:
    """What `ufunc.reduceat` gives: the parts that begin at these places, each taken together."""
    tensor, places = strong(x, dtype), as_tensor(indices)
    if places.dtype == bool_:  # NumPy takes them for the places 0 and 1
        places = ops.cast(places, int64)
    return bind(ReduceAt(ufunc.__name__, place_of(axis, tensor, "reduceat")), tensor, places)


def _refuse_writing(ufunc: np.ufunc, method: str, options: Mapping[str, Any]) -> None:
    """Tensors are not written to, so a ufunc may not be asked to."""
    if any(isinstance(each, Tensor) for each in _outs(options)):
        raise ImmutableTensor(
            f"`np.{ufunc.__name__}` with `out=` would change a tensor",
            way_out="Use what the function returns.",
        )
    if _outs(options):
        raise ImmutableTensor(
            f"`np.{ufunc.__name__}` with `out=` would change an array",
            why="The result may be part of a graph, which an array cannot hold.",
            way_out="Use what the function returns, or give it `tensor.numpy()` outside of a graph.",
        )
    if method == "at":
        raise ImmutableTensor(
            f"`np.{ufunc.__name__}.at` would change its first argument",
            way_out="Write `x = x.at[key].add(value)`, or call another method of `x.at[key]`.",
        )
    if method == "__call__" and options.get("where", True) is not True:
        raise ImmutableTensor(
            f"`np.{ufunc.__name__}` with `where=` leaves elements as they happen to be",
            why="A tensor has no memory whose old elements could stay.",
            way_out="Write `np.where(condition, result, other)`.",
        )


def _divmod(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    return ops.floor_divide(x, y), ops.remainder(x, y)


def _modf(x: Any) -> tuple[Tensor, Tensor]:
    tensor = _as_computed(np.modf, x)
    finite = ops.where(ops.isinf(tensor), ops.zeros_like(tensor), tensor)
    return ops.copysign(finite - ops.trunc(finite), tensor), ops.trunc(tensor)


def _clip(x: Any, low: Any, high: Any) -> Tensor:
    return ops.minimum(ops.maximum(x, low), high)


def _matvec(x: Any, y: Any) -> Tensor:
    _require_axes(x, 2, "np.matvec")
    return ops.squeeze(ops.matmul(x, ops.expand_dims(y, axis=-1)), -1)


def _require_axes(x: Any, least: int, function: str) -> None:
    if known_rank(strong(x), function) < least:
        raise ShapeError(f"`{function}` of {strong(x).spec} as a matrix", why="A matrix has two axes.")


def _vecmat(x: Any, y: Any) -> Tensor:
    _require_axes(y, 2, "np.vecmat")
    return ops.squeeze(ops.matmul(ops.expand_dims(ops.conj(x), axis=-2), y), -2)


def _fabs(x: Any) -> Tensor:
    return ops.abs(_as_computed(np.fabs, x))


def _as_computed(ufunc: np.ufunc, x: Any) -> Tensor:
    """`x` in the floating-point dtype in which a ufunc of one operand takes it."""
    tensor = strong(x)
    return ops.cast(tensor, computing_dtypes(ufunc, (tensor.dtype,))[0])


COMPOSED: dict[Any, Callable[..., Any]] = {
    np.vecdot: ops.vecdot,
    getattr(np, "matvec", None): _matvec,
    getattr(np, "vecmat", None): _vecmat,
    np.divmod: _divmod,
    np.modf: _modf,
    np.frexp: lambda x: bind_all(Frexp(), x),
    np.fabs: _fabs,
    np.radians: UFUNCS[np.deg2rad],
    np.degrees: UFUNCS[np.rad2deg],
}
"""Ufuncs that are several operations, or another name of one."""


def _fold(function: Callable[..., Any]) -> Callable[..., Tensor]:
    """A reduction as a ufunc's `reduce` is called."""

    def reduction(x: Tensor, axis: Any = 0, dtype: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return call_function(function, (x,), {"axis": axis, "keepdims": keepdims, **options, **_typed(dtype)})

    return reduction


def _typed(dtype: Any) -> dict[str, Any]:
    return {} if dtype is None else {"dtype": dtype}


def _running(function: Callable[..., Any]) -> Callable[..., Tensor]:
    """A running sum or product as a ufunc's `accumulate` is called."""

    def accumulate(x: Tensor, axis: int = 0, dtype: Any = None) -> Any:
        return function(x, axis=axis, dtype=dtype)

    return accumulate


def _extreme(op: Any) -> Callable[..., Tensor]:
    def accumulate(x: Tensor, axis: int = 0, dtype: Any = None) -> Tensor:
        from_ = x if dtype is None else ops.cast(x, as_dtype(dtype))
        return bind(op(place_of(axis, x, "accumulate")), from_)

    return accumulate


FOLDS: dict[tuple[np.ufunc, str], Callable[..., Any]] = {
    (np.add, "reduce"): _fold(np.sum),
    (np.multiply, "reduce"): _fold(np.prod),
    (np.maximum, "reduce"): _fold(np.max),
    (np.minimum, "reduce"): _fold(np.min),
    (np.logical_and, "reduce"): _fold(np.all),
    (np.logical_or, "reduce"): _fold(np.any),
    (np.add, "accumulate"): _running(ops.cumulative_sum),
    (np.multiply, "accumulate"): _running(ops.cumulative_prod),
    (np.maximum, "accumulate"): _extreme(CumulativeMax),
    (np.minimum, "accumulate"): _extreme(CumulativeMin),
}
"""The methods of ufuncs, and what they do with tensors."""
