"""`except*` handles what a graph may raise: an exception, a group of them, and what is left of a group."""

import numpy as np
import pytest

import autograph as ag

SEEN = []


def group(x):
    told = "nothing"
    try:
        if x > 0:
            raise ExceptionGroup("two", [ValueError(1), TypeError("t")])
    except* ValueError as found:
        told = f"{len(found.exceptions)} values"
    except* TypeError:
        told += " and a type"
    else:
        told += " else"
    finally:
        print("done")
    return told


def exception(x):
    given = 0.0
    try:
        if x > 0:
            raise ValueError("big", 3)
        given = x
    except* ValueError as found:
        given = -x
        print(type(found).__name__, found.exceptions[0].args)
    return given


def rest_of_a_group(x):
    try:
        if x > 0:
            raise ExceptionGroup("two", [ValueError(1), KeyError("k")])
    except* ValueError as found:
        SEEN.append(len(found.exceptions))
    return x


def groups_in_groups(x):
    try:
        try:
            if x > 0:
                raise ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [TypeError(2), ValueError(3)])])
        except* TypeError:
            SEEN.append("type")
    except ExceptionGroup as left:
        return len(left.exceptions), left.message
    return 0, ""


def fitting_nothing(x):
    try:
        if x > 0:
            raise KeyError("k")
    except* ValueError:
        SEEN.append("value")
    return x


def raised_by_an_index(x):
    found = 0
    try:
        found = [3, 4][int(x)]
    except* IndexError:
        found = -1
    except* ZeroDivisionError:
        found = -2
    return found


@pytest.mark.parametrize(
    "program",
    [group, exception, rest_of_a_group, groups_in_groups, fitting_nothing, raised_by_an_index],
    ids=lambda each: each.__name__,
)
def test_clauses_of_groups(program):
    ag.check(program, np.float64(0.0), then=[(np.float64(5.0),), (np.float64(1.0),)])


def test_in_a_loop():
    def counted(xs):
        bad = 0
        for x in xs:
            try:
                if x < 0:
                    raise ValueError(x)
                bad += 100
            except* (ValueError, TypeError):
                bad += 1
        return bad

    ag.check(counted, np.array([1.0, -1.0, -2.0]), then=[(np.array([1.0]),)])
