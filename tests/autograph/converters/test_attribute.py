"""Reads of attributes: which of them are asked for."""

import numpy as np
import pytest

import autograph as ag


class Box:
    sum = 3


def computed(x):
    return np.sum(x) + Box.sum + x.sum()


def caught(x):
    try:
        return np.linalg.norm(x) + Box.sum + x.sum()
    except AttributeError:
        return 0.0


def has_its_own_on_some_paths(x):
    class Own:
        pass

    if x[0] > 1:
        Own.sum = x[0]
    try:
        return Own.sum
    except AttributeError:
        return -1.0


@pytest.mark.parametrize(("program", "asks"), [(computed, "numpys"), (caught, "attribute_of")])
def test_an_attribute_of_a_module_is_read_as_it_is_and_those_of_classes_and_values_are_asked_for(
    program, asks
):
    code = ag.to_code(program)
    assert f"ag__.{asks}(ag__.ld(Box), 'sum')" in code
    assert f"ag__.{asks}(ag__.ld(x), 'sum')" in code
    assert f"ag__.{asks}(ag__.ld(np)" not in code
    ag.check(program, np.array([1.0, 2.0]))


def test_a_class_that_has_an_attribute_on_some_paths_alone_is_asked_for_it():
    ag.check(has_its_own_on_some_paths, np.array([2.0]), then=[(np.array([x]),) for x in (0.0, 3.0)])
