"""Objects whose classes say how they are gone over: their methods are converted, whoever asks for items."""

import collections
import collections.abc
import copy
from typing import Any

import numpy as np
import pytest

import autograph as ag

X = np.array([0.5, -2, 1.0, 0.5, -0.5])


class ByGenerator:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            if v > 0:
                yield v


class ByNext:
    def __init__(self, x):
        self.x, self.i = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        while self.i < len(self.x):
            v = self.x[self.i]
            self.i += 1
            if v > 0:
                return v
        raise StopIteration


class ByIndex:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return self.x[i] if self.x[i] > 0 else -2 * self.x[i]


class ASequence(collections.abc.Sequence):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i] if self.x[i] > 0 else 0.0


def adds(items):
    total = 0.0
    for v in items:
        total += v
    return total


def adds_until(items):
    for v in items:
        if v > 0.9:
            return v
    return -1.0


def unpacks(items):
    first, *others = items
    return first, others


def extends(items):
    found = [1.0]
    found.extend(items)
    return found


def adds_to_a_list(items):
    found = [1.0]
    found += items
    return found


def yields(items):
    def again():
        yield from items

    return list(again())


USES = {
    "a loop": adds,
    "a loop that ends early": adds_until,
    "unpacking": unpacks,
    "extend": extends,
    "+=": adds_to_a_list,
    "yield from": yields,
    "a comprehension": lambda items: [v * 2 for v in items],
    "a display": lambda items: [*items, 1.0],
    "sum": sum,
    "list": list,
    "tuple": tuple,
    "max": max,
    "sorted": sorted,
    "any": lambda items: any(v > 0.9 for v in items),
    "all": all,
    "in": lambda items: 1.0 in items,
    "zip": lambda items: [(a, b) for a, b in zip([1.0, 2.0], items, strict=False)],
    "enumerate": lambda items: [(i, v) for i, v in enumerate(items)],
    "map": lambda items: [v + 1 for v in map(lambda v: v * 2, items)],
    "filter": lambda items: list(filter(lambda v: v < 0.9, items)),
    "set": lambda items: len(set(items)),
    "fromkeys": lambda items: list(dict.fromkeys(items)),
    "next": lambda items: next(iter(items)),
}


@pytest.mark.parametrize("kind", [ByGenerator, ByNext, ByIndex, ASequence], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_whoever_goes_over_an_object_calls_its_methods_converted(kind: Any, use: Any) -> None:
    def program(x):
        return use(kind(x))

    ag.check(program, X)


def searches_a_sequence(x):
    items = ASequence(x)
    return items.index(x[2]), items.count(0.0), x[3] in items, list(reversed(items))


class AMapping(collections.abc.Mapping):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return 2

    def __iter__(self):
        return iter(("a", "b"))

    def __getitem__(self, key):
        if key not in ("a", "b"):
            raise KeyError(key)
        v = self.x[0] if key == "a" else self.x[1]
        return v if v > 0 else -v


def asks_a_mapping(x):
    found = AMapping(x)
    return dict(found), found["a"], found.get("c", 3.0), "b" in found, list(found.items()), {**found}


def compares_a_mapping(x):
    return AMapping(x) == {"a": 0.5, "b": 2.0}, sum(AMapping(x).values())


class Stack(collections.UserList):
    pass


def fills_a_list_of_its_own_class(x):
    stack = Stack()
    for v in x:
        if v > 0:
            stack.append(v)
    return list(stack), len(stack), stack[0], x[0] in stack, sum(stack), sorted(stack)


class Doubling(collections.UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)


def fills_a_dict_of_its_own_class(x):
    found = Doubling()
    for i, v in enumerate(x):
        found[i] = v
    return dict(found), found.get(1), 3 in found


def chains_maps(x):
    found = collections.ChainMap({}, {"a": 1.0, "b": 2.0})
    for v in x:
        if v > 0:
            found["a"] = found["a"] + v
    return found["a"], found["b"], len(found), "a" in found, "c" in found, dict(found)


class Chain:
    def __init__(self, *maps):
        self.maps = maps

    def __getitem__(self, key):
        for each in self.maps:
            try:
                return each[key]
            except KeyError:
                pass
        raise KeyError(key)


def asks_under_a_key_that_is_spelled_out(x):
    first: dict[str, Any] = {}
    if x[0] > 0:
        first["a"] = 5.0
    return Chain(first, {"a": 1.0})["a"]


def keeps_none(x):
    kept: list[None] = []
    seen: dict[Any, None] = {}
    for v in x:
        if v > 0:
            kept.append(None)
            seen[v] = None
    return kept, len(kept), seen, list(seen)


def keeps_empty_tuples(x):
    return [() for v in x if v > 0], {v: (None, ()) for v in x if v > 0}


class Slotted:
    __slots__ = ("a", "b")
    __match_args__ = ("a", "b")

    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def __add__(self, other):
        return Slotted(self.a + other.a, self.b - other.b)


def adds_objects(x):
    found = sum([Slotted(v, 1.0) for v in x if v > 0], Slotted(0.0))
    return found.a, found.b


def matches_objects_with_slots(x):
    found = []
    for each in [Slotted(v, v * 2) for v in x if v > -1]:
        match each:
            case Slotted(1.0, b):
                found.append(b)
            case Slotted(a=a, b=1.0 | 2.0):
                found.append(a)
            case _:
                found.append(-1.0)
    return found


def copies_objects(x):
    objects = [Slotted(v) for v in x if v > 0]
    copies, deep = [copy.copy(each) for each in objects], [copy.deepcopy(each) for each in objects]
    copies[0].a, deep[0].a = 9.0, 8.0
    return objects[0].a, copies[0].a, deep[0].a


@pytest.mark.parametrize(
    "program",
    [
        adds_objects,
        matches_objects_with_slots,
        copies_objects,
        searches_a_sequence,
        asks_a_mapping,
        compares_a_mapping,
        fills_a_list_of_its_own_class,
        fills_a_dict_of_its_own_class,
        chains_maps,
        asks_under_a_key_that_is_spelled_out,
        keeps_none,
        keeps_empty_tuples,
    ],
    ids=lambda program: program.__name__,
)
def test_containers_of_other_classes_hold_values_of_the_graph(program: Any) -> None:
    ag.check(program, X, then=[(X + 0.7,)])
