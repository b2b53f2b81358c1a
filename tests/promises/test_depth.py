"""A structure that gets deeper with every turn of a loop is refused, soon, and by name."""

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


def a_chain(xs):
    head = None
    for x in xs:
        head = {"value": x, "following": head}
    return head["value"]


def a_tree(xs):
    def inserted(node, x):
        if node is None:
            return {"value": x, "left": None, "right": None}
        if x < node["value"]:
            node["left"] = inserted(node["left"], x)
        else:
            node["right"] = inserted(node["right"], x)
        return node

    root = None
    for x in xs:
        root = inserted(root, x)
    return root["value"]


@pytest.mark.parametrize("program", [a_chain, a_tree], ids=lambda program: program.__name__)
def test_a_structure_that_gets_deeper_in_every_turn_is_refused(program):
    with pytest.raises(StateDisagrees, match="holds one more object inside of the others") as refusal:
        ag.function(program)(rt.asarray([3.0, 1.0, 2.0]))
    assert "refer to each other by index" in refusal.value.way_out


def test_a_structure_of_one_depth_is_carried():
    def program(xs):
        last = None
        for x in xs:
            last = Node(x, Node(-x))
        return last.value, last.following.value

    ag.check(program, rt.asarray([3.0, 1.0, 2.0]), then=[(rt.asarray([5.0]),)])
