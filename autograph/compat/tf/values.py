"""How Python's values become tensors under TensorFlow's names: int32, float32, complex128."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.backends.tensors.text.strings import Text
from autograph.compat.tf.explained import explain
from autograph.compat.tf.tensors import EagerTensor, as_eager
from autograph.compat.tf.texts import StagedString, StringDType, StringTensor, are_texts, as_strings, settled
from runtime import ops
from runtime.core.dtypes import Defaults, DType, as_dtype, complex128, float32, int32, result_type
from runtime.core.tensor import Array, Tensor, TensorLike, as_array
from runtime.errors import DTypeError
from runtime.graph.build import as_operand, as_tensor, promotion_operand
from runtime.graph.graph import Value
from runtime.graph.op import Const
from runtime.graph.symbol import Symbol

__all__ = [
    "DEFAULTS",
    "binary",
    "constant",
    "convert_to_tensor",
    "get_static_value",
    "identity",
    "is_tensor",
    "known_integers",
    "named",
    "together",
    "unary",
]

DEFAULTS = Defaults(int32, float32, complex128, tensors=EagerTensor, on_error=explain)
"""What TensorFlow makes of Python's numbers where no tensor beside them decides, and of unknown lengths."""

_LEVELS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3, "O": 3}
"""NumPy's kinds of dtypes: one of a higher level holds the values of those below."""
_ZEROS: dict[str, complex] = {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}
"""A Python number of each kind."""


def is_tensor(x: Any) -> bool:
    """`tf.is_tensor`."""
    return isinstance(x, (Tensor, Value, StringTensor, StagedString)) or hasattr(type(x), "__tensor__")


def _has_dtype(value: Any) -> bool:
    """Whether a value, or the first item of a nested list, says itself what dtype it has."""
    if isinstance(value, (list, tuple)):
        return any(_has_dtype(item) for item in value)
    return is_tensor(value) or isinstance(value, (np.ndarray, np.generic))


def convert_to_tensor(
    value: TensorLike, dtype: Any = None, dtype_hint: Any = None, name: Any = None
) -> Tensor:
    """`tf.convert_to_tensor`; a value of another dtype is cast."""
    del name
    if isinstance(dtype, StringDType) or (not isinstance(value, Tensor) and are_texts(value)):
        texts: Any = StagedString.of(value) if isinstance(value, (str, bytes, Text)) else as_strings(value)
        return texts  # type: ignore[no-any-return]  # it has what programs ask of a tensor
    if isinstance(value, (list, tuple)) and _has_dtype(value):
        tensor = ops.stack(together(*value))
    elif _has_dtype(value):
        tensor = as_tensor(value)
    else:
        tensor = _from_python(value, dtype or dtype_hint)
        dtype = None
    return as_eager(tensor if dtype is None else ops.cast(tensor, dtype))


def _from_python(value: Any, dtype: Any) -> Tensor:
    """A tensor of Python numbers, in the default dtype of their kind unless another is asked for."""
    array = as_array(value)
    if dtype is None and array.dtype.kind in "ifc":
        zero = _ZEROS[array.dtype.kind]
        extremes = (
            [zero] if array.dtype.kind != "i" or not array.size else [int(array.min()), int(array.max())]
        )
        dtype = result_type(*[DEFAULTS.of(number) for number in extremes])
    elif dtype is not None and array.size and _LEVELS[array.dtype.kind] > _LEVELS[as_dtype(dtype).kind]:
        raise DTypeError(f"{value!r} is no {as_dtype(dtype)}: make it one, or `tf.cast` the tensor")
    return ops.asarray(value, dtype=dtype)


def _default(array: Array) -> DType:
    """The default dtype of an array of Python numbers; integers get a wider one where they need it."""
    if array.dtype.kind != "i" or not array.size:
        return DEFAULTS.of(_ZEROS[array.dtype.kind])
    return result_type(DEFAULTS.of(int(array.min())), DEFAULTS.of(int(array.max())))


