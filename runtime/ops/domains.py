"""What Python raises of numbers of its own for which `math`, `cmath` or ``**`` is not defined.

NumPy gives nan or infinity there, and so do the ops: a check before the op raises what Python raises.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.dtypes import float64
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import UnknownKind
from runtime.graph.build import as_tensor, bind_all, is_strict
from runtime.graph.op import Effects, Failures, Op
from runtime.ops import core
from runtime.ops.core import escaped, scalar_map
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.known import concrete

__all__ = ["CheckDomain", "check_domain", "check_power"]


def power(x: float, y: float) -> float:
    """Python's ``x ** y``; a complex number has no place where a float is awaited."""
    found: float | complex = float(x) ** float(y)
    if isinstance(found, complex):
        raise UnknownKind(_COMPLEX_POWER, way_out=_TO_COMPLEX)
    return found


_COMPLEX_POWER = "a negative float of Python's own gets a fractional power, which is complex in Python"
_TO_COMPLEX = "Make it complex first, `complex(x) ** y`, or ask for its sign before."


def _to_the_power(x: Tensor, y: Tensor) -> Tensor:
    """As the passes write it: what is computed already is not computed again."""
    exponent = concrete(y)
    return ops.square(x) if exponent is not None and exponent == 2 else ops.pow(x, y)


@dataclass(frozen=True)
class _Need:
    """What arguments have to meet.

    Attributes
    ----------
    holds : str or callable
        A scalar expression of the arguments, in which ``T`` is their dtype; or, where only the result tells,
        the function: of finite arguments, that is to be finite.
    example : tuple of numbers
        Arguments that do not meet it: what Python raises of these, it raises of others.
    """

    holds: str | Callable[..., Tensor]
    example: tuple[complex, ...]

    def of(self, arguments: Sequence[Tensor]) -> Tensor:
        """Whether arguments meet it."""
        if isinstance(self.holds, str):
            return scalar_map(self.holds, *arguments)
        unbounded = [f"~isfinite(x{place})" for place in range(1, len(arguments) + 1)]
        return scalar_map(" | ".join(["isfinite(x0)", *unbounded]), self.holds(*arguments), *arguments)


def _up_to(limit: float, size: str = "x0") -> _Need:
    """Arguments beyond the greatest one whose result is finite."""
    return _Need(f"~({size} > T({limit!r})) | isinf(x0)", (limit * 1.01,))


_POSITIVE = _Need("~(x0 <= T(0.0))", (0.0,))
_FINITE = _Need("~isinf(x0)", (math.inf,))
_AT_MOST_ONE = _Need("~(absolute(x0) > T(1.0))", (2.0,))
_DIVIDES = _Need("isnan(x0) | isnan(x1) | (isfinite(x0) & (x1 != T(0.0)))", (1.0, 0.0))
_INVERTS = _Need("(x0 != T(0.0)) | ~(x1 < T(0.0)) | isinf(x1)", (0.0, -1.0))
_IS_REAL = _Need("~(x0 < T(0.0)) | isinf(x0) | isnan(x1) | (floor(x1) == x1)", (-1.0, 0.5))
_TURNS_BY_IMAG = _Need("~isinf(imag(x0)) | isnan(real(x0))", (complex(1, math.inf),))
_TURNS_BY_REAL = _Need("~isinf(real(x0)) | isnan(imag(x0))", (complex(math.inf, 1),))
_NO_POLE = "~((x0 <= T(0.0)) & (floor(x0) == x0))"
_POWER = (_INVERTS, _IS_REAL, _Need(_to_the_power, (1e300, 2.0)))

_DOMAINS: Mapping[str, tuple[_Need, ...]] = {
    "**": _POWER,
    "cmath.atan": (_Need(np.arctan, (1j,)),),
    "cmath.atanh": (_Need(np.arctanh, (1.0,)),),
    "cmath.cos": (_TURNS_BY_REAL, _Need(np.cos, (1000j,))),
    "cmath.cosh": (_TURNS_BY_IMAG, _Need(np.cosh, (1000.0,))),
    "cmath.exp": (
        _Need(
            "~isinf(imag(x0)) | ~(isfinite(real(x0)) | (real(x0) > real(T(0.0))))", (complex(1, math.inf),)
        ),
        _Need(np.exp, (1000.0,)),
    ),
    "cmath.log": (_Need("x0 != T(0.0)", (0.0,)),),
    "cmath.log10": (_Need("x0 != T(0.0)", (0.0,)),),
    "cmath.rect": (_Need("~isinf(x1) | (x0 == T(0.0)) | isnan(x0)", (1.0, math.inf)),),
    "cmath.sin": (_TURNS_BY_REAL, _Need(np.sin, (1000j,))),
    "cmath.sinh": (_TURNS_BY_IMAG, _Need(np.sinh, (1000.0,))),
    "cmath.tan": (_Need("~isinf(real(x0)) | ~isfinite(imag(x0))", (complex(math.inf, 1),)),),
    "cmath.tanh": (_Need("~isinf(imag(x0)) | ~isfinite(real(x0))", (complex(1, math.inf),)),),
    "math.acos": (_AT_MOST_ONE,),
    "math.acosh": (_Need("~(x0 < T(1.0))", (0.0,)),),
    "math.asin": (_AT_MOST_ONE,),
    "math.atanh": (_Need("~(absolute(x0) >= T(1.0))", (1.0,)),),
    "math.cos": (_FINITE,),
    "math.cosh": (_up_to(710.4758600739439, "absolute(x0)"),),
    "math.exp": (_up_to(709.782712893384),),
    "math.exp2": (_up_to(1023.9999999999999),),
    "math.expm1": (_up_to(709.782712893384),),
    "math.fmod": (_DIVIDES,),
    "math.gamma": (
        _Need(_NO_POLE, (0.0,)),
        _Need("~(absolute(x0) < T(5.56268464626801e-309))", (1e-309,)),
        _up_to(171.6243769563027),
    ),
    "math.isqrt": (_Need("x0 >= T(0)", (-1,)),),
    "math.ldexp": (_Need(np.ldexp, (1.0, 5000)),),
    "math.lgamma": (_Need(f"{_NO_POLE} | isinf(x0)", (0.0,)), _up_to(2.5599833278516383e305)),
    "math.log": (_POSITIVE,),
    "math.log10": (_POSITIVE,),
    "math.log1p": (_Need("~(x0 <= T(-1.0))", (-1.0,)),),
    "math.log2": (_POSITIVE,),
    "math.pow": _POWER,
    "math.remainder": (_DIVIDES,),
    "math.sin": (_FINITE,),
    "math.sinh": (_up_to(710.4758600739439, "absolute(x0)"),),
    "math.sqrt": (_Need("~(x0 < T(0.0))", (-1.0,)),),
    "math.tan": (_FINITE,),
}
"""Functions, and what has to hold for their arguments, one after the other."""


