"""`with` of one of several managers, of which a tensor has chosen one."""

import numpy as np
import pytest

import autograph as ag


class Noted:
    def __init__(self, k):
        self.k, self.log = k, 0

    def __enter__(self):
        self.log += 1
        return self.k

    def __exit__(self, *_):
        self.log += 10
        return False


class Swallowing(Noted):
    def __exit__(self, kind, *_):
        self.log += 100 if kind is ValueError else 10
        return kind is ValueError


def one_of_two(x, y):
    p, q = Noted(1.0), Noted(2.0)
    with p if x > 1 else q as k:
        y = y + k
    return y, p.log, q.log


def of_two_classes(x, y):
    p, q = Noted(1.0), Swallowing(2.0)
    manager = p if x > 1 else q
    try:
        with manager as k:
            y = y + k
            if y > 3:
                raise ValueError("no")
            y = y * 2
    except ValueError:
        y = -y
    return y, p.log, q.log


def by_index(x, y):
    managers = [Noted(1.0), Swallowing(2.0), Noted(3.0)]
    i = int(x)
    with managers[i] as a, managers[i - 1] as b:
        y = y + a * b
    return y, [each.log for each in managers]


def or_none(x, y):
    manager = Noted(1.0) if x > 1 else None
    with manager as k:
        y = y + k
    return y


@pytest.mark.parametrize("program", [one_of_two, of_two_classes, by_index, or_none])
def test_the_chosen_one_is_entered_and_left(program):
    calls = [(2.0, 3.0), (0.5, 0.5), (2.0, 0.5), (0.5, 3.0)]
    first, *rest = [tuple(map(np.float64, each)) for each in calls]
    ag.check(program, *first, then=rest)
