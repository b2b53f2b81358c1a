"""Dataclasses and named tuples as arguments: calls go the quick way, and see what has changed."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
from runtime.functions.fast_key import sorted_out


@dataclass
class Spring:
    stiffness: float
    at: np.ndarray
    rest: float = 1.0

    def energy(self):
        return self.stiffness * ((self.at - self.rest) ** 2).sum() / 2


@dataclass(frozen=True)
class Fixed:
    scale: float
    at: np.ndarray


class Pair(NamedTuple):
    scale: float
    at: np.ndarray


@dataclass
class Nest:
    name: str
    springs: list = field(default_factory=list)
    pair: Pair | None = None


def weighed(record, n):
    total = 0.0
    for i in range(n):
        if record.at[i] > 0:
            total += record.at[i] * record.scale
    return total


@pytest.mark.parametrize("kind", [Fixed, Pair])
def test_records_with_other_contents_share_a_graph_and_give_what_python_gives(kind):
    graph = ag.function(weighed)
    for scale in (1.0, 2.0, 2.5, -0.0):
        for at in (np.array([1.0, -2.0, 3.0]), np.array([4.0, 5.0, 6.0])):
            record = kind(np.float64(scale), at)
            assert graph(record, np.int64(3)) == weighed(record, np.int64(3))
    assert len(graph.concrete_functions) == 1


def test_a_field_that_was_bound_anew_between_two_calls_is_seen():
    graph, spring = ag.function(lambda spring: spring.energy()), Spring(2.0, np.array([1.0, 3.0]))
    for _ in range(3):
        assert graph(spring) == spring.energy() == 4.0
    spring.at = np.array([1.0, 5.0])
    assert graph(spring) == spring.energy() == 16.0
    spring.at[1] = 2.0
    assert graph(spring) == spring.energy() == 1.0
    spring.stiffness = 8.0
    assert graph(spring) == spring.energy() == 4.0
    spring.rest = np.float64(0.0)
    assert graph(spring) == spring.energy() == 20.0
    del spring.at
    with pytest.raises(AttributeError, match="at"):
        graph(spring)


def test_a_method_that_another_class_has_or_that_was_replaced_is_seen(monkeypatch):
    class Soft(Spring):
        def energy(self):
            return -1.0 * self.stiffness

    graph = ag.function(lambda spring: spring.energy())
    for _ in range(3):
        assert graph(Spring(2.0, np.array([3.0]))) == 4.0
        assert graph(Soft(2.0, np.array([3.0]))) == -2.0
    monkeypatch.setattr(Spring, "energy", lambda self: self.at.sum())
    assert graph(Spring(2.0, np.array([3.0]))) == 3.0


def test_an_attribute_beside_the_fields_is_seen():
    def offset(spring):
        return spring.at.sum() + spring.offset

    graph, spring = ag.function(offset), Spring(2.0, np.array([1.0, 3.0]))
    for value in (1.0, 1.0, 5.0, 5.0, np.float64(7.0)):
        spring.offset = value
        assert graph(spring) == offset(spring)


def grown(spring, by):
    spring.rest += by
    spring.at[0] = by
    return spring


def test_what_a_function_changes_in_a_record_stays_changed_on_every_call():
    graph = ag.function(grown)
    plain, spring = Spring(1.0, np.zeros(2)), Spring(1.0, np.zeros(2))
    for by in (1.0, 2.0, 3.0):
        assert graph(spring, np.float64(by)) is spring
        grown(plain, np.float64(by))
        assert spring.rest == plain.rest
        assert spring.at.tolist() == plain.at.tolist()


def test_records_in_records_are_told_apart():
    def total(nest):
        found = 0.0 if nest.pair is None else nest.pair.scale * nest.pair.at.sum()
        for spring in nest.springs:
            found += spring.energy()
        return found if nest.name == "a" else -found

    graph, springs = ag.function(total), [Spring(1.0, np.array([2.0])), Spring(2.0, np.array([3.0]))]
    cases = [
        Nest("a", springs, Pair(1.0, np.ones(2))),
        Nest("b", springs, Pair(1.0, np.ones(2))),
        Nest("a", springs),
        Nest("a", springs[:1], Pair(np.float64(4.0), np.ones(2))),
        Nest("a"),
    ]
    for case in (*cases, *cases):
        assert graph(case) == total(case)


def test_one_record_twice_is_one_object():
    def moved(a, b):
        a.rest += 1.0
        return b.rest

    graph = ag.function(moved)
    for _ in range(3):
        one, other = Spring(1.0, np.zeros(1)), Spring(1.0, np.zeros(1))
        assert graph(one, other) == 1.0
        assert graph(one, one) == 3.0
        assert one.rest == 3.0


def test_calls_with_records_need_not_be_sorted_out_each_time():
    key, arrays, lent, containers, _ = sorted_out((Spring(2.0, np.zeros(3)), Pair(1.0, np.ones(2))))
    other, *_ = sorted_out((Spring(2.0, np.ones(3)), Pair(1.0, np.zeros(2))))
    assert key is not None
    assert key == other
    assert (len(arrays), lent, len(containers)) == (2, 3, 2)
    assert sorted_out((Spring(2.5, np.zeros(3)), Pair(1.0, np.ones(2))))[0] != key
    assert sorted_out((Spring(2.0, np.zeros(4)), Pair(1.0, np.ones(2))))[0] != key
