"""A function in a container reads its variables as they are when it is called, whatever paths have bound."""

import numpy as np
import pytest

import autograph as ag


class Holder:
    pass


def appended(x, n):
    c, kept = x, []
    kept.append(lambda: c)
    if n > 1:
        c = c * 10
    return [each() for each in kept]


def appended_by_name(x, n):
    c, kept = x, []

    def read():
        return c

    kept.append(read)
    while n > 1:
        c, n = c + 1, n - 1
    return kept[0]()


def put_under_a_key(x, n):
    c, kept = x, {}

    def read():
        return c

    kept["read"] = read
    if n > 1:
        c = c * 10
    return kept["read"]()


def set_as_an_attribute(x, n):
    c, holder = x, Holder()
    holder.read = lambda: c
    if n > 1:
        c = c * 10
    return holder.read()


def made_by_what_is_kept(x, n):
    c, kept = x, []
    kept.append(lambda: lambda: c)
    if n > 1:
        c = c * 10
    return kept[0]()()


def added_under_two_keys(x, n):
    c, kept = x, [[]]
    kept[0][:] += [lambda: c]
    kept[0] += [lambda: c + 1]
    if n > 1:
        c = c * 10
    return [each() for each in kept[0]]


def of_a_loop_variable(x, n):
    kept = []
    for each in [x, x + 1]:
        kept.append(lambda: each)  # what this is about
    if n > 1:
        each = x * 10
    return [read() for read in kept]


@pytest.mark.parametrize(
    "program",
    [
        appended,
        appended_by_name,
        put_under_a_key,
        set_as_an_attribute,
        made_by_what_is_kept,
        added_under_two_keys,
        of_a_loop_variable,
    ],
)
def test_what_a_path_binds_is_bound_on_that_path_alone(program):
    ag.check(program, np.float64(2.0), np.int64(1), then=[(np.float64(3.0), np.int64(2))])
