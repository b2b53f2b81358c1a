"""Arrays of which very many may be one: where nobody looks at each way, every array is still told of."""

import numpy as np

import runtime as rt
from runtime.graph.build import value_in
from runtime.graph.builder import Builder
from runtime.graph.ties import Tie

MANY = 300


def arrays_of(builder):
    return [value_in(builder, rt.Tensor(np.full(2, float(number)))) for number in range(MANY)]


def test_each_is_told_of_once_among_those_that_are_too_many_to_look_at():
    builder = Builder("f")
    first, *others = arrays_of(builder)
    for one, other in zip([first, *others], others, strict=False):
        builder.arrays.may_be_same(one, other)
        builder.arrays.may_be_same(first, other)
    ways = builder.arrays.ways(first)
    assert {way.end for way in ways} == set(others)
    assert len(ways) == len(others)
    assert all(None in conditions for conditions in builder.arrays.alike(first).values())


def test_a_condition_is_kept_of_those_that_are_looked_at():
    builder = Builder("f")
    first, second, *others = arrays_of(builder)
    test = builder.constant(np.asarray(True))
    builder.arrays.may_be_same(first, second, Tie(test, True, first, second))
    for other in others:
        builder.arrays.may_be_same(first, other)
    assert builder.arrays.alike(first)[second] == [{test: True}]
    assert set(builder.arrays.alike(first)) == {second, *others}


def test_kin_are_where_ways_lead_and_say_whether_these_are_sure():
    builder = Builder("f")
    first, second, third, fourth, *_ = arrays_of(builder)
    test = builder.constant(np.asarray(True))
    builder.arrays.may_be_same(first, second, Tie(test, True, first, second))
    builder.arrays.may_be_same(second, third, Tie(test, False, second, third))
    builder.arrays.may_be_same(second, fourth)
    assert builder.arrays.kin(first) == {second: True, fourth: False}
    assert builder.arrays.kin(first, lambda each: each is not second) == {}


def test_what_is_known_of_kin_is_found_anew_when_more_is_learnt():
    builder = Builder("f")
    first, second, third, fourth, *_ = arrays_of(builder)
    builder.arrays.may_be_same(first, second)
    assert [*builder.arrays.kin(first)] == [second]
    before = builder.arrays.copy()
    builder.arrays.may_be_same(first, third)
    assert [*builder.arrays.kin(first)] == [second, third]
    place = np.zeros(2)
    builder.arrays.take_place(first, np.zeros(2))
    builder.arrays.take_place(second, place)
    assert [*builder.arrays.kin(first)] == [third]
    builder.arrays.may_be_same(first, fourth)
    assert [*builder.arrays.kin(first)] == [third, fourth]
    builder.arrays.go_back_to(before)
    assert [*builder.arrays.kin(first)] == [second]
