"""Sums, products, quotients, powers; the greater and the lesser."""

from __future__ import annotations

import numpy as np

from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.checks import check_divisor
from runtime.ops.facts import COMPLEX, FLOATING, INTEGER, NUMERIC, GraphDef, binary, unary
from runtime.ops.families import ALL, Elementwise
from runtime.ops.known import concrete
from runtime.ops.promotion import cast_operand, require_dtype

__all__ = [
    "Abs",
    "AddV2",
    "FloorDiv",
    "FloorMod",
    "Maximum",
    "Minimum",
    "Mul",
    "Neg",
    "Pow",
    "RealDiv",
    "Sign",
    "Square",
    "Sub",
    "abs",
    "add",
    "divide",
    "floor_divide",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "positive",
    "pow",
    "remainder",
    "sign",
    "square",
    "subtract",
]


class AddV2(Elementwise):
    """The sum of each pair of elements."""

    ufunc = np.add
    input_names = ("x", "y")
    graphdef = GraphDef("AddV2", "z", node="add")
    accepts = ALL
    samples = binary(dtypes=NUMERIC)


def add(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Sum of each element of `x1` and the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Integers wrap around; two bools give their `or`. GraphDef "AddV2". Semantics: Array API 2025.12, `add`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.add(rt.asarray([1, 2]), 0.5)
    <Tensor: shape=(2,), dtype=float64, numpy=array([1.5, 2.5])>
    """
    return bind(AddV2(), x1, x2)


class Sub(Elementwise):
    """The difference of each pair of elements."""

    ufunc = np.subtract
    input_names = ("x", "y")
    graphdef = GraphDef("Sub", "z", node="sub")
    accepts = NUMERIC
    samples = binary(dtypes=NUMERIC)


def subtract(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Difference of each element of `x1` and the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Integers wrap around. GraphDef "Sub". Semantics: Array API 2025.12, `subtract`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.subtract(rt.asarray([1, 2]), 2)
    <Tensor: shape=(2,), dtype=int64, numpy=array([-1,  0])>
    """
    return bind(Sub(), x1, x2)


class Mul(Elementwise):
    """The product of each pair of elements."""

    ufunc = np.multiply
    of_numbers = "scalar_multiply"
    input_names = ("x", "y")
    graphdef = GraphDef("Mul", "z", node="mul")
    accepts = ALL
    samples = binary(dtypes=NUMERIC)


def multiply(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Product of each element of `x1` and the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    Integers wrap around; two bools give their `and`. GraphDef "Mul". Semantics: Array API 2025.12,
    `multiply`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.multiply(rt.asarray([[1], [2]]), rt.asarray([3, 4]))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[3, 4],
           [6, 8]])>
    """
    return bind(Mul(), x1, x2)


class RealDiv(Elementwise):
    """The quotient of each pair of elements, never rounded to an integer."""

    ufunc = np.true_divide
    input_names = ("x", "y")
    graphdef = GraphDef("RealDiv", "z", node="truediv")
    accepts = FLOATING | COMPLEX
    samples = binary(low=0.5, dtypes=FLOATING | COMPLEX)


def divide(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Quotient of each element of `x1` and the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of a floating-point or complex dtype
        Integers give float64.

    Notes
    -----
    GraphDef "RealDiv". Semantics: Array API 2025.12, `divide`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.divide(rt.asarray([1, 2]), 4)
    <Tensor: shape=(2,), dtype=float64, numpy=array([0.25, 0.5 ])>
    """
    return bind(RealDiv(), x1, x2)


class FloorDiv(Elementwise):
    """The quotient of each pair of elements, rounded down."""

    ufunc = np.floor_divide
    input_names = ("x", "y")
    graphdef = GraphDef("FloorDiv", "z", node="floordiv")
    accepts = INTEGER | FLOATING
    samples = binary(low=1, dtypes=INTEGER | FLOATING)


