"""Tensors: what people write with arrays."""

from typing import assert_type

import numpy as np

import autograph as ag
import runtime as rt


@ag.function
def primes_below(n: int | rt.Tensor) -> rt.Tensor:
    is_prime = rt.ones(n, dtype=rt.bool)
    is_prime[:2] = False
    for p in range(2, int(n)):
        if is_prime[p]:
            is_prime[p * p :: p] = False
    return rt.nonzero(is_prime)[0]


@ag.function
def filled(x: rt.Tensor, rows: rt.Tensor) -> rt.Tensor:
    x[0, ..., None] = 1
    x[rows] = rows * 2.5
    x[x > 3] = np.float64(3)
    x += 1
    x[-1] += x[0] @ x[1]
    for row in x:
        x = x + row.sum(axis=0)
    if len(x) > 3 and x.shape[0] is not None:
        x = x.reshape(-1, 2).T.copy()
    return x.at[0].set(1)


x = rt.asarray([[1.0, 2.0], [3.0, 4.0]])
assert_type(x[0], rt.Tensor)
assert_type(x[0] + 1, rt.Tensor)
assert_type(2**x < x, rt.Tensor)
assert_type(x.dtype, rt.DType)
assert_type(x.ndim, int)
assert_type(float(x[0, 0]), float)
assert_type(rt.sum(x, axis=0), rt.Tensor)
assert_type(x.mean(), rt.Tensor)
assert_type(np.asarray(x).ndim, int)
