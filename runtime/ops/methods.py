"""Python's operators and the methods of tensors: the only file that writes onto `Operators`.

`Tensor`, the symbolic tensors of a graph and variables all inherit what is written here.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Sequence
from functools import wraps
from types import BuiltinFunctionType, MethodType, MethodWrapperType
from typing import Any, NoReturn

import numpy as np

from runtime import ops
from runtime.core.devices import CPU, require_device
from runtime.core.dtypes import as_dtype, float16, float64, int8
from runtime.core.instances import is_ours
from runtime.core.spec import ArraySpec
from runtime.core.tensor import EAGER, Operators, Tensor, TensorLike
from runtime.core.text import current_marks
from runtime.core.tracing import Told, tracing
from runtime.errors import DTypeError, ImmutableTensor, InvalidValue, ShapeError
from runtime.graph.build import (
    as_operand,
    as_tensor,
    bind,
    current_builder,
    current_defaults,
    is_recorded,
    is_strict,
    is_symbolic,
    is_weak,
    kind_of,
)
from runtime.graph.frames import hide, no_defect, shows_callers_alone
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Whose, every, note_whose, whose
from runtime.ops.arguments import order_of
from runtime.ops.at import At
from runtime.ops.examples import is_one_object, refuse_as_python, refuse_either, takes_values, with_object
from runtime.ops.refused_calls import as_numpys, asked, blame, method_of_arrays
from runtime.ops.small import note_small
from runtime.ops.whose import as_test, is_told

__all__ = ["takes_as_float"]

_OPERANDS = (Operators, bool, int, float, complex, np.ndarray, np.generic, list, tuple, Value)
"""What an operator takes beside a tensor; anything else gets its own turn, as Python's data model says."""


_NO_OPERANDS = frozenset({bytes, dict, frozenset, set, str, type(None)})
"""Classes of Python's that have no operators for arrays."""

_SEQUENCES: dict[type, Any] = {list: [1], tuple: (1,), range: range(1)}
"""Classes of Python's that NumPy reads as arrays, each with an example."""
_ORDERING = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
"""Operators that each class has: that of `object` knows no order."""
_BESIDE_THEIR_LIKES = frozenset({BuiltinFunctionType, MethodType, MethodWrapperType, slice})
"""Classes of Python's with such operators of their own, which know no number."""
_OF_ANYTHING = frozenset({operator.eq, operator.ne})
_EQUAL_BY_NUMPY = frozenset({bytes, str})
"""Classes of Python's with which NumPy compares a number of its own itself: they are never equal."""


def _binary(
    function: Callable[..., Tensor], sign: Callable[[Any, Any], Any], *, counts: bool = False
) -> tuple[Any, Any]:
    """The operator for `function` and its reflection; `counts` where two bools of Python's are 0 and 1."""

    def direct(self: Tensor, other: TensorLike, /) -> Any:
        if type(self) is Symbol:
            other = _read(other)
            if is_weak(self) and (is_weak(other) or takes_as_float(self, other)):
                return _of_numbers(function, (self, other), counts)
            if function in _DIVISIONS:
                _require_divisor_on_some_paths(self, other, _DIVISIONS[function])
            if _is_pythons_beside_sequence(sign, self, other):
                refuse_as_python(sign, self, _example_of_sequence(other))
                return NotImplemented
            other = np.asarray(other) if type(other) is range else other
        elif sign is operator.mul and _repeats(self, other):
            return NotImplemented
        if isinstance(other, _OPERANDS):
            if tracing.builder is not None:
                with asked(sign, (self, other)):
                    return _of_either(function, self, other)
            try:
                return function(self, other)
            except Exception as error:
                blame(error, sign, (self, other))
                raise
        if _has_no_operator(other, turned):
            refuse_as_python(sign, self, other)
        if function in _DIFFERS and _is_compared_by_element(self) and is_one_object(sign, other):
            return ops.full(ops.shape(self), _DIFFERS[function], dtype=bool)
        if type(self) is Symbol and takes_values(other):
            return with_object(sign, self, other)
        if function in _DIFFERS and type(other) in _EQUAL_BY_NUMPY and _is_numpys_number(self):
            return np.bool_(_DIFFERS[function])
        _refuse_beside_text(sign, self, other)
        return NotImplemented

    def reflected(self: Tensor, other: TensorLike, /) -> Any:
        if type(self) is Symbol:
            other = _read(other)
            if is_weak(other) and (is_weak(self) or takes_as_float(other, self)):
                return _of_numbers(function, (other, self), counts)
            if function in _DIVISIONS:
                _require_divisor_on_some_paths(other, self, _DIVISIONS[function])
            if _is_pythons_beside_sequence(sign, self, other):
                refuse_as_python(sign, _example_of_sequence(other), self)
                return NotImplemented
            other = np.asarray(other) if type(other) is range else other
        elif sign is operator.mul and _repeats(self, other):
            return NotImplemented
        if isinstance(other, _OPERANDS):
            if tracing.builder is not None:
                with asked(sign, (other, self)):
                    return _of_either(function, other, self)
            try:
                return function(other, self)
            except Exception as error:
                blame(error, sign, (other, self))
                raise
        if _has_no_operator(other, straight):
            refuse_as_python(sign, other, self)
        if type(self) is Symbol and takes_values(other):
            return with_object(sign, other, self)
        _refuse_beside_text(sign, other, self)
        return NotImplemented

    name = sign.__name__.strip("_")
    straight = f"__{name}__"
    turned = straight if hasattr(object, straight) else f"__r{name}__"  # what compares is turned by Python
    return direct, reflected


