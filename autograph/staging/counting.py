"""What counts, in Python: functions of `math`, whose results have no bound that a graph knows; counters."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, var-annotated"
# ruff: noqa: ANN001, ANN201, D103

from __future__ import annotations

from collections import Counter


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


def product(items, start):
    for item in items:
        start = start * item
    return start


def in_both(one, other):
    found = Counter()
    for key, count in one.items():
        its_count = other[key]
        least = min(its_count, count)
        if least > 0:
            found[key] = least
    return found


def in_either(one, other):
    found = Counter()
    for key, count in one.items():
        its_count = other[key]
        most = max(count, its_count)
        if most > 0:
            found[key] = most
    for key, count in other.items():
        if key not in one and count > 0:
            found[key] = count
    return found


def are_equal(one, other):
    return all(one[key] == other[key] for counts in (one, other) for key in counts)


def is_within(one, other):
    return all(one[key] <= other[key] for counts in (one, other) for key in counts)


def is_less(one, other):
    return is_within(one, other) and not are_equal(one, other)


def counted_out(counts):
    for key, count in counts.items():
        for _ in range(count):
            yield key
