"""`tf.debugging`: checks that raise `InvalidArgumentError`, in graphs whenever they run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.compat.tf.numerics import disable_check_numerics, enable_check_numerics
from autograph.compat.tf.values import convert_to_tensor, is_tensor, together
from autograph.frames import SHOW_FRAMES
from runtime import ops
from runtime.core.dtypes import as_dtype, float32
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, InvalidValue, ShapeError

__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_shapes",
    "assert_type",
    "check_numerics",
    "disable_check_numerics",
    "disable_traceback_filtering",
    "enable_check_numerics",
    "enable_traceback_filtering",
    "get_log_device_placement",
    "is_numeric_tensor",
    "is_traceback_filtering_enabled",
    "set_log_device_placement",
]


def Assert(
    condition: TensorLike, data: Sequence[Any] = (), summarize: int | None = None, name: Any = None
) -> None:
    """`tf.debugging.Assert`: raises unless every element is true, and shows `data`."""
    del summarize, name
    words = [str(item) for item in data if isinstance(item, (str, bytes))]
    values = [convert_to_tensor(item) for item in data if not isinstance(item, (str, bytes))]
    said = " ".join(["assertion failed:", *[f"[{word}]" for word in words]])
    ops.check(convert_to_tensor(condition), said, *values)


def _comparison(name: str, symbol: str, compare: Callable[[Any, Any], Tensor]) -> Callable[..., None]:
    """A check that compares every pair of elements."""

    def check(
        x: TensorLike,
        y: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: Any = None,
    ) -> None:
        del summarize, name
        left, right = together(x, y)
        said = _said(message, f"Condition x {symbol} y did not hold element-wise:")
        ops.check(compare(left, right), said, left, right)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"`tf.debugging.{name}`: every element of `x` {symbol} the one of `y`."
    return check


def _said(message: str | None, what: str) -> str:
    return f"{message}: {what}" if message else what


assert_equal = _comparison("assert_equal", "==", ops.equal)
assert_none_equal = _comparison("assert_none_equal", "!=", ops.not_equal)
assert_less = _comparison("assert_less", "<", ops.less)
assert_less_equal = _comparison("assert_less_equal", "<=", ops.less_equal)
assert_greater = _comparison("assert_greater", ">", ops.greater)
assert_greater_equal = _comparison("assert_greater_equal", ">=", ops.greater_equal)


def _sign(name: str, symbol: str, compare: Callable[[Any, Any], Tensor]) -> Callable[..., None]:
    """A check that compares every element with zero."""

    def check(
        x: TensorLike, message: str | None = None, summarize: int | None = None, name: Any = None
    ) -> None:
        del summarize, name
        tensor = convert_to_tensor(x)
        said = _said(message, f"Condition x {symbol} 0 did not hold element-wise:")
        ops.check(compare(tensor, 0), said, tensor)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"`tf.debugging.{name}`: every element of `x` {symbol} 0."
    return check


assert_positive = _sign("assert_positive", ">", ops.greater)
assert_negative = _sign("assert_negative", "<", ops.less)
assert_non_negative = _sign("assert_non_negative", ">=", ops.greater_equal)
assert_non_positive = _sign("assert_non_positive", "<=", ops.less_equal)


def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: float | None = None,
    atol: float | None = None,
    message: str | None = None,
    summarize: int | None = None,
    name: Any = None,
) -> None:
    """`tf.debugging.assert_near`: ``|x - y| <= atol + rtol * |y|``; by default ten times the precision."""
    del summarize, name
    left, right = together(x, y)
    epsilon = 10 * _precision(left if is_tensor(left) else right)
    bound = (epsilon if atol is None else atol) + (epsilon if rtol is None else rtol) * ops.abs(right)
    ops.check(ops.abs(left - right) <= bound, _said(message, "x and y are not near"), left, right)


def _precision(tensor: Tensor) -> float:
    """The distance from 1 to the next number of a tensor's dtype."""
    return float(np.finfo(tensor.dtype.numpy).eps) if tensor.dtype.is_floating else 0.0


def assert_all_finite(x: TensorLike, message: str = "", name: Any = None) -> None:
    """`tf.debugging.assert_all_finite`: neither infinite nor NaN."""
    del name
    tensor = convert_to_tensor(x)
    ops.check_numerics(tensor, message)


def check_numerics(tensor: TensorLike, message: str, name: Any = None) -> Tensor:
    """`tf.debugging.check_numerics`: the tensor, which must be finite."""
    assert_all_finite(tensor, message, name)
    return convert_to_tensor(tensor)


# ── switches ──


def enable_traceback_filtering() -> None:
    """`tf.debugging.enable_traceback_filtering`: tracebacks show the program alone."""
    os.environ.pop(SHOW_FRAMES, None)


def disable_traceback_filtering() -> None:
    """`tf.debugging.disable_traceback_filtering`: tracebacks show everything."""
    os.environ[SHOW_FRAMES] = "1"


def is_traceback_filtering_enabled() -> bool:
    """`tf.debugging.is_traceback_filtering_enabled`."""
    return os.environ.get(SHOW_FRAMES, "") in {"", "0"}


_placement = {"is_logged": False}