def _is_numpys_number(value: Any) -> bool:
    """Whether a value of the graph is a number of NumPy's, on whichever path."""
    return type(value) is Symbol and not ops.is_array(value) and whose(value) is False and not is_strict()


def takes_as_float(left: Any, right: Any) -> bool:
    """Whether a complex number of Python's takes what is on its right for a float: an `np.float64` is one."""
    if isinstance(right, Symbol):
        if right.spec != _FLOAT64 or ops.is_array(right):
            return False
    elif type(right) is not np.float64:
        return False
    return kind_of(left) == "c" and not (is_strict() or current_defaults().static_shapes)


_FLOAT64 = ArraySpec((), float64)


def _has_no_operator(other: Any, method: str) -> bool:
    """Whether the class of an operand leaves an operator to arrays, which take all objects, one by one."""
    kind = type(other)
    if kind in _NO_OPERANDS or is_ours(kind):
        return kind in _NO_OPERANDS
    own = getattr(kind, method, None)
    return own is None or (
        method in _ORDERING and (kind in _BESIDE_THEIR_LIKES or own is getattr(object, method))
    )


def _repeats(number: Tensor, other: Any) -> bool:
    """Whether Python has a list or a tuple several times, as beside a number of NumPy's.

    Numbers of TensorFlow's have a class of their own, and take the list for a tensor.
    """
    if not isinstance(other, (list, tuple)) or type(number) is not Tensor or number.ndim:
        return False
    if number.dtype.kind not in "iu":
        operator.mul(number.numpy(), other)  # which raises that it is no int
    return True


def _refuse_beside_text(sign: Callable[[Any, Any], Any], *operands: Any) -> None:
    """Raises what is said of a number beside a text of the graph, whose class has no operator of its own."""
    texts = [_class_of_sequence(each) is str for each in operands]
    if any(texts) and sign not in _OF_ANYTHING:
        examples = ["a" if is_text else each for each, is_text in zip(operands, texts, strict=True)]
        refuse_as_python(sign, *examples)


def _is_pythons_beside_sequence(sign: Callable[[Any, Any], Any], number: Any, other: Any) -> bool:
    """Whether a number of Python's own, which does not count with lists, stands beside a sequence."""
    kind = _class_of_sequence(other)
    if kind not in _SEQUENCES:
        return False
    if _is_number_of_pythons(number):
        return True
    if not isinstance(whose(number), bool):  # the two compare otherwise, or one of them raises
        if sign in _OF_ANYTHING:
            refuse_either()
        refuse_as_python(sign, number, _SEQUENCES[kind])
    return False


def _is_number_of_pythons(number: Any) -> bool:
    return is_weak(number) and not is_strict() and not current_defaults().static_shapes


def _class_of_sequence(value: Any) -> Any:
    """The class of a value, or of the container that a graph has in the place of one."""
    return getattr(type(value), "built", type(value))


