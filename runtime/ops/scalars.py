"""Scalar functions: what an elementwise op does to each element, in one table.

An op names its function (`Op.scalar`); a reduction, a scan or an update may fold with one. Whoever computes
elements in another way than by NumPy's arrays, such as native code, needs these functions and no others. Most
have the name and the meaning of a ufunc of NumPy. Casts are not among them: a cast is said by its two dtypes.

    >>> SCALARS["arctan2"]
    arctan2(TT) -> T for f
    >>> SCALARS["arctan2"].result([float32, float32])
    float32
    >>> SCALARS["add"].is_exact(float32), SCALARS["exp"].is_exact(float32)
    (True, False)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, bool_, complex64, float32, float64, int32, int64, uint8
from runtime.core.tensor import Array
from runtime.ops.roundings import magnitude, of_parts, power, product, squared

__all__ = ["SCALARS", "ScalarFunction", "each_by"]

_FIXED = {"b": (bool_,), "i": (int32, int64), "l": (int64,), "u": (uint8,)}


@dataclass(frozen=True)
class ScalarFunction:
    """One function of one or more numbers.

    Attributes
    ----------
    name : str
    meaning : callable
        The function on arrays that broadcast together. It works on each element by itself.
    signature : str
        A letter for each operand and, after ``>``, for the result: ``T`` for the dtype that operands have in
        common, ``R`` for the real dtype of ``T``'s parts, ``b`` for bool, ``u`` for uint8, ``i`` for int32 or
        int64, ``l`` for int64.
    kinds : str
        The kinds that ``T`` may be of, as letters of `DType.kind`.
    exact : str
        Those of these kinds in which the result is one certain number of its dtype, whatever computes it:
        integers wrap around; floats are rounded once, or as the comment says. Those of 16 bits are computed
        in float32 and rounded at the end. Any NaN stands for any other.
    quiet : str
        Those of these kinds in which NumPy warns of no numbers: nothing overflows, nothing is undefined.
    ulps : mapping of str to float
        For kinds that are not exact: how far the result of NumPy, and of anybody else, may be from the one
        that is rounded correctly, in units of its last place; for a complex number, of that of its magnitude.
        A kind that is in neither has no such bound: values near a zero of the function lose digits.
    wide : bool
        Whether ``T`` is only ever of 64 bits, or of 128 for complex numbers.
    keeps_zeros : bool
        Whether the sign of a zero is certain too. The greater of 0.0 and -0.0 is either.
    """

    name: str
    meaning: Callable[..., Any]
    signature: str
    kinds: str
    exact: str = ""
    quiet: str = ""
    ulps: Mapping[str, float] = field(default_factory=dict, hash=False)
    wide: bool = False
    keeps_zeros: bool = True

    @property
    def arity(self) -> int:
        """How many operands it takes."""
        return self.signature.index(">")

    def takes(self, dtypes: Sequence[DType]) -> bool:
        """Whether it is defined on operands of these dtypes, as they are."""
        letters = self.signature[: self.arity]
        if len(dtypes) != len(letters):
            return False
        common = self._common(dtypes)
        if common.kind not in self.kinds or (self.wide and common.itemsize < 8 * (1 + common.is_complex)):
            return False
        allowed = [_FIXED.get(letter, (common,)) for letter in letters]
        return all(dtype in those for dtype, those in zip(dtypes, allowed, strict=True))

    def result(self, dtypes: Sequence[DType]) -> DType:
        """The dtype of the result, for operands of dtypes that it `takes`."""
        letter, common = self.signature[-1], self._common(dtypes)
        if letter == "R" and common.is_complex:
            return float32 if common is complex64 else float64
        return _FIXED.get(letter, (common,))[0]

    def is_exact(self, dtype: DType) -> bool:
        """Whether it is `exact` where ``T`` is this dtype."""
        return dtype.kind in self.exact

    def is_quiet(self, dtypes: Sequence[DType]) -> bool:
        """Whether it is `quiet` on operands of dtypes that it `takes`."""
        return self._common(dtypes).kind in self.quiet

    def _common(self, dtypes: Sequence[DType]) -> DType:
        return dtypes[self.signature.index("T")]

    def __repr__(self) -> str:
        return f"{self.name}({self.signature.replace('>', ') -> ')} for {self.kinds}"


def each_by(function: Callable[[float], float], x: Array) -> Array:
    """`function` of each element, in the dtype of `x`: nan or infinity where Python would raise."""
    values = np.asarray(x)
    results = np.empty(values.shape, values.dtype)
    for place, value in np.ndenumerate(values):
        try:
            results[place] = function(float(value))
        except ValueError:
            results[place] = np.nan
        except OverflowError:
            results[place] = np.inf
    return results


def _fits(operator: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Whether the whole number that an operator of Python's gives is one of the dtype of both operands."""

    def meaning(x: Array, y: Array) -> Any:
        info = np.iinfo(np.asarray(x).dtype)
        found = operator(np.asarray(x).astype(object), np.asarray(y).astype(object))  # of Python's ints
        return np.asarray((info.min <= found) & (found <= info.max), np.bool_)

    return meaning