def constant(value: TensorLike, dtype: Any = None, shape: Any = None, name: Any = None) -> Tensor:
    """`tf.constant`; one number fills a shape."""
    del name
    tensor = convert_to_tensor(value, dtype)
    if shape is None:
        return tensor
    if are_texts(tensor):
        array = np.asarray(as_strings(settled(tensor)))
        texts: Any = StringTensor(np.reshape(array, shape) if array.ndim else np.full(shape, array))
        return texts  # type: ignore[no-any-return]  # as above
    return ops.broadcast_to(tensor, shape) if tensor.static_shape == () else ops.reshape(tensor, shape)


def identity(input: TensorLike, name: Any = None) -> Tensor:
    """`tf.identity`: tensors never change, so it is the tensor itself."""
    del name
    return convert_to_tensor(input)


def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """`tf.get_static_value`: the value where it is known before the graph runs, otherwise None."""
    del partial
    if not isinstance(tensor, Symbol):
        return convert_to_tensor(tensor).numpy()
    return tensor.value.op.value if isinstance(tensor.value.op, Const) else None


def known_integers(value: Any) -> Any:
    """Axes, repetitions and the like as Python's integers, in tuples; None stays None.

    Raises
    ------
    NoConcreteValue
        When they are a tensor whose value is not known before the graph runs.
    """
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(map(known_integers, value))
    return known_integers(np.asarray(convert_to_tensor(value)).tolist())


def together(*values: TensorLike) -> list[Any]:
    """The operands of one operation: a Python number or list takes the dtype of the tensors beside it.

    Parameters
    ----------
    *values : Tensor, Variable, number, array or nested list

    Returns
    -------
    list
        Tensors; a Python number beside a tensor stays one, for promotion makes it as weak as it should be.
    """
    if all(isinstance(value, Tensor) for value in values):
        return list(values)
    decided = [_has_dtype(value) for value in values]
    tensors = [convert_to_tensor(value) if own else value for value, own in zip(values, decided, strict=True)]
    if all(decided):
        return tensors
    if not any(decided):
        return _of_highest_kind(values)
    beside = [promotion_operand(as_operand(each)) for each, own in zip(tensors, decided, strict=True) if own]
    return [_weak(each, beside) if isinstance(each, (list, tuple)) else each for each in tensors]


def _weak(items: Sequence[Any], beside: list[DType | complex]) -> Tensor:
    """A list of Python numbers as a tensor, as weak in promotion as one of them."""
    array = as_array(items)
    dtype = result_type(*beside, _ZEROS.get(array.dtype.kind, 0), defaults=DEFAULTS)
    return ops.asarray(items, dtype=dtype)


def _of_highest_kind(values: Sequence[Any]) -> list[Any]:
    """Python's numbers among themselves: all take the default dtype of the highest kind among them."""
    tensors = [convert_to_tensor(value) for value in values]
    highest = max([tensor.dtype for tensor in tensors], key=_height)
    return [ops.cast(tensor, highest) for tensor in tensors]


def _height(dtype: DType) -> tuple[int, int]:
    """Kind first, then width."""
    return _LEVELS[dtype.kind], dtype.itemsize


def unary(name: str, function: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """`function` under TensorFlow's name, for one tensor or what converts to one."""

    def call(x: TensorLike, name: Any = None) -> Tensor:
        del name
        return function(convert_to_tensor(x))

    return named(call, name, function)


def binary(name: str, function: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """`function` under TensorFlow's name, for two tensors or what converts to them."""

    def call(x: TensorLike, y: TensorLike, name: Any = None) -> Tensor:
        del name
        return function(*together(x, y))

    return named(call, name, function)


def named(call: Callable[..., Tensor], name: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`call` under TensorFlow's name, described as the `function` of ours that it calls."""
    call.__name__ = call.__qualname__ = name.rpartition(".")[2]
    first_line = (function.__doc__ or "").partition("\n")[0]
    call.__doc__ = f"`tf.{name}`: {first_line}"
    return call