def _example_of_sequence(value: Any) -> Any:
    return value if type(value) in _SEQUENCES else _class_of_sequence(value)()


def _is_compared_by_element(x: Tensor) -> bool:
    """Whether `x == None` is asked of each element, as of an array of NumPy's that has axes, or may have."""
    may_have_axes = is_recorded(x) and isinstance(x.spec, ArraySpec) and x.static_shape != ()
    return may_have_axes and not is_strict() and not current_defaults().static_shapes


def _of_either(function: Callable[..., Tensor], *operands: Any) -> Tensor:
    """What an operator gives, with what is known of whose number it is where that depends on the path."""
    builder = tracing.builder
    owners = [*map(whose, operands)] if builder is not None and builder.context.mixed else []
    if all(isinstance(owner, bool) for owner in owners):
        return function(*operands)
    found = every(owners)
    _require_what_python_takes(function, operands, found)
    result = function(*operands)
    if isinstance(result, Symbol):
        note_whose(result.value, found)
        if function not in _EXACT:
            note_small(function, _GROWING.get(function), result, operands, found)
    return result


def _require_what_python_takes(
    function: Callable[..., Tensor], operands: Sequence[Any], found: Whose
) -> None:
    """Raises what Python's operator does of numbers of its own, in the runs in which these are that."""
    builder = tracing.builder
    if builder is None or function not in _GROWING or isinstance(found, bool) or is_strict():
        return
    left, right = operands
    if function is not _to_the_power and {kind_of(left), kind_of(right)} != {"i"}:
        return  # a float has room for every result
    if is_told(found):
        nothing = 1 if function is ops.multiply else 0  # which every left operand may have beside it
        right = ops.where(as_test(found, builder.owner_tests), right, nothing)
        _require_python_takes(function, (left, right))
    elif function is _to_the_power:  # NumPy's error would be caught as if it were Python's
        ops.check_count(left, right, "**")


def _require_python_takes(function: Callable[..., Tensor], numbers: Sequence[Any]) -> None:
    """Raises what Python's operator does of numbers of its own where a graph has another result, or none."""
    if is_strict() or current_defaults().static_shapes:
        return
    if function in _GROWING:
        left, right = numbers
        kinds = {kind_of(left), kind_of(right)}
        if function is _to_the_power and "f" in kinds and "c" not in kinds:
            ops.check_power(left, right)
        else:
            ops.check_whole(left, right, _GROWING[function])
    if function in _NEGATING:
        ops.check_negated(numbers[0])


def _read(other: Any) -> Any:
    """An operand that is no tensor, and has operators, as the tensor that it gives."""
    return as_operand(other) if isinstance(other, Operators) and not isinstance(other, Tensor) else other


def _require_divisor(dividend: Any, divisor: Any, symbol: str) -> None:
    """Raises for a divisor that is 0, of two numbers of Python's: in its words for the kinds of this run."""
    builder = tracing.builder
    if builder is not None and isinstance(dividend, Symbol) and dividend.value in builder.context.started:
        is_start, start = builder.context.started[dividend.value]
        ops.check_number(start, ops.where(is_start(), divisor, 1), symbol)
        dividend = 0.0  # the number is not asked for, but its kind
    ops.check_number(dividend, divisor, symbol)


def _require_divisor_on_some_paths(dividend: Any, divisor: Any, symbol: str) -> None:
    """Raises for a divisor that is 0 where both numbers are Python's, or may be: where no run tells."""
    builder = tracing.builder
    if builder is None or not builder.context.mixed or is_strict():
        return
    found = every((whose(dividend), whose(divisor)))
    if isinstance(found, bool) or ops.is_nonzero(divisor):  # an array or a list is nobody's number
        return
    of_sums = [
        builder.context.started.get(each.value) for each in (dividend, divisor) if isinstance(each, Symbol)
    ]
    if isinstance(divisor, Symbol) and of_sums[-1] is not None:
        divisor = ops.where(divisor == 0, of_sums[-1][1], 1)
    if is_told(found):
        divisor = ops.where(as_test(found, {}), divisor, 1)
    if isinstance(dividend, Symbol) and of_sums[0] is not None:
        dividend = of_sums[0][1]
    ops.check_number(dividend, divisor, symbol)