def _grown_fits(operator: Callable[[Any, Any], Any], least: int) -> Callable[..., Any]:
    """Likewise of what a count makes large: by a negative one it is anything, and small ones stay small.

    Numbers below `least` stay what they are, whatever the count; others outgrow with it all bits there are.
    """

    def of_numbers(x: Any, count: Any, most: int) -> bool:
        if count < 0 or abs(x) < least:
            return True
        return bool(count < most.bit_length() + 1 and -most - 1 <= operator(x, count) <= most)

    def meaning(x: Array, y: Array) -> Any:
        most = int(np.iinfo(np.asarray(x).dtype).max)
        of_all = np.frompyfunc(lambda one, other: of_numbers(int(one), int(other), most), 2, 1)
        return np.asarray(of_all(x, y), np.bool_)

    return meaning


def _bits(x: Array) -> Array:
    """The number as a float64, by the pattern of its bits: of a NaN, any."""
    return np.asarray(x, np.float64).view(np.int64)


def _function(
    name: str,
    signature: str,
    kinds: str,
    meaning: Callable[..., Any] | None = None,
    **more: Any,
) -> ScalarFunction:
    """A row of the table; its meaning is the ufunc of that name, where no other is given."""
    return ScalarFunction(name, meaning or getattr(np, name), signature, kinds, **more)


