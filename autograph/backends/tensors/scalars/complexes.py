"""Python's `cmath` on tensors of a graph, in double precision."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.backends.tensors.scalars.mathematics import one_number, to_any_base
from runtime import ops
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor, current_defaults

__all__ = ["COMPLEX"]


def _complex(x: Any) -> Tensor:
    """An argument as `cmath` computes with it."""
    return ops.cast(one_number(x, "cmath", "It"), current_defaults().complexes)


def _of_one(name: str, function: Callable[[Tensor], Any], x: Any) -> Any:
    number = _complex(x)
    ops.check_domain(f"cmath.{name}", number)
    return function(number)


def _phase(x: Any) -> Any:
    number = _complex(x)
    return ops.atan2(ops.imag(number), ops.real(number))


def _polar(x: Any) -> tuple[Any, Any]:
    return ops.abs(_complex(x)), _phase(x)


def _rect(r: Any, phi: Any) -> Any:
    size, angle = [ops.cast(as_tensor(each), current_defaults().floating) for each in (r, phi)]
    ops.check_domain("cmath.rect", size, angle)
    # as Python's table of what is not finite, and of zeros
    is_straight, is_nothing = angle == 0, ops.logical_and(size == 0, ops.logical_not(ops.isfinite(angle)))
    signed_zero = ops.where(ops.isnan(size), 0.0, angle * ops.copysign(1.0, size))
    is_nowhere = ops.logical_and(ops.isinf(size), ops.isnan(angle))
    real = ops.where(is_straight, size, ops.where(is_nowhere, np.inf, size * ops.cos(angle)))
    imag = ops.where(is_straight, signed_zero, size * ops.sin(angle))
    return ops.where(is_nothing, 0.0, ops.complex_of_parts(real, imag, current_defaults().complexes))


_UFUNCS: dict[str, Any] = {
    **{name: getattr(np, name) for name in ("cos", "cosh", "exp", "isfinite", "isinf", "isnan", "log10")},
    **{name: getattr(np, name) for name in ("sin", "sinh", "sqrt", "tan", "tanh")},
    **{f"a{name}": getattr(np, f"arc{name}") for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh")},
}

COMPLEX: dict[Callable[..., Any], Callable[..., Any]] = {
    **{getattr(cmath, name): partial(_of_one, name, function) for name, function in _UFUNCS.items()},
    cmath.log: to_any_base(partial(_of_one, "log", np.log)),
    cmath.phase: _phase,
    cmath.polar: _polar,
    cmath.rect: _rect,
}
"""A function of `cmath`, and what it is on tensors of a graph."""
