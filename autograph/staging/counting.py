"""Functions of `math` that count, in Python: what they give has no bound that a graph could know."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: ANN001, ANN201, D103

from __future__ import annotations


def factorial(n):
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    found = 1
    for factor in range(2, n + 1):
        found *= factor
    return found


def comb(n, k):
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    found = 1
    for place in range(min(k, n - k)):
        found = found * (n - place) // (place + 1)
    return found if k <= n else 0


def perm(n, k=None):
    if k is None:
        return factorial(n)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    found = 1 if k <= n else 0
    for place in range(min(k, n)):
        found *= n - place
    return found
