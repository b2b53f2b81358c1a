"""Objects that refer to each other in a circle come back from a graph, and stay outside between calls."""

from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag


@dataclass
class Node:
    value: float
    children: list = field(default_factory=list)
    parent: object = field(default=None, repr=False, compare=False)


kept = None


def a_child_that_knows_its_parent(a):
    root = Node(a)
    root.children.append(Node(a * 2, parent=root))
    if a > 1:
        root.children[0].value += 1
    return root


def a_dict_in_itself(a):
    table = {"x": a}
    table["self"] = table
    return table


def kept_outside(a):
    global kept
    before = 0.0 if kept is None else kept.children[0].value
    kept = Node(a)
    kept.children.append(Node(a + before, parent=kept))
    return kept.value


@pytest.mark.parametrize("program", [a_child_that_knows_its_parent, a_dict_in_itself, kept_outside])
def test_a_circle_of_objects_is_one_circle(program):
    ag.check(program, np.float64(2.0), then=[(np.float64(0.5),), (np.float64(3.0),)])


def test_the_parent_of_the_child_is_the_object_itself():
    root = ag.function(a_child_that_knows_its_parent)(np.float64(2.0))
    assert root.children[0].parent is root
