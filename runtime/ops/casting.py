"""From one dtype to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.devices import require_device
from runtime.core.dtypes import (
    NUMPY_DEFAULTS,
    DType,
    as_dtype,
    bool_,
    casts_quietly,
    float32,
    int32,
    int64,
    uint64,
)
from runtime.core.dtypes import result_type as promoted_dtype
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, InvalidValue
from runtime.graph.build import (
    as_operand,
    bind,
    current_builder,
    current_defaults,
    is_weak,
    promotion_operand,
)
from runtime.graph.op import FRESH, Aliases, Effects
from runtime.graph.symbol import Symbol
from runtime.ops import core
from runtime.ops.core.elements import scalar_map
from runtime.ops.facts import (
    FLOATING,
    NUMERIC,
    STRING,
    GraphDef,
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    Samples,
    raising,
    unary,
)
from runtime.ops.families import ALL, Family

__all__ = [
    "Cast",
    "ToInteger",
    "as_whole_number",
    "astype",
    "cast",
    "dtype_with_room",
    "held_as",
    "python_number",
    "require_cast",
    "result_type",
    "stands_for_python",
]


def _casts() -> list[Sample]:
    return [
        Sample(sample.arrays, {"to": to})
        for to in (bool_, int32, float32)
        for sample in unary(dtypes=NUMERIC - {to})
        if not (sample.arrays[0].dtype.kind == "c" and not to.is_bool)
    ]


class Cast(Family):
    """The elements in another dtype."""

    to: DType

    graphdef = GraphDef("Cast", "y", types={"SrcT": "in0", "DstT": "out0"})
    accepts = ALL
    lies_as_operands = True
    samples = Samples(_casts)
    raises = raising()

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_cast(x.dtype, self.to)
        return x.with_dtype(self.to)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return frozenset([0]) if specs[0].dtype is self.to else FRESH

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return casts_quietly(specs[0].dtype, self.to)

    def kernel(self, x: Array) -> Any:
        return np.asarray(x, self.to.numpy)

    def decompose(self, x: Tensor) -> Tensor:
        return scalar_map(f"{self.to.short}(x0)", x)


class ToInteger(Family):
    """A single floating-point number as the integer that Python's `int` makes of it."""

    to: DType

    accepts = FLOATING
    samples = (
        Sample((np.array(-2.5),), {"to": int64}),
        Sample((np.array(3.5, np.float32),), {"to": int32}),
        Sample((np.array(np.nan),), {"to": int64}, ValueError),
        Sample((np.array(np.inf),), {"to": int64}, OverflowError),
        Sample((np.array(1e30),), {"to": int64}, OverflowError),
    )
    raises = raising(ValueError, OverflowError, TypeError)

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, x: ArraySpec) -> ArraySpec:
        del x
        return ArraySpec((), self.to)

    @property
    def _bound(self) -> float:
        """The first number that is too large."""
        return 2.0 ** (8 * self.to.numpy.itemsize - 1)

    def kernel(self, x: Array) -> Any:
        return np.asarray(int(x), self.to.numpy)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape != ():
            return None
        core.check(scalar_map("x0 == x0", x), "ValueError", "cannot convert float NaN to integer")
        infinite = "cannot convert float infinity to integer"
        core.check(scalar_map("absolute(x0) != T(inf)", x), "OverflowError", infinite)
        fits = scalar_map(f"logical_and(x0 >= T({-self._bound}), x0 < T({self._bound}))", x)
        core.check(fits, "OverflowError", "Python int too large to convert to C long")
        return scalar_map(f"{self.to.short}(x0)", x)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype = specs[0].dtype
        least, end = builder.constant(-self._bound, dtype), builder.constant(self._bound, dtype)
        above = builder.node("GreaterEqual", [inputs[0], least], "z", T=dtype)
        below = builder.node("Less", [inputs[0], end], "z", T=dtype)
        text = builder.text("a number that is NaN, or too large for an integer")
        builder.effect(
            "Assert", [builder.node("LogicalAnd", [above, below], "z"), text], T=[STRING], summarize=-1
        )
        return [builder.node("Cast", inputs, SrcT=dtype, DstT=self.to)]


def require_cast(source: DType, to: DType) -> None:
    """Refuses a cast that would drop the imaginary part.

    Raises
    ------
    DTypeError
        When it would.
    """
    if source.is_complex and not (to.is_complex or to.is_bool):
        raise DTypeError(
            f"{source.name} cannot be cast to {to.name}",
            why="That would drop the imaginary part.",
            way_out="Take `rt.real(x)` or `rt.abs(x)` first.",
        )


