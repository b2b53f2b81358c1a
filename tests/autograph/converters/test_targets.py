"""Several targets, items and attributes among them: as many assignments, in Python's order."""

import pytest

from autograph.transpiler import Transpiler


def converted(function):
    return Transpiler().convert(function)


class Log(list):
    """Notes which item is set."""

    def __setitem__(self, index, value):
        self.append((index, value))


def test_targets_get_their_values_from_left_to_right():
    def f(log):
        i = 0
        log[i], i, log[i] = 1, 5, 2
        i, log[i], *log[i + 1 :] = 7, 3, 4
        a = log[a] = 9
        return i, a

    one, other = Log(), Log()
    assert converted(f)(one) == f(other)
    assert one == other


def test_the_value_is_unpacked_before_a_target_is_set():
    def f(log):
        log[0], log[1] = [1, 2, 3]

    log = Log()
    with pytest.raises(ValueError, match="too many values to unpack"):
        converted(f)(log)
    assert log == []


def test_groups_in_groups():
    def f(box):
        (box["a"], (box["b"], c)), *rest = (1, (2, 3)), 4
        return c, rest

    one, other = {}, {}
    assert converted(f)(one) == f(other)
    assert one == other
