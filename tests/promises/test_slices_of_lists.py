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


def places_with_a_step(xs, n):
    kept = [x for x in xs if x != 9]
    a, b, c, d = kept[:], kept[:], kept[:], kept[:]
    del a[::-2], b[1::3], c[n::2], d[5:1:-1]
    e, f = kept[:], kept[:]
    e[::-1] = kept
    f[::1] = [n]
    return a, b, c, d, e, f


def as_many_as_there_are_places(xs, n):
    kept = [x for x in xs if x != 9]
    alias = kept
    try:
        kept[::2] = [n, n]
    except ValueError as error:
        return str(error), kept
    return kept, alias


@pytest.mark.parametrize("program", [places_with_a_step, as_many_as_there_are_places])
def test_a_slice_with_a_step_is_assigned_and_deleted(program):
    a, one = np.array, np.int64(1)
    calls = [(a([1, 2, 3, 4]), one), (a([1, 2]), np.int64(-2)), (a([9, 9]), one), (a([4, 9, 5, 6]), one)]
    ag.check(program, *calls[0], then=calls[1:])


def test_what_is_not_in_a_list_is_shown_as_python_shows_it():
    def f(xs, n):
        said = []
        kept = [x for x in xs if x != n]
        for items, item in ((kept, n), ([(x, 1) for x in kept], (n, 1)), ([int(x) for x in kept], int(n))):
            try:
                items.index(item)
            except ValueError as error:
                said.append(str(error))
        return said

    a = np.array
    ag.check(f, a([1, 2, 3]), np.int64(2), then=[(a([1.5, 2.5]), np.float64(2.5))])
