"""Unpacking without tensors: what Python does."""

import pytest


def test_values_of_any_iterable(check):
    def f():
        a, b = "xy"
        [c, d] = {1: 2, 3: 4}
        (e, (g, h)), i = [(1, (2, 3)), 4]
        x = y, z = (5, 6)
        return a, b, c, d, e, g, h, i, x, y, z

    check(f)


def test_stars(check):
    def f():
        first, *rest = range(4)
        *start, last = iter("abc")
        one, *none, two = (1, 2)
        (*everything,) = {"k": 1}
        (a, *b), c = [1, 2, 3], 4
        return first, rest, start, last, one, none, two, everything, a, b, c

    check(f)


@pytest.mark.parametrize("values", [[1], [1, 2], [1, 2, 3], [], 5, None])
def test_errors_are_those_of_python(check, values):
    def two(values):
        a, b = values
        return a, b

    def some(values):
        a, b, *rest = values
        return a, b, rest

    check(two, values)
    check(some, values)


def test_targets_are_assigned_from_left_to_right(check):
    def f():
        log = []

        class Box:
            def __setattr__(self, name, value):
                log.append((name, value))

        box, items = Box(), [0, 0]
        box.a, *items[0:1], box.b = range(4)
        i, items[i] = 1, "last"
        return log, items

    check(f)
