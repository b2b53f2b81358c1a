import collections
import gc
import weakref
from dataclasses import dataclass

import pytest

from runtime.core import structure as structures
from runtime.core.containers import register
from runtime.core.structure import LEAF, flatten, leaf_paths, level_of, map_leaves, unflatten
from runtime.core.taken_apart import taken_apart

Point = collections.namedtuple("Point", "x y")


@dataclass
class Layer:
    weight: object
    bias: object


NESTS = [
    1,
    [],
    [1, (2, 3)],
    {"b": 1, "a": {"c": [2]}},
    Point(1, [2]),
    Layer(1, Layer(2, None)),
    (None, [None]),
    ("text", 2.5),
]


@pytest.mark.parametrize("nest", NESTS, ids=str)
def test_unflatten_undoes_flatten(nest):
    leaves, structure = flatten(nest)
    again = unflatten(structure, leaves)
    assert again == nest
    assert type(again) is type(nest)
    assert structure.leaf_count == len(leaves)
    assert hash(structure) == hash(flatten(nest)[1])


class Estimate(Point):
    """A named tuple with attributes of its own, as libraries return them."""

    def __new__(cls, x, y, error):
        return super().__new__(cls, x, y)

    def __init__(self, x, y, error):
        self.error = error


def test_attributes_of_a_named_tuple_are_among_its_leaves():
    leaves, structure = flatten(Estimate(1, 2, [3]))
    again = unflatten(structure, leaves)
    assert (leaves, again, again.error) == ([1, 2, 3], (1, 2), [3])
    assert list(leaf_paths(structure)) == [".x", ".y", ".error[0]"]


def test_containers_of_one_shape_and_different_kinds_differ():
    structures = [flatten(nest)[1] for nest in ([1, 2], (1, 2), Point(1, 2), {"x": 1, "y": 2}, Layer(1, 2))]
    assert len(set(structures)) == 5
    assert flatten({"a": 1, "b": 2})[1] != flatten({"b": 1, "a": 2})[1]


def test_a_structure_is_printed_as_the_nest_is_written():
    assert str(flatten({"a": 1, "b": (2, None), "c": [Point(1, 2)]})[1]) == (
        "{'a': *, 'b': (*, None), 'c': [Point('x': *, 'y': *)]}"
    )
    assert str(flatten((1,))[1]) == "(*,)"
    assert str(LEAF) == "*"


def test_leaves_are_named_as_a_user_would_write_them():
    structure = flatten({"a": Layer(1, [2, 3])})[1]
    assert list(leaf_paths(structure, "model")) == [
        "model['a'].weight",
        "model['a'].bias[0]",
        "model['a'].bias[1]",
    ]


def test_a_function_of_each_leaf():
    assert map_leaves(lambda leaf: leaf * 10, Point(1, {"a": [2]})) == Point(10, {"a": [20]})


def test_other_classes_can_be_made_containers():
    class Pair:
        def __init__(self, left, right):
            self.left, self.right = left, right

    assert flatten([Pair(1, 2)])[1] == flatten([1])[1]
    register(
        Pair,
        lambda pair: (("left", "right"), (pair.left, pair.right), None),
        lambda kind, _, items, __: kind(*items),
    )
    leaves, structure = flatten([Pair(1, 2)])
    assert leaves == [1, 2]
    assert list(leaf_paths(structure, "x")) == ["x[0].left", "x[0].right"]
    assert unflatten(structure, leaves)[0].right == 2


class Link:
    def __init__(self, value, rest):
        self.value, self.rest = value, rest


def test_a_chain_of_objects_is_looked_into_once_for_an_end(monkeypatch):
    first, second = Link(1, {"last": None}), Link(2, None)
    second.rest = [Link(3, first)]
    links = [first, second, second.rest[0]]
    asked, ends = [], structures.has_end
    monkeypatch.setattr(structures, "has_end", lambda value: asked.append(value) or ends(value))
    with taken_apart({id(each): each for each in links}):
        assert flatten((second, first))[0] == [2, 3, 1, 1]
        assert asked == [second, first]
        first.rest["last"] = second
        assert flatten((second, first))[0] == [second, first]  # as they are: each leads to itself
        holder = Link(4, [first])
        with taken_apart({id(holder): holder}):
            assert flatten(holder)[0] == [holder]


def test_what_is_taken_apart_into_something_else_than_its_items_is_looked_into_again():
    class Shelf(list):
        def __init__(self, items, behind):
            super().__init__(items)
            self.behind = behind

    register(Shelf, lambda each: ((0,), (each.behind,), None), lambda kind, _, held, __: kind((), held[0]))
    inside = Link(1, None)
    inside.rest = inside
    holder = Link(2, Shelf([], inside))
    with taken_apart({id(each): each for each in (inside, holder)}):
        assert flatten(holder)[0] == [2, inside]


def test_a_class_whose_instances_were_looked_at_is_not_kept():
    class Own:
        pass

    gone = weakref.ref(Own)
    assert level_of(Own()) is None
    del Own
    gc.collect()
    assert gone() is None