def _of_numbers(function: Callable[..., Tensor], numbers: Sequence[Any], counts: bool) -> Tensor:
    """What Python's operator gives of numbers of its own, which stand in a graph: another one."""
    if counts and not is_strict() and all(kind_of(each) == "b" for each in numbers):
        whole = current_defaults().integer
        numbers = [ops.python_number(each, whole) if is_symbolic(each) else int(each) for each in numbers]
    if function in _OF_REALS and any(kind_of(each) == "c" for each in numbers):
        refuse_as_python(_OF_REALS[function], *numbers)
    if function in _DIVISIONS and not is_strict():
        dividend, divisor = numbers
        _require_divisor(dividend, divisor, _DIVISIONS[function])
    _require_python_takes(function, numbers)
    told = tracing.told
    tracing.told = _TOLD_OF_NOTHING if told else told
    try:
        return ops.stands_for_python(function(*numbers))
    finally:
        tracing.told = told


_TOLD_OF_NOTHING: Told = tuple((kind, "ignore") for kind in ("divide", "over", "under", "invalid"))
"""How Python computes with floats of its own, whatever `np.errstate` in the program says."""


def _in_place(name: str, direct: Any) -> Any:
    """What ``x += y`` gives the name `x`: an array of a graph is changed, and keeps its dtype and its shape.

    Elsewhere it is ``x + y``, a new tensor in the promoted dtype and shape.
    """
    of_numpy = getattr(operator, name)

    def in_place(self: Tensor, other: TensorLike, /) -> Any:
        if tracing.builder is not None:
            if type(self) is Symbol and _is_pythons_beside_sequence(of_numpy, self, other):
                refuse_as_python(of_numpy, self, other)
            _refuse_beside_text(of_numpy, self, other)
            with asked(of_numpy, (self, other)):
                result = direct(self, other)
                return ops.update_in_place(self, name, result) if ops.is_array(self) else result
        try:
            return direct(self, other)
        except Exception as error:
            hide(error)
            raise

    return in_place


