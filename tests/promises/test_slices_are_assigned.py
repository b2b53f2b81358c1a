"""`a[:] = b` changes the list that `a` is, under all of its names, whichever list `b` is."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

X = np.array([1.0, 2.0, 3.0, 4.0])
CALLS = [(X, np.int64(3), np.float64(3.0)), (X, np.int64(0), np.float64(1.0))]


def a_list_that_may_be_empty(x, n, v):
    a = [1.0, 2.0, 3.0]
    b = [e for e in a if e > v] or [1.0, 2.0, 3.0]
    a[:] = b
    return a, b


def a_list_into_itself(x, n, v):
    a = [1.0, 2.0, 3.0]
    b = a
    if v > 2:
        a = a * 2
    a[:] = a
    return a, b


def a_list_of_outside_after_a_try(x, n, v):
    a, b = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
    try:
        for s in x:
            a.extend(a)
            b = list(b)
    finally:
        b[:] = a
    return a, b


def one_of_two_lists_into_a_part(x, n, v):
    a, b, c = [1.0, 2.0, 3.0], [4.0, 5.0], [7.0]
    d = b if v > 2 else c
    a[1:] = d
    d.append(4.0)
    return a, b, c, d


def into_one_of_two_lists(x, n, v):
    a, b = [1.0, 2.0, 3.0], [4.0, 5.0]
    d = a if v > 2 else b
    d[:] = d
    d[:1] = a
    return a, b, d


def as_many_as_only_the_run_knows(x, n, v):
    a = [1.0, 2.0, 3.0]
    b = a
    a[1:] = [e for e in a if e > v]
    return a, b


def from_where_only_the_run_knows(x, n, v):
    a = [1.0, 2.0, 3.0]
    b = a
    a[n:] = [v, v]
    return a, b


@pytest.mark.parametrize(
    "program",
    [
        *(a_list_that_may_be_empty, a_list_into_itself, a_list_of_outside_after_a_try),
        *(one_of_two_lists_into_a_part, into_one_of_two_lists),
        *(as_many_as_only_the_run_knows, from_where_only_the_run_knows),
    ],
)
def test_a_slice_of_a_list_is_assigned_under_all_of_its_names(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def changed_in_place(n):
    a = [1, 2, 3]
    b = a
    a[1:] *= n
    a[:1] += [n] * n
    for _ in range(n):
        a[2:3] *= 2
    return a, b


def test_what_a_slice_becomes_may_have_any_length():
    ag.check(changed_in_place, np.int64(3), then=[(np.int64(1),), (np.int64(0),)])


def test_a_step_that_is_one_in_some_runs_alone_takes_no_other_number_of_elements():
    def f(n):
        a = [1, n, 3]
        try:
            a[::n] = [7, 8]
        except ValueError:
            return []
        return a

    graph = ag.function(f)
    assert [int(each) for each in graph(np.int64(2))] == [7, 2, 8]
    assert graph(np.int64(3)) == f(np.int64(3)) == []
    with pytest.raises(StateDisagrees, match="a step that is 1 in this run"):
        graph(np.int64(1))
