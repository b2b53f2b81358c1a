"""Slices of lists are given as many items as a tensor decides, under all names of the list."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CALLS = [(np.int64(n),) for n in (3, 0, 1)]


def grown(n):
    found = []
    for i in range(n):
        found.append(i)
    return found


PROGRAMS = [
    "a[:] = grown(n)\nb.append(7)",
    "a[1:] = grown(n)",
    "d['a'][:2] = grown(n)",
    "c = a if n > 2 else [4, 5]\na[:] = c\na[1:] = c",
    "c = a if n > 2 else [4, 5]\na += grown(n)\nd['c'] = list(c)",
    "a[:1] = (n, n + 1)\na[0:0] = [n]\na[::2] = [0, 0, n]",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_slice_is_assigned_what_only_the_run_counts(text):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    f = function_of(
        f"def f(n):\n    a = [1, 2, 3]\n    b, d = a, {{'a': a}}\n{lines}    return a, b, d", grown=grown
    )
    ag.check(f, *CALLS[0], then=CALLS[1:], executors=["numpy"])


def test_an_axis_of_known_length_is_cut_where_only_the_run_knows_the_length_of_another():
    def krylov(matrix, limit):
        basis, sizes = np.zeros((3, 4)), []
        for k in range(3):
            found = matrix[: k + 1, 0] * 2
            sizes.append(found.sum())
            if sizes[-1] > limit:
                break
        return basis[:, : len(found)] @ found, sizes

    ag.check(krylov, np.arange(9.0).reshape(3, 3), np.float64(5.0), then=[(np.ones((3, 3)), np.float64(1.0))])
