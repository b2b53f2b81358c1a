"""What NumPy asks of a tensor that it meets: the file that writes its two protocols onto `Operators`.

`np.sin(tensor)` and `array + tensor` come through ``__array_ufunc__``, `np.sum(tensor)` through
``__array_function__``. The adapters of the latter are loaded when NumPy first asks for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

from runtime import ops
from runtime.core.tensor import Operators, Tensor
from runtime.core.tracing import tracing
from runtime.errors import RefusedConstruct
from runtime.graph.build import as_operand, as_tensor, bind, builder_in_use, is_strict
from runtime.graph.op import REGISTRY
from runtime.graph.symbol import Symbol
from runtime.ops.families import Elementwise
from runtime.ops.known import concrete
from runtime.ops.refused_calls import asked, blame
from runtime.ops.small import note_applied

__all__ = ["UFUNCS", "loaded_late", "stand_in"]


def _as_arrays(op: Elementwise, *operands: Any) -> Tensor:
    """What a ufunc gives, which takes complex numbers as arrays, where the operator takes them as scalars.

    A scalar of NumPy's among them says that it is the operator: it asks the ufunc where it meets a tensor.
    """
    result = bind(op, *operands)
    is_number = result.static_shape == () and not any(isinstance(each, np.generic) for each in operands)
    numbers = [as_tensor(each) for each in operands] if is_number else []
    if not any(each.dtype.is_complex for each in numbers):
        return result
    return _number_of(bind(op, *[ops.reshape(each, (1,)) for each in numbers]))


def _power_of_arrays(base: Any, exponent: Any) -> Tensor:
    """Likewise of floats: NumPy's function has short cuts for squares, roots and reciprocals, as of arrays.

    It takes them where all elements have one exponent, so that has no axes here either.
    """
    op = ops.arithmetic.Pow()
    is_operator = any(isinstance(each, np.generic) for each in (base, exponent))
    operands = [] if is_operator else [as_operand(each) for each in (base, exponent)]
    numbers = [as_tensor(each) for each in operands]
    if is_operator or any(each.static_shape != () for each in numbers):
        return bind(op, base, exponent)
    dtype = op.operand_dtypes(op.kinds_of(operands))[0]
    if not dtype.is_floating:
        return bind(op, base, exponent)
    number, known = ops.cast(numbers[0], dtype), concrete(numbers[1])
    short = None if known is None else _SHORT_WAYS.get(float(known))
    if short is not None:
        return short(number)
    return _number_of(bind(op, ops.reshape(number, (1,)), exponent))


_SHORT_WAYS: dict[float, Callable[[Tensor], Tensor]] = {
    2.0: ops.square,
    0.5: ops.sqrt,
    -1.0: ops.reciprocal,
}


def _number_of(row: Tensor) -> Tensor:
    """The element of an array of one."""
    found = ops.reshape(row, ())
    if isinstance(found, Symbol):
        builder_in_use().arrays.make_own(found.value)  # a number, and no view of that array
    return found


UFUNCS: dict[np.ufunc, Callable[..., Any]] = {
    np.matmul: ops.matmul,
    np.positive: lambda x: ops.copied(ops.positive(x)),
    **{
        op.ufunc: partial(bind, op())
        for op in REGISTRY.values()
        if issubclass(op, Elementwise) and op.is_ufunc()
    },
    np.absolute: partial(_as_arrays, ops.arithmetic.Abs()),
    np.multiply: partial(_as_arrays, ops.arithmetic.Mul()),
    np.power: _power_of_arrays,
    np.floor_divide: ops.floor_divide,
    np.remainder: ops.remainder,
}
"""NumPy's ufuncs, and what they do with tensors: the op whose kernel they are."""


@cache
def loaded_late() -> ModuleType:
    """Calls by the adapters."""
    from runtime.numpy_functions import calls  # noqa: PLC0415  # it is large, and many programs never ask

    return calls


def stand_in(callee: Any) -> Callable[..., Any] | None:
    """What a function, ufunc or scalar type of NumPy is on tensors, in lists too; None where it is nothing.

    NumPy asks no tensor that it meets in a list of ``np.sum([x, y])``, nor in ``np.array(x)``.
    """
    found: Callable[..., Any] | None = loaded_late().stand_in(callee)
    return found


def _array_ufunc(_: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
    """What NumPy calls for ``np.sin(tensor)`` and ``array + tensor``."""
    if len(inputs) == 1 and is_strict():  # of two operands, one may be an array beside an operator
        _refuse()
    if tracing.builder is not None:
        with asked(getattr(ufunc, method), inputs, options):
            return _called(ufunc, method, inputs, options)
    try:
        return _called(ufunc, method, inputs, options)
    except Exception as error:
        blame(error, getattr(ufunc, method), inputs, options)
        raise


def _called(ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    function = UFUNCS.get(ufunc)
    if function is not None and method == "__call__" and not options and not _has_list(inputs):
        result = function(*inputs)
        builder = tracing.builder
        if builder is not None and builder.context.mixed and isinstance(result, Symbol):
            note_applied(result, inputs)
        return ops.copied(result) if any(result is each for each in inputs) else result
    return loaded_late().call_ufunc(ufunc, method, inputs, options)


def _has_list(inputs: Sequence[Any]) -> bool:
    return any(type(each) in {list, tuple} for each in inputs)


def _array_function(
    _: Tensor,
    function: Callable[..., Any],
    types: Sequence[type],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> Any:
    """What NumPy calls for ``np.sum(tensor)``."""
    if is_strict():
        _refuse()
    if not all(issubclass(kind, (Operators, np.ndarray)) for kind in types):
        return NotImplemented
    with asked(function, args, kwargs):
        return loaded_late().call_function(function, args, kwargs)


def _refuse() -> NoReturn:
    raise RefusedConstruct(
        "Cannot convert a symbolic tf.Tensor to a numpy array. This error may indicate that you're trying "
        "to pass a Tensor to a NumPy call, which is not supported.",
        way_out="Use the function of `rt` in place of NumPy's.",
    )


for _name, _method in {"__array_ufunc__": _array_ufunc, "__array_function__": _array_function}.items():
    setattr(Operators, _name, _method)