def floor_divide(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Quotient of each element of `x1` and the one of `x2`, rounded towards minus infinity.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Raises
    ------
    ZeroDivisionError
        When an integer without axes is divided by zero.

    Notes
    -----
    As Python's `//`. Where either operand has axes, an integer divided by zero gives 0 and NumPy's warning.
    GraphDef "FloorDiv". Semantics: Array API 2025.12, `floor_divide`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.floor_divide(rt.asarray([7, -7]), 2)
    <Tensor: shape=(2,), dtype=int64, numpy=array([ 3, -4])>
    """
    check_divisor(x1, x2, "//")
    return bind(FloorDiv(), x1, x2)


class FloorMod(Elementwise):
    """What floor division leaves, for each pair of elements."""

    ufunc = np.remainder
    input_names = ("x", "y")
    graphdef = GraphDef("FloorMod", "z", node="mod")
    accepts = INTEGER | FLOATING
    samples = binary(low=1, dtypes=INTEGER | FLOATING)


def remainder(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Remainder of `floor_divide`; it has the sign of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Raises
    ------
    ZeroDivisionError
        When an integer without axes is divided by zero.

    Notes
    -----
    As Python's `%`. Where either operand has axes, an integer modulo zero gives 0 and NumPy's warning.
    GraphDef "FloorMod". Semantics: Array API 2025.12, `remainder`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.remainder(rt.asarray([7, -7]), 4)
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 1])>
    """
    check_divisor(x1, x2, "%")
    return bind(FloorMod(), x1, x2)


class Pow(Elementwise):
    """Each element raised to the power of another."""

    ufunc = np.power
    of_numbers = "scalar_power"
    kinds_of_numbers = "fc"  # of arrays, 0.5 is a root
    input_names = ("x", "y")
    graphdef = GraphDef("Pow", "z", node="pow")
    accepts = NUMERIC
    samples = binary(low=0.5, high=3, dtypes=NUMERIC)

    def raises(self, *specs: ArraySpec) -> Failures:
        failures = super().raises(*specs)
        return failures | {ValueError} if specs[1].dtype.kind == "i" else failures

    def decompose(self, x: Tensor, y: Tensor) -> Tensor | None:
        """The square of a complex number is a product, but for zero, whose sign a power forgets."""
        exponent = concrete(y)
        is_square = exponent is not None and exponent.shape == () and bool(exponent == 2)
        if x.dtype.is_complex and x.static_shape == () and is_square:
            to_core = "select(x0 == T(0.0), T(0.0), scalar_square(x0))"
            return ops.core.scalar_map(to_core, cast_operand(x, self.result_dtype(x.dtype, y.dtype)))
        return self._mapped(x, y)


def pow(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Each element of `x1` to the power of the one of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Raises
    ------
    ValueError
        When an integer is raised to a negative integer; write the exponent as a float.

    Notes
    -----
    GraphDef "Pow". Semantics: Array API 2025.12, `pow`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.pow(rt.asarray([2, 3]), 2)
    <Tensor: shape=(2,), dtype=int64, numpy=array([4, 9])>
    """
    return bind(Pow(), x1, x2)


class Maximum(Elementwise):
    """The greater of each pair of elements."""

    ufunc = np.maximum
    input_names = ("x", "y")
    graphdef = GraphDef("Maximum", "z")
    accepts = ALL
    samples = binary(dtypes=INTEGER | FLOATING)


def maximum(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The greater of each element of `x1` and the one of `x2`; NaN where either is.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    GraphDef "Maximum". Semantics: Array API 2025.12, `maximum`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.maximum(0.0, rt.asarray([1, -1]))
    <Tensor: shape=(2,), dtype=float64, numpy=array([1., 0.])>
    """
    return bind(Maximum(), x1, x2)


class Minimum(Elementwise):
    """The lesser of each pair of elements."""

    ufunc = np.minimum
    input_names = ("x", "y")
    graphdef = GraphDef("Minimum", "z")
    accepts = ALL
    samples = binary(dtypes=INTEGER | FLOATING)


def minimum(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The lesser of each element of `x1` and the one of `x2`; NaN where either is.

    Parameters
    ----------
    x1, x2 : Tensor of a real dtype
        Their shapes broadcast together.

    Returns
    -------
    Tensor of the promoted dtype

    Notes
    -----
    GraphDef "Minimum". Semantics: Array API 2025.12, `minimum`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.minimum(0, rt.asarray([1, -1]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([ 0, -1])>
    """
    return bind(Minimum(), x1, x2)


class Neg(Elementwise):
    """The negative of each element."""

    ufunc = np.negative
    graphdef = GraphDef("Neg", "y")
    accepts = NUMERIC
    samples = unary(dtypes=NUMERIC)


def negative(x: TensorLike, /) -> Tensor:
    """Each element of `x` with its sign turned.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of the same shape and dtype

    Notes
    -----
    GraphDef "Neg". Semantics: Array API 2025.12, `negative`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.negative(rt.asarray([1, -2]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([-1,  2])>
    """
    return bind(Neg(), x)


class Abs(Elementwise):
    """The absolute value of each element."""

    ufunc = np.absolute
    of_numbers = "scalar_absolute"
    graphdef = GraphDef("Abs", "y")
    accepts = ALL
    samples = unary(dtypes=NUMERIC)


def abs(x: TensorLike, /) -> Tensor:
    """Absolute value of each element of `x`.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of the same shape and dtype
        The magnitude, of the real dtype, for complex numbers.

    Notes
    -----
    GraphDef "Abs". Semantics: Array API 2025.12, `abs`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.abs(rt.asarray([1, -2]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>
    """
    return bind(Abs(), x)


class Sign(Elementwise):
    """-1, 0 or 1 for each element."""

    ufunc = np.sign
    graphdef = GraphDef("Sign", "y")
    accepts = NUMERIC
    samples = unary(dtypes=NUMERIC)


def sign(x: TensorLike, /) -> Tensor:
    """Sign of each element of `x`: -1, 0 or 1; NaN where it has one.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of the same shape and dtype

    Notes
    -----
    A complex number is divided by its magnitude. GraphDef "Sign". Semantics: Array API 2025.12, `sign`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sign(rt.asarray([3.0, 0.0, -0.5]))
    <Tensor: shape=(3,), dtype=float64, numpy=array([ 1.,  0., -1.])>
    """
    result = bind(Sign(), x)
    if not result.dtype.is_complex:
        return result
    return ops.where(
        ops.isnan(as_tensor(x)), complex(np.nan, np.nan), result
    )  # NumPy looks at infinities first


class Square(Elementwise):
    """Each element times itself."""

    ufunc = np.square
    of_numbers = "scalar_square"
    graphdef = GraphDef("Square", "y")
    accepts = NUMERIC
    samples = unary(dtypes=NUMERIC)

    def decompose(self, x: Tensor) -> Tensor | None:
        """Of complex numbers in arrays a product, whose bits are certain."""
        if x.dtype.is_complex and x.static_shape != ():
            return ops.core.scalar_map("x0 * x0", x)
        return self._mapped(x)


def square(x: TensorLike, /) -> Tensor:
    """Square of each element of `x`.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of the same shape and dtype

    Notes
    -----
    Integers wrap around. GraphDef "Square". Semantics: Array API 2025.12, `square`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.square(rt.asarray([1, -3]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([1, 9])>
    """
    return bind(Square(), x)


def positive(x: TensorLike, /) -> Tensor:
    """`x` itself.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor

    Raises
    ------
    DTypeError
        For bools, as in NumPy.

    Notes
    -----
    Semantics: Array API 2025.12, `positive`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.positive(rt.asarray([1, -2]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([ 1, -2])>
    """
    tensor = as_tensor(x)
    require_dtype("positive", tensor.dtype, NUMERIC)
    return tensor
