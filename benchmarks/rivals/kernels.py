"""Kernels over elements as people write them for Numba: their loops go as far as the arrays are long.

Each takes arrays alone, and gives one, which may be one of those that it writes into.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["KERNELS"]


def shortest_paths(d: Any) -> Any:
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    return d


def cholesky(a: Any) -> Any:
    n = a.shape[0]
    lower = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= lower[i, k] * lower[j, k]
            if i == j:
                lower[i, j] = np.sqrt(s)
            else:
                lower[i, j] = s / lower[j, j]
    return lower


def elimination(a: Any) -> Any:
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def heap_sort(x: Any) -> Any:
    n = len(x)
    for start in range(n // 2 - 1, -1, -1):
        root = start
        while 2 * root + 1 < n:
            child = 2 * root + 1
            if child + 1 < n and x[child] < x[child + 1]:
                child += 1
            if x[root] >= x[child]:
                break
            t = x[root]
            x[root] = x[child]
            x[child] = t
            root = child
    for end in range(n - 1, 0, -1):
        t = x[0]
        x[0] = x[end]
        x[end] = t
        root = 0
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and x[child] < x[child + 1]:
                child += 1
            if x[root] >= x[child]:
                break
            t = x[root]
            x[root] = x[child]
            x[child] = t
            root = child
    return x


def two_rows(a: Any, b: Any) -> Any:
    m = len(b)
    prev = np.arange(m + 1)
    cur = np.zeros(m + 1, np.int64)
    for i in range(len(a)):
        cur[0] = i + 1
        for j in range(m):
            cost = 0 if a[i] == b[j] else 1
            cur[j + 1] = min(cur[j] + 1, prev[j + 1] + 1, prev[j] + cost)
        prev, cur = cur, prev
    return prev[m]


def sparse_product(data: Any, indices: Any, indptr: Any, x: Any) -> Any:
    n = len(indptr) - 1
    y = np.zeros(n)
    for i in range(n):
        s = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            s += data[k] * x[indices[k]]
        y[i] = s
    return y


def relaxation(u: Any) -> Any:
    n, m = u.shape
    for _ in range(5):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


def threshold(img: Any) -> Any:
    h, w = img.shape
    out = np.zeros_like(img)
    for i in range(h):
        for j in range(w):
            if img[i, j] > 128:
                out[i, j] = 255
    return out


def smoothing(x: Any) -> Any:
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = 0.1 * x[i] + 0.9 * out[i - 1]
    return out


def knapsack(w: Any, v: Any, best: Any) -> Any:
    cap = len(best) - 1
    for i in range(len(w)):
        for c in range(cap, w[i] - 1, -1):
            best[c] = max(best[c], best[c - w[i]] + v[i])
    return best[cap]


def _arguments() -> dict[Callable[..., Any], tuple[np.ndarray, ...]]:
    rng = np.random.default_rng(0)
    distances = np.where(rng.random((48, 48)) < 0.5, 1e9, rng.random((48, 48)) * 10)
    dense = rng.random((40, 40)) + 40 * np.eye(40)
    starts = np.concatenate([[0], np.sort(rng.integers(0, 4_000, 399)), [4_000]])
    letters = rng.integers(0, 4, 250).astype(np.uint8)
    return {
        shortest_paths: (distances,),
        cholesky: (dense @ dense.T,),
        elimination: (dense,),
        heap_sort: (rng.random(2_000),),
        two_rows: (letters[:120], letters[120:]),
        sparse_product: (rng.random(4_000), rng.integers(0, 400, 4_000), starts, rng.random(400)),
        relaxation: (rng.random((64, 64)),),
        threshold: (rng.integers(0, 256, (64, 64)).astype(np.uint8),),
        smoothing: (rng.random(2_000),),
        knapsack: (rng.integers(1, 30, 40), rng.integers(1, 100, 40), np.zeros(501, np.int64)),
    }


KERNELS = _arguments()
"""Kernels, and what each is given: copies, as some write into it."""