def _to_the_power(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """`x1 ** x2`: by the ways that NumPy takes for an array and a few numbers of Python's."""
    if type(x2) in {int, float} and isinstance(x1, Tensor):
        shorter = _POWERS.get((type(x2), x2))
        kind = x1.dtype.kind
        if shorter is not None and (kind in "bc" or x1.dtype is float16) and x1.static_shape:
            if kind != "b":
                return shorter(x1)
            if x2 == 2:  # where they are several, the square of truth values is of the least of integers
                return ops.square(ops.cast(x1, int8))
    return ops.pow(x1, x2)


_POWERS: dict[tuple[type, complex], Callable[[Tensor], Tensor]] = {
    (int, 2): ops.square,
    (int, -1): ops.reciprocal,
    (float, 0.5): ops.sqrt,
}
"""Exponents of Python's, and what NumPy's operator does instead for complex numbers and halves of floats."""

_ARITHMETIC = {
    "add": ops.add,
    "sub": ops.subtract,
    "mul": ops.multiply,
    "truediv": ops.divide,
    "floordiv": ops.floor_divide,
    "mod": ops.remainder,
    "pow": _to_the_power,
    "and": ops.bitwise_and,
    "or": ops.bitwise_or,
    "xor": ops.bitwise_xor,
    "matmul": ops.matmul,
    "lshift": ops.bitwise_left_shift,
    "rshift": ops.bitwise_right_shift,
}
_OF_BITS = frozenset({"and", "or", "xor"})
"""Operators that give a bool of two bools."""
_COMPARISONS = {
    "lt": ops.less,
    "le": ops.less_equal,
    "gt": ops.greater,
    "ge": ops.greater_equal,
    "eq": ops.equal,
    "ne": ops.not_equal,
}
_DIFFERS: dict[Callable[..., Tensor], bool] = {ops.equal: False, ops.not_equal: True}
"""Comparisons that take anything, and what they say of a number beside something else."""
_UNARY: dict[str, Callable[[Tensor], Tensor]] = {
    "__pos__": lambda x: ops.copied(ops.positive(x)),
    "__neg__": ops.negative,
    "__abs__": ops.abs,
    "__invert__": ops.bitwise_invert,
}
_DIVISIONS = {ops.divide: "/", ops.floor_divide: "//", ops.remainder: "%"}
"""Operators that raise in Python where a number of its own is divided by zero."""
_ORDERS = {
    ops.less: operator.lt,
    ops.less_equal: operator.le,
    ops.greater: operator.gt,
    ops.greater_equal: operator.ge,
}
_OF_REALS = {**_ORDERS, ops.floor_divide: operator.floordiv, ops.remainder: operator.mod}
"""Operators that Python has not for complex numbers of its own."""
_GROWING = {
    ops.add: "+",
    ops.subtract: "-",
    ops.multiply: "*",
    _to_the_power: "**",
    ops.bitwise_left_shift: "<<",
    ops.bitwise_right_shift: ">>",
}
"""Operators that give an int of Python's of as many bits as it takes, or take no negative one."""
_EXACT = {*_UNARY.values(), ops.bitwise_and, ops.bitwise_or, ops.bitwise_xor}
"""Operators that give as many bits as they are given."""
_NEGATING = {ops.negative, ops.abs}
"""Those of one int, of which the least has none that is as large."""
_raised, _ = _binary(_to_the_power, operator.pow, counts=True)


_OF_ITSELF: dict[str, Callable[..., Any]] = {
    "__dlpack__": ops.shared_memory,
    "__dlpack_device__": ops.memory_device,
}


def _write(name: str, method: Any) -> None:
    """Makes `method` the method `name` of everything with operators."""
    method.__name__, method.__qualname__ = name, f"{Operators.__name__}.{name}"
    setattr(Operators, name, method)


def _unary(function: Callable[[Tensor], Tensor], sign: Callable[[Any], Any]) -> Any:
    def direct(self: Tensor) -> Tensor:
        if type(self) is Symbol and is_weak(self):
            return _of_numbers(function, (self,), counts=True)
        if tracing.builder is not None:
            with asked(sign, (self,)):
                return _of_either(function, self)
        try:
            return function(self)
        except Exception as error:
            blame(error, sign, (self,))
            raise

    return direct


def _of_itself(function: Callable[..., Any]) -> Any:
    @shows_callers_alone
    def method(self: Tensor, *arguments: Any, **options: Any) -> Any:
        return function(self, *arguments, **options)

    method.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # what `inspect` asks for
    method.__doc__ = function.__doc__
    return method


def _transpose(self: Tensor, *axes: Any) -> Tensor:
    """The axes reversed, or in an order given as one tuple or as its items."""
    return ops.transpose(self, axes[0] if len(axes) == 1 else axes or None)


def _get_item(self: Tensor, key: Any, /) -> Tensor:
    if tracing.builder is not None:
        with asked(operator.getitem, (self, key)):
            return ops.get_item(self, key)
    try:
        return ops.get_item(self, key)
    except Exception as error:
        blame(error, operator.getitem, (self, key))
        raise


def _transposed(self: Tensor) -> Tensor:
    """The tensor with its axes in the opposite order; of a matrix, rows for columns."""
    if type(self) in EAGER and current_builder() is None:
        return type(self)(self._array.T)
    return ops.transpose(self)


@shows_callers_alone
def _matrix_transposed(self: Tensor) -> Tensor:
    """The matrices in the last two axes, each with its axes exchanged."""
    if self.static_shape is not None and len(self.static_shape) < 2:
        raise ShapeError(
            f"`.mT` of {self.spec}",
            why="It exchanges the last two axes.",
            way_out="Give it an axis with `rt.expand_dims`.",
        )
    return ops.matrix_transpose(self)


def _device(_: Tensor) -> str:
    """Where the elements are: ``"cpu"``."""
    return CPU


def _to_device(self: Tensor, device: Any, /, *, stream: Any = None) -> Tensor:
    """The tensor on `device`, where it is already, as there is one.

    Raises
    ------
    InvalidValue
        When there is no such device, or a stream is given, which the processor does not have.
    """
    require_device(device)
    if stream is not None:
        raise InvalidValue(
            f"`to_device` was given the stream {stream!r}",
            why="The processor runs one operation after the other, without streams.",
            way_out="Leave out `stream`.",
        )
    return as_tensor(self)


def _pow(self: Tensor, other: TensorLike, modulus: TensorLike | None = None, /) -> Any:
    """`pow(self, other)`, or `pow(self, other, modulus)` of integers, which in a graph are Python's."""
    if modulus is None:
        return _raised(self, other)
    return _pow_modulo(self, other, modulus) if isinstance(other, _OPERANDS) else NotImplemented


@as_numpys(method_of_arrays("__pow__"))
def _pow_modulo(self: Tensor, other: TensorLike, modulus: TensorLike, /) -> Any:
    if type(self) is Symbol:
        _require_integers_of_python(self, other, modulus)
    result = bind(ops.PowMod(), self, other, modulus)
    return ops.stands_for_python(result) if all(map(is_weak, (self, other, modulus))) else result


def _require_integers_of_python(*operands: Any) -> None:
    try:
        refuse_as_python(pow, *operands)
    except TypeError as error:
        raise DTypeError(
            str(error),
            why="Python's `pow` takes a modulus with its own integers alone, and none of NumPy's.",
            way_out="Make them integers of Python's: `pow(int(x), int(y), int(z))`.",
        ) from None


def _divmod(self: Tensor, other: TensorLike, /) -> Any:
    """`divmod(self, other)`."""
    if not isinstance(other, _OPERANDS):
        return NotImplemented
    _check_divmod(self, other)
    return self // other, self % other


def _reflected_divmod(self: Tensor, other: TensorLike, /) -> Any:
    """`divmod(other, self)`."""
    if not isinstance(other, _OPERANDS):
        return NotImplemented
    _check_divmod(other, self)
    return other // self, other % self


def _check_divmod(x: TensorLike, y: TensorLike) -> None:
    """Of floats of its own, Python says in other words what is divided by zero."""
    if is_weak(x) and is_weak(y) and "f" in {kind_of(x), kind_of(y)} and not is_strict():
        ops.check_number(x, y, "divmod")


def _round(self: Tensor, digits: int | None = None) -> Tensor:
    """`round(self)`, which is an integer, or `round(self, digits)`; halves go to the even neighbour."""
    if digits is not None:
        rounded = bind(ops.Round(operator.index(digits)), self)
        return ops.stands_for_python(rounded) if is_weak(self) else rounded
    return ops.as_whole_number(ops.round(self) if self.dtype.is_floating else self)


def _to_whole(function: Callable[[Tensor], Tensor], plain: Callable[[float], int]) -> Any:
    """What `math` asks for: a Python int where the value is there, an integer of the graph elsewhere."""

    def method(self: Tensor) -> Any:
        tensor = as_tensor(self)
        return ops.as_whole_number(function(tensor)) if is_symbolic(tensor) else plain(tensor.item())

    return method


def _astype(
    self: Tensor,
    /,
    dtype: Any,
    order: str = "K",
    casting: Any = "unsafe",
    subok: bool = True,  # noqa: ARG001  # there are no subclasses
    *,
    copy: bool = True,
    device: Any = None,
) -> Tensor:
    """As `rt.astype`; arrays of NumPy's take `dtype` by name, too, and refuse casts where asked."""
    to = as_dtype(dtype)
    if order_of(order) == "F" or not np.can_cast(self.dtype.numpy, to.numpy, casting):
        raise DTypeError(
            f"{self.dtype} as {to} with order={order!r}, casting={casting!r}",
            why="That cast may lose something, or there is no such order in memory.",
            way_out="Leave `order=` and `casting=` out.",
        )
    return ops.astype(self, dtype, copy=copy, device=device)


def _set_item(self: Tensor, key: Any, value: Any, /) -> None:
    """``x[key] = value`` of an array of a graph."""
    if type(self) is not Symbol or current_builder() is None or is_strict():
        raise ImmutableTensor(
            "an item of a tensor was set",
            way_out="Write `x = x.at[key].set(value)`, and return it to those who read it; AutoGraph does "
            "that for a variable that the function itself reads again.",
        )
    ops.write_item(self, key, value)


def _refuse_item_deletion(self: Tensor, key: Any) -> NoReturn:
    if ops.is_array(self):
        with asked(operator.delitem, (self, key)):
            raise InvalidValue(
                "cannot delete array elements",
                why="An array keeps its length; so does the memory behind it.",
                way_out="Select what stays: `x = np.delete(x, i)`, or `x = x[mask]`.",
            )
    if isinstance(self, Symbol) and isinstance(self.spec, ArraySpec) and not is_symbolic(key):
        refuse_as_python(lambda number: operator.delitem(number, key), self)
    raise ImmutableTensor(
        "an item of a tensor was deleted",
        way_out="Select what stays, as in `x = x[rt.arange(len(x)) != i]`.",
    )


def _refuse_shape(self: Tensor, value: Any) -> NoReturn:  # noqa: ARG001  # a setter of Python
    """``x.shape = …`` would give an array another shape under all of its names."""
    raise ImmutableTensor(
        "the shape of a tensor was set",
        why="Others that hold the array would see another shape.",
        way_out=f"Bind the name to the array in that shape: `x = x.reshape({value})`.",
    )


def _blames_caller(method: Callable[..., Any]) -> Callable[..., Any]:
    """A conversion of Python's; what it raises, and what NumPy raises in it, shows the line that asks."""

    @wraps(method)
    def called(self: Tensor) -> Any:
        try:
            return method(self)
        except Exception as error:
            hide(no_defect(error))
            raise

    return called


def _deepcopy(self: Tensor, memo: object) -> Tensor:  # noqa: ARG001  # a signature of Python
    """What `copy.deepcopy` makes of an array of a graph."""
    return ops.copied(self)


def _format(self: Symbol, spec: str) -> str:
    """What `format` leaves in a text of the graph; it raises at once what no value can be shown as."""
    marks = current_marks()
    if spec and isinstance(self.spec, ArraySpec) and not (marks and marks.read(spec)[1]):
        refuse_as_python(format, self, spec)
    return _format_of_any(self, spec)


_format_of_any = Symbol.__format__
Symbol.__format__ = _format  # type: ignore[method-assign]  # it asks Python, on an upper floor
Symbol.shape = property(ops.dimensions, _refuse_shape)  # type: ignore[assignment]  # it asks ops, of an upper floor
Symbol.size = property(ops.shown_size)  # type: ignore[assignment]  # likewise
Symbol.__copy__ = ops.copied  # type: ignore[method-assign, assignment]  # an array is another one then
Symbol.__deepcopy__ = _deepcopy  # type: ignore[method-assign]  # likewise

for _name, _function in _ARITHMETIC.items():
    _sign = getattr(operator, f"__{_name}__")
    _operator, _reflected = _binary(_function, _sign, counts=_name not in _OF_BITS)
    _write(f"__r{_name}__", _reflected)
    _write(f"__i{_name}__", _in_place(f"__i{_name}__", _operator))
    _write(f"__{_name}__", _operator)
for _name, _function in _COMPARISONS.items():
    _write(f"__{_name}__", _binary(_function, getattr(operator, _name))[0])
for _name, _unary_function in _UNARY.items():
    _write(_name, _unary(_unary_function, getattr(operator, _name)))

for _name, _less_often in {
    "ceil": _to_whole(ops.ceil, math.ceil),
    "floor": _to_whole(ops.floor, math.floor),
    "trunc": _to_whole(ops.trunc, math.trunc),
    "round": _round,
    "divmod": _divmod,
    "rdivmod": _reflected_divmod,
    "setitem": _set_item,
    "delitem": _refuse_item_deletion,
}.items():
    _write(f"__{_name}__", as_numpys(method_of_arrays(f"__{_name}__"))(_less_often))

for _name in ("bool", "complex", "float", "index", "int", "iter", "len"):
    setattr(Tensor, f"__{_name}__", _blames_caller(vars(Tensor)[f"__{_name}__"]))
for _name, _own in _OF_ITSELF.items():
    _write(_name, _of_itself(_own))
_write("__pow__", shows_callers_alone(_pow))  # each of its forms says whose call it is
_write("astype", as_numpys(method_of_arrays("astype"))(_astype))
_write("to_device", shows_callers_alone(_to_device))
_write("transpose", as_numpys(method_of_arrays("transpose"))(_transpose))
_write("__getitem__", _get_item)
for _name, _property in {
    "T": _transposed,
    "at": At,
    "device": _device,
    "mT": _matrix_transposed,
}.items():
    setattr(Operators, _name, property(_property))