def astype(x: TensorLike, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor:
    """The elements of `x` in another dtype.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, numpy.dtype, type or str
    copy : bool, optional
        Whether the result is an array of its own, also where `x` has the dtype: a graph writes into arrays.
        Other tensors never change, and for those it makes no difference.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype` and the same shape
        Floats are cut towards zero for integers, integers wrap
        around, and numbers are true unless zero.

    Raises
    ------
    DTypeError
        When a complex tensor would lose its imaginary part.
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Cast". Semantics: Array API 2025.12, `astype`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.astype(rt.asarray([1.5, -0.5]), rt.int32)
    <Tensor: shape=(2,), dtype=int32, numpy=array([1, 0], dtype=int32)>
    """
    require_device(device)
    found = cast(x, dtype)
    return ops.copied(found) if copy and found is x else found


def cast(x: TensorLike, dtype: Any, /) -> Tensor:
    """The elements of `x` in another dtype; `x` itself where it has that.

    Parameters
    ----------
    x : Tensor of any dtype
    dtype : DType, numpy.dtype, type or str

    Returns
    -------
    Tensor of `dtype` and the same shape

    Raises
    ------
    DTypeError
        When a complex tensor would lose its imaginary part.
    IntTooLarge
        When `x` is an int of Python's that has no dtype.

    Notes
    -----
    GraphDef "Cast". Semantics: those of `astype` without a copy.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.cast(rt.asarray([0, 2]), rt.bool)
    <Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    to = as_dtype(dtype)
    operand = as_operand(x)
    if isinstance(operand, (bool, int, float, complex)):
        operand = Tensor(np.asarray(operand, NUMPY_DEFAULTS.of(operand).numpy))
    if operand.dtype is to:
        return operand if isinstance(operand, Tensor) else bind(Cast(to), operand)
    require_cast(operand.dtype, to)
    return bind(Cast(to), operand)


def dtype_with_room(dtype: DType, number: Any) -> DType:
    """The dtype itself, or one of more integers where it has no room for an int of Python's.

    No integers have all of both 64 bits and a sign: who puts the number into such a variable is told so.
    """
    if type(number) is not int or not dtype.is_integer or dtype.min <= number <= dtype.max:
        return dtype
    found = promoted_dtype(dtype, current_defaults().of(0))
    return found if found.is_integer else dtype


def held_as(x: Tensor, dtype: DType) -> Tensor:
    """A value in the dtype of a variable or of a list, which also has others.

    Where it stands for an int of Python's, it has room there, or the run raises.
    """
    if x.dtype is dtype:
        return x
    if is_weak(x) and x.dtype.is_integer and dtype.is_integer:
        ops.check_held(x, dtype)
    return cast(x, dtype)


def as_whole_number(x: Tensor) -> Tensor:
    """A number without a fraction, as an integer: what Python's `round`, `floor` and the like give."""
    whole = current_defaults().integer
    if not x.dtype.is_floating:
        return python_number(x) if x.dtype.is_integer else python_number(x, whole)
    builder = current_builder()
    if builder is None or x.static_shape != () or builder.defaults.static_shapes:
        return python_number(x, whole)
    return stands_for_python(bind(ToInteger(whole), x))


def python_number(x: Tensor, dtype: DType | None = None) -> Tensor:
    """A number of a graph as one of Python's, or many: it takes the dtype of what stands beside it.

    Parameters
    ----------
    x : Tensor of any shape
    dtype : DType, optional
        The default dtype of a kind; by default that of the kind of `x`.
    """
    builder = current_builder()
    if builder is None or builder.strict:
        return cast(x, dtype or x.dtype)
    if x.dtype is uint64 and dtype is None:
        ops.check_unsigned(x)
    return stands_for_python(bind(Cast(dtype or _default_of_kind(x.dtype)), x))


def stands_for_python(number: Tensor) -> Tensor:
    """The number, of whose value the graph notes that plain Python has a number of its own there."""
    builder = current_builder()
    if builder is not None and isinstance(number, Symbol):
        builder.context.weak.add(number.value)
    return number


def _default_of_kind(dtype: DType) -> DType:
    """The dtype of the Python numbers that are like those of a dtype."""
    defaults = current_defaults()
    if dtype.is_bool:
        return dtype
    if dtype.is_integer:
        return defaults.integer
    return defaults.complexes if dtype.is_complex else defaults.floating


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype in which tensors and dtypes meet, by NumPy's promotion.

    Parameters
    ----------
    *arrays_and_dtypes : Tensor, DType or Python number
        Python's own numbers take the dtype of what is beside them, unless they are of a higher kind.

    Returns
    -------
    DType

    Raises
    ------
    DTypeError
        When something has no dtype.
    InvalidValue
        When nothing is given.

    Notes
    -----
    Semantics: Array API 2025.12, `result_type`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.result_type(rt.asarray([1, 2], dtype=rt.int8), rt.float16, 2)
    float16
    """
    if not arrays_and_dtypes:
        raise InvalidValue(
            "`result_type` of nothing",
            why="It says in which dtype tensors and dtypes meet.",
            way_out="Give it one or more.",
        )
    weights = [
        as_dtype(each)
        if isinstance(each, (DType, str, type, np.dtype))
        else promotion_operand(as_operand(each))
        for each in arrays_and_dtypes
    ]
    return promoted_dtype(*weights, defaults=current_defaults())
