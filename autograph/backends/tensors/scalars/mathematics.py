"""Python's `math` on tensors of a graph.

Results are those of the functions on Python's floats: in double precision at least, and whole numbers where
`math` gives them. What `math` raises of arguments, a check raises before (`runtime.ops.domains`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import numpy as np

from autograph.backends.tensors.iteration.items import require_items
from autograph.staging.twins import converted_twin
from runtime import ops
from runtime.core.dtypes import float64, result_type
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError
from runtime.graph.build import as_tensor, bind, bind_all, current_defaults
from runtime.ops.examples import refuse_as_python
from runtime.ops.special import Erf, Erfc, Gamma, Lgamma, RoundedOnce
from runtime.ops.ufuncs import Frexp

__all__ = ["FUNCTIONS", "one_number", "product", "sumprod_of_own", "to_any_base"]


def one_number(x: Any, function: str, module: str) -> Tensor:
    """An argument of a function of a module that is about single numbers."""
    tensor = as_tensor(x)
    if tensor.ndim:
        raise DTypeError(
            f"`{function}` takes one number, not {tensor.spec}",
            why=f"{module} is about single numbers.",
            way_out="NumPy's functions take arrays.",
        )
    return tensor


def _number(x: Any, function: str) -> Tensor:
    return one_number(x, f"math.{function}", "Python's `math`")


def _real(x: Any, function: str) -> Tensor:
    """An argument as `math` computes with it, a float."""
    tensor = _number(x, function)
    _require_real(tensor, function)
    return ops.cast(tensor, result_type(tensor.dtype, current_defaults().floating))


def _require_real(x: Tensor, function: str) -> None:
    if x.dtype.is_complex:
        raise DTypeError(
            f"`math.{function}` of {x.dtype}: must be real number, not complex",
            why="Of complex numbers of NumPy's own, plain Python takes the real parts alone, and warns.",
            way_out=f"Give it `x.real`, or call `cmath.{function}`, where there is one.",
        )


def _of_floats(function: Callable[..., Any]) -> Callable[[str], Callable[..., Any]]:
    """A function of floats, for any number of them."""

    def named(name: str) -> Callable[..., Any]:
        def of_numbers(*arguments: Any) -> Any:
            numbers = [_real(each, name) for each in arguments]
            ops.check_domain(f"math.{name}", *numbers)
            return function(*numbers)

        return of_numbers

    return named


def _rounding(function: Callable[[Tensor], Tensor]) -> Callable[[str], Callable[..., Any]]:
    def named(name: str) -> Callable[[Any], Tensor]:
        return lambda x: ops.as_whole_number(function(_number(x, name)))

    return named


def to_any_base(logarithm: Callable[[Any], Any]) -> Callable[..., Any]:
    """A `log` that may be given a base, made of the natural logarithm."""

    def log(x: Any, base: Any = None) -> Any:
        of_number = logarithm(x)
        if base is None:
            return of_number
        of_base = logarithm(base)
        ops.check_number(of_number, of_base, "/")
        return of_number / of_base

    return log


_log = to_any_base(_of_floats(ops.log)("log"))


def _remainder(x: Tensor, y: Tensor) -> Tensor:
    """What is left of `x` after division by `y`, rounded to the nearest even: never more than half of `y`."""
    size, step = ops.abs(x), ops.abs(y)
    rest = np.fmod(size, step)
    other = step - rest
    middle = rest - 2.0 * np.fmod(0.5 * (size - rest), step)
    least = ops.where(ops.less(rest, other), rest, ops.where(ops.greater(rest, other), -other, middle))
    return ops.where(ops.logical_and(ops.isinf(y), ops.isfinite(x)), x, ops.copysign(1.0, x) * least)


def _frexp(x: Tensor) -> tuple[Tensor, Tensor]:
    fraction, power = bind_all(Frexp(), x)
    return fraction, ops.cast(power, current_defaults().integer)


def _ldexp(x: Any, i: Any) -> Any:
    refuse_as_python(math.ldexp, 0.0, i)  # of all functions of `math`, this one takes no integer of NumPy's
    fraction, exponent = _real(x, "ldexp"), _number(i, "ldexp")
    ops.check_domain("math.ldexp", fraction, exponent)
    return np.ldexp(fraction, exponent)


def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Tensor:
    x, y = _real(a, "isclose"), _real(b, "isclose")
    limit = ops.maximum(rel_tol * ops.maximum(ops.abs(x), ops.abs(y)), abs_tol)
    finite = ops.logical_and(ops.isfinite(x), ops.isfinite(y))
    near = ops.logical_and(finite, ops.less_equal(ops.abs(x - y), limit))
    return ops.logical_or(near, ops.equal(x, y))


def _isqrt(n: Any) -> Tensor:
    refuse_as_python(math.isqrt, n)
    number = ops.as_whole_number(_number(n, "isqrt"))
    ops.check_domain("math.isqrt", number)
    root = ops.minimum(ops.cast(ops.sqrt(number), number.dtype), _LARGEST_ROOT)
    root = ops.where(ops.greater(root * root, number), root - 1, root)
    more = ops.minimum(root + 1, _LARGEST_ROOT)
    return ops.where(ops.less_equal(more * more, number), more, root)


_LARGEST_ROOT = 3037000499  # the square of the next has no 64 bits


def _trunc(x: Any) -> Tensor:
    number = _number(x, "trunc")
    refuse_as_python(math.trunc, np.ones(()) if ops.is_array(number) else x)  # as most of NumPy
    return ops.as_whole_number(ops.trunc(number))


def _folded(of_two: Callable[[Any, Any], Any], name: str) -> Callable[..., Tensor]:
    """A function of any number of integers, two by two."""

    def of_integers(*integers: Any) -> Any:
        refuse_as_python(getattr(math, name), *integers)
        first, *others = [ops.as_whole_number(_number(each, name)) for each in integers]
        return reduce(of_two, others, first)

    return of_integers


def _lcm_of_two(x: Any, y: Any) -> Any:
    ops.check_whole(x // ops.maximum(np.gcd(x, y), 1), y, "*")
    return np.lcm(x, y)


def _hypot(*coordinates: Any) -> Tensor:
    first, *others = [_real(each, "hypot") for each in coordinates or (0.0,)]
    return reduce(ops.hypot, others, ops.abs(first))


def _items(items: Any) -> Iterable[Any]:
    return ops.unstack(items) if isinstance(items, Tensor) and items.static_shape else items


def _dist(p: Any, q: Any) -> Tensor:
    pairs = zip(_items(p), _items(q), strict=True)
    return _hypot(*[_real(left, "dist") - _real(right, "dist") for left, right in pairs])


def _prod(iterable: Any, *, start: Any = 1) -> Any:
    if isinstance(iterable, Tensor):
        require_items(iterable)
        return ops.multiply_in_turn(iterable, start)
    return reduce(lambda product, each: product * each, iterable, start)


def _fsum(seq: Any) -> Tensor:
    tensor = seq if isinstance(seq, Tensor) else ops.stack([_real(each, "fsum") for each in seq])
    _require_real(tensor, "fsum")
    return bind(RoundedOnce("fsum"), ops.cast(tensor, float64))


def _sumprod(p: Any, q: Any) -> Any:
    return sum([left * right for left, right in zip(_items(p), _items(q), strict=True)])


def sumprod_of_own(p: Any, q: Any) -> Tensor:
    """`math.sumprod` of numbers of Python's own, some of them floats, which it adds as if exactly."""
    return bind(RoundedOnce("sumprod"), *[ops.cast(as_tensor(each), float64) for each in (p, q)])