_FUNCTIONS = (
    # Arithmetic. Of bools, `add` is `or`, `multiply` is `and`.
    _function("add", "TT>T", "biufc", exact="biufc", quiet="biu"),
    _function("subtract", "TT>T", "iufc", exact="iufc", quiet="iu"),
    # Of complex numbers as NumPy's arrays round it here, and then as its scalars do: `roundings` says how.
    _function("multiply", "TT>T", "biufc", exact="biufc", quiet="biu"),
    _function("scalar_multiply", "TT>T", "c", product, exact="c"),
    _function("divide", "TT>T", "fc", exact="fc"),
    # Rounded down; of floats `q = (x - remainder(x, y)) / y`, to a whole number. Of integers, 0 by zero.
    _function("floor_divide", "TT>T", "iuf", exact="iuf"),
    # Of floats `fmod(x, y)`, plus `y` where the signs differ: rounded once more. Of integers, 0 by zero.
    _function("remainder", "TT>T", "iuf", exact="iuf"),
    _function("fmod", "TT>T", "iuf", exact="iuf"),
    # Of integers by squaring, wrapping around; a negative power of an integer is an error.
    _function("power", "TT>T", "iufc", exact="iu", ulps={"f": 4}, quiet="u"),
    _function("scalar_power", "TT>T", "fc", power, ulps={"f": 4}),
    _function("float_power", "TT>T", "fc", ulps={"f": 4}, wide=True),
    _function("negative", "T>T", "iufc", exact="iufc", quiet="iufc"),
    # Whether a sum, a difference, a product, a shift or a power of integers does not wrap around.
    _function("add_fits", "TT>b", "i", _fits(operator.add), exact="i", quiet="i"),
    _function("subtract_fits", "TT>b", "i", _fits(operator.sub), exact="i", quiet="i"),
    _function("multiply_fits", "TT>b", "i", _fits(operator.mul), exact="i", quiet="i"),
    _function("left_shift_fits", "TT>b", "i", _grown_fits(operator.lshift, 1), exact="i", quiet="i"),
    _function("power_fits", "TT>b", "i", _grown_fits(operator.pow, 2), exact="i", quiet="i"),
    _function("absolute", "T>R", "biufc", exact="biufc", quiet="biuf"),
    _function("scalar_absolute", "T>R", "c", magnitude, exact="c"),
    _function("sign", "T>T", "iufc", exact="iuf", ulps={"c": 8}, quiet="iuf"),
    _function("square", "T>T", "iufc", exact="iuf", ulps={"c": 3}, quiet="iu"),
    _function("scalar_square", "T>T", "c", squared, exact="c"),
    # Of integers `1 / x` towards zero; what it is of 0 depends on the processor.
    _function("reciprocal", "T>T", "iufc", exact="iuf", ulps={"c": 8}),
    _function("gcd", "TT>T", "iu", exact="iu", quiet="iu"),
    _function("lcm", "TT>T", "iu", exact="iu", quiet="iu"),
    # The greater and the lesser: NaN where either is, or where both are. Complex numbers in lexical order.
    _function("maximum", "TT>T", "biufc", exact="biufc", quiet="biufc", keeps_zeros=False),
    _function("minimum", "TT>T", "biufc", exact="biufc", quiet="biufc", keeps_zeros=False),
    _function("fmax", "TT>T", "biufc", exact="biufc", quiet="biufc", keeps_zeros=False),
    _function("fmin", "TT>T", "biufc", exact="biufc", quiet="biufc", keeps_zeros=False),
    # Comparisons; complex numbers in lexical order.
    *[
        _function(name, "TT>b", "biufc", exact="biufc", quiet="biuf")
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
    ],
    # Choice: the second operand where the first holds, else the third.
    _function("select", "bTT>T", "biufc", np.where, exact="biufc", quiet="biufc"),
    # Truth and bits. Shifts by the width or more, or by less than 0, push all bits out.
    *[
        _function(name, "TT>b", "biufc", exact="biufc", quiet="biufc")
        for name in ("logical_and", "logical_or", "logical_xor")
    ],
    _function("logical_not", "T>b", "biufc", exact="biufc", quiet="biufc"),
    *[
        _function(name, "TT>T", "biu", exact="biu", quiet="biu")
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor")
    ],
    _function("invert", "T>T", "biu", exact="biu", quiet="biu"),
    _function("left_shift", "TT>T", "iu", exact="iu", quiet="iu"),
    _function("right_shift", "TT>T", "iu", exact="iu", quiet="iu"),
    _function("bitwise_count", "T>u", "iu", exact="iu", quiet="iu"),
    # Rounding, and what floats are made of.
    *[_function(name, "T>T", "biuf", exact="biuf", quiet="biuf") for name in ("floor", "ceil", "trunc")],
    _function("rint", "T>T", "fc", exact="fc", quiet="fc"),
    *[
        _function(name, "T>b", "biufc", exact="biufc", quiet="biufc")
        for name in ("isnan", "isinf", "isfinite")
    ],
    _function("signbit", "T>b", "f", exact="f", quiet="f"),
    _function("bits", "T>l", "f", _bits, exact="f", quiet="f"),
    _function("copysign", "TT>T", "f", exact="f", quiet="f"),
    _function("nextafter", "TT>T", "f", exact="f"),
    _function("spacing", "T>T", "f", exact="f"),
    _function("ldexp", "Ti>T", "f", exact="f"),
    _function("heaviside", "TT>T", "f", exact="f", quiet="f"),
    # Parts of complex numbers.
    _function("real", "T>R", "c", exact="c", quiet="c"),
    _function("imag", "T>R", "c", exact="c", quiet="c"),
    _function("of_parts", "TT>T", "c", of_parts, exact="c", quiet="c"),
    _function("conjugate", "T>T", "iufc", exact="iufc", quiet="iufc"),
    # Roots, exponentials and logarithms. A sum of exponentials has a zero where digits are lost.
    _function("sqrt", "T>T", "fc", exact="f", ulps={"c": 4}),
    _function("cbrt", "T>T", "f", ulps={"f": 4}, quiet="f"),
    *[
        _function(name, "T>T", "fc", ulps={"f": 4})
        for name in ("exp", "expm1", "log", "log1p", "log2", "log10", "exp2")
    ],
    _function("logaddexp", "TT>T", "f"),
    _function("logaddexp2", "TT>T", "f"),
    _function("hypot", "TT>T", "f", ulps={"f": 4}),
    # Angles. From degrees and back is one product, with a factor of the dtype.
    *[
        _function(name, "T>T", "fc", ulps={"f": 4})
        for name in ("sin", "cos", "tan", "arcsin", "arccos", "sinh", "cosh", "arccosh", "arctanh")
    ],
    *[_function(name, "T>T", "fc", ulps={"f": 4}, quiet="f") for name in ("arctan", "tanh", "arcsinh")],
    _function("arctan2", "TT>T", "f", ulps={"f": 4}, quiet="f"),
    _function("deg2rad", "T>T", "f", exact="f", quiet="f"),
    _function("rad2deg", "T>T", "f", exact="f"),
    # Functions of the standard library, computed in float64. The last has zeros at 1 and 2.
    _function("erf", "T>T", "f", partial(each_by, math.erf), ulps={"f": 4}, quiet="f"),
    _function("erfc", "T>T", "f", partial(each_by, math.erfc), ulps={"f": 16}, quiet="f"),
    _function("gamma", "T>T", "f", partial(each_by, math.gamma), ulps={"f": 16}),
    _function("lgamma", "T>T", "f", partial(each_by, math.lgamma)),
)

SCALARS: Mapping[str, ScalarFunction] = MappingProxyType({each.name: each for each in _FUNCTIONS})
"""Every scalar function by its name."""
