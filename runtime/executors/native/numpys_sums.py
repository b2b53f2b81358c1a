"""Whether NumPy's own loops for sums and for products of matrices, called by us, give what NumPy gives.

What NumPy makes of a product (a library's function for matrices, for a matrix and a vector, for two vectors,
or none) is decided inside of its inner loop for `matmul`, by lengths and steps. So who calls the loop with
those has all bits. `np.tensordot`, by which `np.inner` is computed, goes another way, to the same functions:
where its operands lie in order, or are a matrix transposed. A sum of elements is the loop of `add`, which
adds a row to where its result is. All of this is tried once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.executors.native.numpys_own import SUMS, in_table

__all__ = ["has_loop", "is_like_matmul"]

_LENGTHS = 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 70, 130
"""Of axes of what is tried."""
_TURNS = 60
"""Products that are tried."""


@cache
def has_loop(function: str, dtype: DType) -> bool:
    """Whether there is a loop of NumPy's that gives what its function gives, wherever operands lie."""
    if in_table(function, dtype) is None:
        return False
    with np.errstate(all="ignore"):
        if function == "add":
            rows = (x.reshape(-1) for x, _ in _matrices(dtype, in_order=True))
            return all(_of_row(dtype, x) == np.add.reduce(x).tobytes() for x in rows)
        tried = _matrices(dtype) if function == "matmul" else _vectors(dtype)
        numpys = getattr(np, function)
        return all(_by_loop(function, dtype, x, y) == numpys(x, y).tobytes() for x, y in tried)


@cache
def is_like_matmul(dtype: DType) -> bool:
    """Whether `np.tensordot` gives the bits of `np.matmul`: of sums of more than one product."""
    if dtype.is_complex or not has_loop("matmul", dtype):
        return False  # NumPy passes other numbers on where one of a complex product is no number
    with np.errstate(all="ignore"):
        return all(
            np.tensordot(x, y, ((x.ndim - 1,), (0,))).tobytes() == np.asarray(np.matmul(x, y)).tobytes()
            for whole, other in _matrices(dtype, in_order=True)
            for x, y in ((whole, other), (whole, other[:, 0]), (whole[0], other), (whole[0], other[:, 0]))
            if y.shape[0] > 1
        )


def _matrices(dtype: DType, *, in_order: bool = False) -> Iterator[tuple[Any, Any]]:
    """Matrices to multiply: in order, transposed, cut out, each second row, and not where a vector begins."""
    random = np.random.default_rng(0)
    for turn in range(_TURNS):
        m, n, p = (int(each) for each in random.choice(_LENGTHS, 3))
        layouts = random.integers(2 if in_order else len(_LAYOUTS), size=2)
        x, y = (
            _LAYOUTS[at](_numbers(random, shape, dtype))
            for at, shape in zip(layouts, ((m, n), (n, p)), strict=True)
        )
        if turn % 5 == 0:
            x[0, 0], y[-1, -1] = np.inf, np.nan
        yield x, y


def _vectors(dtype: DType) -> Iterator[tuple[Any, Any]]:
    """Vectors to multiply: those of tables that lie in order, and columns."""
    for x, y in _matrices(dtype):
        one, other = x[:, 0], y[0]
        count = min(len(one), len(other))
        yield one[:count], other[:count]


_LAYOUTS = (
    lambda x: x,
    lambda x: np.ascontiguousarray(x.T).T,
    lambda x: np.repeat(x, 2, axis=1)[:, : x.shape[1]],
    lambda x: np.repeat(x, 2, axis=0)[::2],
    lambda x: np.concatenate([x.reshape(-1)[:1], x.reshape(-1)])[1:].reshape(x.shape),
)


def _numbers(random: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Any:
    found = random.normal(size=shape)
    return (found + 1j * random.normal(size=shape) if dtype.is_complex else found).astype(dtype.numpy)


def _of_row(dtype: DType, x: Any) -> bytes:
    """What the loop for numbers gives that adds a row to where its result is."""
    place = in_table("add", dtype)
    assert place is not None, "it was found"
    result = np.zeros((), dtype.numpy)
    to, of = (each.__array_interface__["data"][0] for each in (result, x))
    _call(place, (to, of, to), (x.size,), (0, x.itemsize, 0))
    return result.tobytes()


def _by_loop(function: str, dtype: DType, x: Any, y: Any) -> bytes:
    """What the loop gives of two matrices, or of two vectors."""
    place = in_table(function, dtype)
    assert place is not None, "it was found"
    lengths = [*x.shape, *y.shape[1:]]
    result = np.full([*x.shape[:-1], *y.shape[1:]], 7, dtype.numpy)
    steps = [
        step if length > 1 else 0
        for each in (x, y, result)
        for step, length in zip(each.strides, each.shape, strict=True)
    ]
    axes = SUMS[function]
    assert (len(lengths), len(steps)) == (axes.lengths, axes.steps), "these are its axes"
    places = [each.__array_interface__["data"][0] for each in (x, y, result)]
    _call(place, places, (1, *lengths), (0, 0, 0, *steps))
    return result.tobytes()


def _call(loop: tuple[int, int], places: Sequence[int], lengths: Sequence[int], steps: Sequence[int]) -> None:
    """A call of one of NumPy's loops."""
    row = (ctypes.c_void_p * len(places))(*places)
    words = (ctypes.c_ssize_t * len(lengths))(*lengths)
    strides = (ctypes.c_ssize_t * len(steps))(*steps)
    call = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    call(loop[0])(ctypes.addressof(row), ctypes.addressof(words), ctypes.addressof(strides), loop[1])