def set_log_device_placement(enabled: bool) -> None:
    """`tf.debugging.set_log_device_placement`: remembered; there is one device."""
    _placement["is_logged"] = enabled


def get_log_device_placement() -> bool:
    """`tf.debugging.get_log_device_placement`."""
    return _placement["is_logged"]


# ── checks of what is known while a function is traced ──


def assert_type(tensor: TensorLike, tf_type: Any, message: str | None = None, name: Any = None) -> None:
    """`tf.debugging.assert_type`.

    Raises
    ------
    TypeError
        When the dtype is another.
    """
    del name
    found = convert_to_tensor(tensor).dtype
    if found is not as_dtype(tf_type):
        raise DTypeError(_said(message, f"the dtype is {found}, not {as_dtype(tf_type)}"))


def assert_integer(x: TensorLike, message: str | None = None, name: Any = None) -> None:
    """`tf.debugging.assert_integer`."""
    del name
    found = convert_to_tensor(x).dtype
    if not found.is_integer:
        raise DTypeError(_said(message, f"the dtype is {found}, no integer"))


def assert_rank(x: TensorLike, rank: int, message: str | None = None, name: Any = None) -> None:
    """`tf.debugging.assert_rank`; a tensor whose rank is unknown passes.

    Raises
    ------
    ValueError
        When the number of axes is another.
    """
    del name
    shape = convert_to_tensor(x).static_shape
    if shape is not None and len(shape) != rank:
        raise ShapeError(_said(message, f"the shape {shape} has {len(shape)} axes, not {rank}"))


def assert_scalar(tensor: TensorLike, message: str | None = None, name: Any = None) -> None:
    """`tf.debugging.assert_scalar`."""
    assert_rank(tensor, 0, message, name)


def is_numeric_tensor(tensor: Any) -> bool:
    """`tf.debugging.is_numeric_tensor`: whether it is a tensor of numbers."""
    return is_tensor(tensor) and not convert_to_tensor(tensor).dtype.is_bool


def assert_rank_at_least(x: TensorLike, rank: int, message: str | None = None, name: Any = None) -> None:
    """`tf.debugging.assert_rank_at_least`; a tensor whose rank is unknown passes.

    Raises
    ------
    ValueError
        When there are fewer axes.
    """
    del name
    shape = convert_to_tensor(x).static_shape
    if shape is not None and len(shape) < rank:
        raise ShapeError(_said(message, f"the shape {shape} has {len(shape)} axes, fewer than {rank}"))


def assert_rank_in(x: TensorLike, ranks: Sequence[int], message: str | None = None, name: Any = None) -> None:
    """`tf.debugging.assert_rank_in`; a tensor whose rank is unknown passes.

    Raises
    ------
    ValueError
        When the number of axes is none of `ranks`.
    """
    del name
    shape = convert_to_tensor(x).static_shape
    if shape is not None and len(shape) not in ranks:
        raise ShapeError(_said(message, f"the shape {shape} has {len(shape)} axes, none of {tuple(ranks)}"))


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: Any = None,
) -> None:
    """`tf.debugging.assert_shapes`: a length that has a name is the same wherever the name stands.

    Raises
    ------
    ValueError
        When the shapes that are known do not fit. Lengths that only a run knows are checked there.
    """
    del data, summarize, name
    found: dict[Any, Any] = {}
    for x, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        tensor = convert_to_tensor(x)
        dims = tuple(wanted) if isinstance(wanted, (list, tuple, str)) else (wanted,)
        assert_rank(tensor, len(dims), message)
        for axis, symbol in enumerate(dims):
            if symbol is None or symbol == ".":
                continue
            length = ops.dimension(tensor, axis)
            other = symbol if isinstance(symbol, int) else found.setdefault(symbol, length)
            _require_same(length, other, _said(message, f"axis {axis} has not the length {symbol!r}"))


def _require_same(length: Any, other: Any, message: str) -> None:
    if isinstance(length, int) and isinstance(other, int):
        if length != other:
            raise ShapeError(f"{message}: {length} is not {other}")
        return
    ops.check(convert_to_tensor(length) == other, message)


def assert_same_float_dtype(tensors: Sequence[Any] | None = None, dtype: Any = None) -> Any:
    """`tf.debugging.assert_same_float_dtype`: the one dtype of all tensors.

    Raises
    ------
    ValueError
        When they have several, or one that is no float.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    for tensor in tensors or ():
        found = convert_to_tensor(tensor).dtype
        wanted = found if wanted is None else wanted
        if found is not wanted:
            raise InvalidValue(f"a tensor has the dtype {found}, not {wanted}")
    wanted = float32 if wanted is None else wanted
    if not wanted.is_floating:
        raise InvalidValue(f"the dtype is {wanted}, no float")
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """`tf.debugging.assert_proper_iterable`: a list, a tuple or the like, and no tensor or text.

    Raises
    ------
    TypeError
        When it is none.
    """
    if is_tensor(values) or isinstance(values, (np.ndarray, str, bytes)) or not hasattr(values, "__iter__"):
        raise DTypeError(f"expected an iterable that is no tensor or text, not {type(values).__name__}")
