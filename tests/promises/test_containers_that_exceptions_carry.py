"""What an exception carries is the object that was raised with it: who changes it, changes that one."""

from functools import partial

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue


class Found(Exception):
    def __init__(self, path):
        super().__init__("found")
        self.path = path


class Cell:
    def __init__(self, value):
        self.value = value


OUTSIDE = [5.0]
HALVES = partial(max, 0.5)


def changed_by_the_handler(n, v):
    path = [1.0]
    try:
        if n > 1:
            raise Found(path)
        path.append(2.0)
    except Found as found:
        found.path.append(v)
    return path


def changed_beside_it(n, v):
    path, got = [1.0], None
    try:
        if n > 1:
            raise Found(path)
    except Found as found:
        got = found.path
    path.append(v)
    return got, path, got is path


def changed_outside(n, v):
    try:
        if n > 1:
            raise Found(OUTSIDE)
    except Found as found:
        found.path[0] += v
        return found.path is OUTSIDE, OUTSIDE[0]
    return True, OUTSIDE[0]


def changed_as_an_argument(n, v):
    counts = {"a": v}
    try:
        if n > 1:
            raise KeyError("name", counts)
    except KeyError as error:
        error.args[1]["a"] += 1.0
    return counts


def grown_before_it_is_raised(n, v):
    path = []
    try:
        for i in range(n):
            path.append(i * v)
        if n > 1:
            raise Found(path)
    except Found as found:
        return found.path, sum(found.path), found.path is path
    return path


def a_partial(n, v):
    try:
        if n > 1:
            raise Found(HALVES)
    except Found as found:
        return found.path is HALVES, found.path(v)
    return v


CARRIED = [
    changed_by_the_handler,
    changed_beside_it,
    changed_outside,
    changed_as_an_argument,
    grown_before_it_is_raised,
    a_partial,
]


@pytest.mark.parametrize("f", CARRIED, ids=lambda f: f.__name__)
def test_a_container_of_before_the_try_is_itself(f):
    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(n)) for n in (2, 1, 5)])


MADE = {
    "a dict": lambda v: {"x": v, "y": 1},
    "a dict with numbers as keys": lambda v: {1: v},
    "a dict in a list": lambda v: [{"x": v}],
    "an instance": lambda v: Cell(v),
    "a list in a tuple": lambda v: (1, [v]),
}
READ = {
    "a dict": lambda x: (x["x"], x["y"]),
    "a dict with numbers as keys": lambda x: x[1],
    "a dict in a list": lambda x: x[0]["x"],
    "an instance": lambda x: x.value,
    "a list in a tuple": lambda x: x[1][0],
}


@pytest.mark.parametrize("form", MADE)
@pytest.mark.parametrize("where", ["an argument", "an attribute"])
def test_what_the_body_makes_has_the_values_of_the_run(form, where):
    make, read = MADE[form], READ[form]

    def f(n, v):
        try:
            if n > 2:
                raise Found(make(v)) if where == "an attribute" else ValueError(make(v))
            if n > 1:
                raise Found(make(-v)) if where == "an attribute" else ValueError(make(-v))
        except Found as found:
            return read(found.path)
        except ValueError as error:
            return read(error.args[0])
        return read(make(0.0))

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(n)) for n in (2, 1, 5)])


def of_two_lengths(n, v):
    try:
        if n > 1:
            raise ValueError([v] * 2)
        raise ValueError([v] * 3)
    except ValueError as error:
        return len(error.args[0])


def one_of_two_lists(n, v):
    one, other = [1.0], [2.0]
    try:
        if n > 1:
            raise ValueError(one)
        raise ValueError(other)
    except ValueError as error:
        error.args[0].append(v)
    return one, other


@pytest.mark.parametrize("f", [of_two_lengths, one_of_two_lists], ids=lambda f: f.__name__)
def test_an_argument_that_differs_from_raise_to_raise_is_no_text(f):
    with pytest.raises(NoConcreteValue, match="an argument of an exception that was caught is read"):
        ag.function(f)(np.int64(3), np.float64(2.0))


def test_it_may_be_raised_again_and_be_said():
    def f(n, v):
        try:
            try:
                if n > 1:
                    raise ValueError([v] * 2)
                if n > 0:
                    raise ValueError([v] * 3)
            except ValueError as error:
                if n > 3:
                    raise
                return str(error)
        except ValueError as error:
            return "again", str(error)
        return "nothing"

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(n), np.float64(n)) for n in (0, 1, 5)])
