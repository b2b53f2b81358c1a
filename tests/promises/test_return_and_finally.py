"""What is returned is the object: a `finally` that changes it changes what the caller gets."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag

CALLS = [(np.int64(2),), (np.int64(1),), (np.int64(3),)]


def array(x):
    u = np.zeros(2)
    try:
        return u
    finally:
        u[0] = x


def grown(x):
    u = [0]
    try:
        return u
    finally:
        for i in range(x):
            u.append(i)


def in_a_nest(x):
    u = np.zeros(2)
    try:
        return {"a": u, "b": [u]}, u[0], u.sum()
    finally:
        u += x


def repeated(x):
    items = [1, 2]
    try:
        return items
    finally:
        items *= x


def keyed(x):
    seen, counts = {1}, {}
    try:
        return seen, counts
    finally:
        seen.add(x)
        counts[x] = 1


def caught(x):
    u = np.zeros(2)
    try:
        if x > 2:
            raise ValueError
        return u
    except ValueError:
        u[1] = x
        return u * 2
    finally:
        u[0] += x


def of_a_callee(x):
    def made():
        u = np.zeros(2)
        try:
            return u
        finally:
            u[0] = x

    return made() + 1


def nested(x):
    u = np.zeros(2)
    try:
        try:
            return u
        finally:
            u[0] = x
    finally:
        u[1] = x


def bound_anew(x):
    u = x
    try:
        return u
    finally:
        u += 1


def replaced(x):
    u = np.zeros(2)
    try:
        return u
    finally:
        return u + x  # which is what the function returns


def of_a_manager(x):
    u = np.zeros(2)

    class Filling:
        def __enter__(self):
            return u

        def __exit__(self, *_):
            u[1] = x

    with Filling() as filled:
        return filled


PROGRAMS = [
    array,
    grown,
    in_a_nest,
    repeated,
    keyed,
    caught,
    of_a_callee,
    nested,
    bound_anew,
    replaced,
    of_a_manager,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_finally_changes_what_is_returned(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])
