"""How NumPy rounds complex numbers: its scalars in one way, its arrays in another.

A product of scalars rounds each product of parts, and then their sum; a magnitude is the C library's `hypot`.
Arrays go through instructions of the processor: where it has them, a product of parts and the sum are rounded
once, and a magnitude is a root that is scaled. Which of both NumPy's arrays do depends on the processor and
on how NumPy was built, so it is asked.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runtime.core.tensor import Array

__all__ = ["arrays_fuse", "arrays_scale", "magnitude", "of_parts", "power", "product", "squared"]


def of_parts(x: Array, y: Array) -> Any:
    """Complex numbers of the real parts of two; a sum would lose signs of zeros and infinities."""
    one, other = np.asarray(x), np.asarray(y)
    result = np.empty(np.broadcast_shapes(one.shape, other.shape), one.dtype)
    result.real, result.imag = one.real, other.real
    return result[()]


def product(x: Array, y: Array) -> Any:
    """Products of complex numbers as NumPy's scalars give them."""
    if np.ndim(x) == np.ndim(y) == 0:
        return np.asarray(x)[()] * np.asarray(y)[()]
    one, other = np.asarray(x), np.asarray(y)
    result = np.empty(np.broadcast_shapes(one.shape, other.shape), one.dtype)
    result.real = one.real * other.real - one.imag * other.imag
    result.imag = one.real * other.imag + one.imag * other.real
    return result


def squared(x: Array) -> Any:
    """Complex numbers by themselves, as NumPy's scalars give them."""
    return product(x, x)


def power(x: Array, y: Array) -> Any:
    """Powers as NumPy's scalars give them."""
    if np.ndim(x) == np.ndim(y) == 0:
        return np.asarray(x)[()] ** np.asarray(y)[()]
    one, other = np.broadcast_arrays(x, y)
    powers = [of_one**of_other for of_one, of_other in zip(one.flat, other.flat, strict=True)]
    return np.array(powers, one.dtype).reshape(one.shape)


def magnitude(x: Array) -> Any:
    """Magnitudes of complex numbers as NumPy's scalars give them."""
    return abs(np.asarray(x)[()]) if np.ndim(x) == 0 else np.hypot(np.real(x), np.imag(x))


def _numbers() -> Array:
    return np.array(np.sqrt(np.arange(1.0, 65.0)) + 1j * np.cbrt(np.arange(65.0, 1.0, -1.0)))


@cache
def arrays_fuse() -> bool:
    """Whether a product of NumPy's arrays of complex numbers rounds a product and a sum of parts once."""
    x = _numbers()
    return bool(np.any(x * x != product(x, x)))


@cache
def arrays_scale() -> bool:
    """Whether a magnitude of NumPy's arrays of complex numbers is a scaled root."""
    x = _numbers()
    return bool(np.any(np.absolute(x) != magnitude(x)))
