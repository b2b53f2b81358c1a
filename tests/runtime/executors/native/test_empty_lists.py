"""A list that is empty at first is of the kind that a loop makes of it, and so machine code."""

import numpy as np
import pytest

import autograph as ag


class Node:
    def __init__(self, value, behind):
        self.value = value
        self.behind = behind


def reversed_sum(x):
    head = None
    for v in x:
        head = Node(v, head)
    total, place = 0.0, 0
    while head is not None:
        total += head.value * place
        place += 1
        head = head.behind
    return total


class Tree:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


def depth(x):
    root = Tree(x[0])
    for i in range(1, len(x)):
        node = root
        while True:
            if x[i] < node.key:
                if node.left is None:
                    node.left = Tree(x[i])
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Tree(x[i])
                    break
                node = node.right
    found, node = 0, root
    while node is not None:
        found += 1
        node = node.left
    return found


@pytest.mark.parametrize("program", [reversed_sum, depth])
def test_attributes_of_linked_objects_are_columns_of_machine_code(program):
    graph = ag.function(program)
    x = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])
    assert float(graph(x)) == program(x)
    assert float(graph(x)) == program(x)
    assert "on native" in str(graph.concrete_functions[0].report())