def _in_python(name: str) -> Callable[..., Any]:
    """A function that is converted, loop and all: how often that runs, the run knows."""

    def counted(*arguments: Any) -> Any:
        refuse_as_python(getattr(math, name), *arguments)
        given = [each if each is None else ops.as_whole_number(_number(each, name)) for each in arguments]
        return converted_twin(name, "counting")(*given)

    return counted


def product(iterable: Any, *, start: Any = 1) -> Any:
    """`math.prod` of items of the graph, one after the other: ints of Python's own stay such."""
    return converted_twin("product", "counting")(iterable, start)


_FLOATS: dict[str, Callable[..., Any]] = {
    **{name: getattr(ops, name) for name in ("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh")},
    **{name: getattr(ops, name) for name in ("copysign", "cos", "cosh", "exp", "expm1", "isfinite", "isinf")},
    **{name: getattr(ops, name) for name in ("isnan", "log10", "log1p", "log2", "nextafter", "pow", "sin")},
    **{name: getattr(ops, name) for name in ("sinh", "sqrt", "tan", "tanh")},
    **{name: getattr(np, name) for name in ("cbrt", "degrees", "exp2", "fmod", "radians")},
    "erf": lambda x: bind(Erf(), x),
    "erfc": lambda x: bind(Erfc(), x),
    "fabs": ops.abs,
    "fma": lambda x, y, z: bind(RoundedOnce("fma"), *[ops.cast(each, float64) for each in (x, y, z)]),
    "frexp": _frexp,
    "gamma": lambda x: bind(Gamma(), x),
    "lgamma": lambda x: bind(Lgamma(), x),
    "modf": np.modf,
    "remainder": _remainder,
    "ulp": lambda x: ops.where(ops.isinf(x), math.inf, np.spacing(ops.abs(x))),
}
"""Functions of one float or several."""

_OTHERS: dict[str, Callable[..., Any]] = {
    "ceil": _rounding(ops.ceil)("ceil"),
    "comb": _in_python("comb"),
    "dist": _dist,
    "factorial": _in_python("factorial"),
    "floor": _rounding(ops.floor)("floor"),
    "fsum": _fsum,
    "gcd": _folded(np.gcd, "gcd"),
    "hypot": _hypot,
    "isclose": _isclose,
    "isqrt": _isqrt,
    "lcm": _folded(_lcm_of_two, "lcm"),
    "ldexp": _ldexp,
    "log": _log,
    "perm": _in_python("perm"),
    "prod": _prod,
    "sumprod": _sumprod,
    "trunc": _trunc,
}
"""Functions that take or give something else."""

FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    getattr(math, name): function
    for name, function in {
        **{name: _of_floats(function)(name) for name, function in _FLOATS.items()},
        **_OTHERS,
    }.items()
    if hasattr(math, name)  # `math` grows from version to version
}
"""A function of `math`, and what it is on tensors of a graph."""
