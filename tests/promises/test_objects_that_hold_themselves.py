"""Objects that refer to each other in a circle come back from a graph, and stay outside between calls."""

from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


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


class Bare:
    """Gets its attributes later."""

    partner = None


def its_own_partner(a):
    bare = Bare()
    if a > 1:
        bare.partner = bare
    return bare.partner is bare


def partners_of_each_other(a):
    one, other = Bare(), Bare()
    if a > 1:
        one.partner, other.partner = other, one
    return one.partner is other, other.partner is None


def its_own_partner_after_an_error(a):
    bare = Bare()
    try:
        if a > 1:
            raise ValueError("no")
    except ValueError:
        bare.partner = bare
    return bare.partner is bare


@pytest.mark.parametrize("program", [its_own_partner, partners_of_each_other, its_own_partner_after_an_error])
def test_a_tensor_decides_whether_an_object_holds_itself(program):
    ag.check(program, np.float64(2.0), then=[(np.float64(0.5),)])


rows: list = [1.0]
table: dict = {"a": 1.0}


def a_list_in_itself(a):
    rows.append(rows)
    rows.append(a)
    return len(rows)


def a_dict_in_itself_outside(a):
    table["self"] = table
    table["a"] = a
    return table["self"]["a"]


def in_a_list_in_itself(a):
    rows.append([rows, a])
    return len(rows)


@pytest.mark.parametrize("program", [a_list_in_itself, a_dict_in_itself_outside, in_a_list_in_itself])
def test_a_container_outside_holds_itself_more_often_after_each_call(program):
    del rows[1:]
    ag.check(program, np.float64(2.0), then=[(np.float64(each),) for each in (0.5, 1.5, 2.5)])


def test_an_argument_holds_itself_more_often_after_each_call():
    def longer(items, a):
        items.append(items)
        return len(items) + a

    items = [1.0]
    ag.check(
        longer,
        items,
        np.float64(2.0),
        then=[(items, np.float64(0.5)), ([2.0], np.float64(0.5)), (items, np.float64(0.5))],
    )


def test_a_list_that_a_tensor_has_hold_itself_is_refused():
    def program(a):
        items = [1.0]
        if a > 1:
            items[0] = items
        return len(items)

    with pytest.raises(StateDisagrees, match="holds itself on one path"):
        ag.function(program)(np.float64(2.0))


class Shared:
    def __init__(self):
        self.notes = [0.5]


def of_instances(n):
    one, other = Shared(), Shared()
    other.itself = other
    if n > 1:
        one.notes = other.notes
    return one, other


def of_instances_by_a_generator(n):
    one, other = Shared(), Shared()
    other.itself = other

    def kept():
        if n > 1:
            return
        one.notes = other.notes
        yield 1.0

    for _ in kept():
        pass
    return one, other


def of_dicts(n):
    one, other = {"notes": [0.5]}, {"notes": [0.5]}
    other["itself"] = other
    if n > 1:
        one["notes"] = other["notes"]
    return one, other


def of_lists(n):
    one, other = [[0.5]], [[0.5]]
    other.append(other)
    if n > 1:
        one[0] = other[0]
    return one, other


@pytest.mark.parametrize("program", [of_instances, of_instances_by_a_generator, of_dicts, of_lists])
def test_what_is_in_one_that_holds_itself_may_be_in_another_one_too(program):
    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(2),)])


class Unbound:
    """Has no attribute at first."""


def test_an_object_that_only_a_path_has_put_into_itself_is_given_back():
    def program(n, v):
        held, kind = Unbound(), {"a": 1.0}
        try:
            kind["a"] = v
            if n > 1:
                raise ValueError("no")
        except ValueError:
            held.itself = held
        return kind, held

    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(2.0))])