@cache
def _plain(function: str) -> Callable[..., Any]:
    """What Python calls: a function of `math` or `cmath`, or its power."""
    if function == "**":
        return power
    module, name = function.split(".")
    found: Callable[..., Any] = getattr({"math": math, "cmath": cmath}[module], name)
    return found


@cache
def _raised_of(function: str, example: tuple[complex, ...]) -> Exception:
    """What Python raises of arguments."""
    try:
        _plain(function)(*example)
    except (ArithmeticError, ValueError) as error:
        return error.with_traceback(None)
    raise AssertionError(f"{function} takes {example}")


class CheckDomain(Op):
    """Raises what a function of Python's raises of its arguments; where one has axes, NumPy's rule holds."""

    function: str
    """``**``, or a function with its module: ``math.sqrt``."""
    input_names: ClassVar[tuple[str, ...]] = ("x", "y")
    samples = (
        Sample((np.array(4.0),), {"function": "math.sqrt"}),
        Sample((np.array(np.nan),), {"function": "math.sqrt"}),
        Sample((np.array(-4.0),), {"function": "math.sqrt"}, ValueError),
        Sample((np.array([-4.0]),), {"function": "math.sqrt"}),
        Sample((np.array(710.0),), {"function": "math.exp"}, OverflowError),
        Sample((np.array(np.inf),), {"function": "math.exp"}),
        Sample((np.array(1.0), np.array(0.0)), {"function": "math.fmod"}, ValueError),
        Sample((np.array(1e300), np.array(2.0)), {"function": "math.pow"}, OverflowError),
        Sample((np.array(0.0), np.array(-1.0)), {"function": "**"}, ZeroDivisionError),
        Sample((np.array(-8.0), np.array(0.5)), {"function": "**"}, UnknownKind),
        Sample((np.array(-8.0), np.array(2.0)), {"function": "**"}),
        Sample((np.array(np.inf), np.array(2.0)), {"function": "**"}),
        Sample((np.array(0j),), {"function": "cmath.log"}, ValueError),
        Sample((np.array(complex(1, np.inf)),), {"function": "cmath.exp"}, ValueError),
        Sample((np.array(complex(-np.inf, np.inf)),), {"function": "cmath.exp"}),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, *arguments: ArraySpec) -> tuple[ArraySpec, ...]:
        del arguments
        return ()

    def raises(self, *specs: Spec) -> Failures:
        """What the function raises."""
        del specs
        return frozenset([type(_raised_of(self.function, need.example)) for need in _DOMAINS[self.function]])

    def kernel(self, *arguments: Array) -> tuple[Array, ...]:
        if all(np.ndim(each) == 0 for each in arguments):
            _plain(self.function)(*[np.asarray(each).item() for each in arguments])
        return ()

    def decompose(self, *arguments: Tensor) -> tuple[Tensor, ...] | None:
        if any(each.static_shape is None for each in arguments):
            return None
        if all(each.ndim == 0 for each in arguments):
            for need in _DOMAINS[self.function]:
                error = _raised_of(self.function, need.example)
                core.check(need.of(arguments), type(error).__name__, escaped(str(error)))
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del builder, inputs, specs  # TensorFlow's functions give nan or infinity
        return []


def check_domain(function: str, *arguments: TensorLike) -> None:
    """Raises what a function of Python's raises of its arguments, when the graph runs.

    Parameters
    ----------
    function : str
        ``**``, or a function with its module: ``math.sqrt``. Most are defined for all numbers.
    *arguments : Tensor, or number
        They stand for numbers of Python's own, in the dtype in which the function computes.
    """
    if function in _DOMAINS and not is_strict():
        bind_all(CheckDomain(function), *arguments)


def check_power(x: TensorLike, y: TensorLike) -> None:
    """Raises what Python's ``x ** y`` raises of floats, when the graph runs.

    Parameters
    ----------
    x, y : Tensor, or number
        They stand for numbers of Python's own, of which one at least is a float and none is complex.
    """
    check_domain("**", *[ops.cast(as_tensor(each), float64) for each in (x, y)])
