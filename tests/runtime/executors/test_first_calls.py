"""A large graph is a NumPy program in its first call, unless that lasts, and machine code from then on."""

import functools
import math
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.numpy_plan.patience import Lasts, Patience

FACTORS = tuple(range(3, 73))
"""As many operations in a turn of a loop as a large graph has."""


def scrambled(turns):
    total = turns * 0 + 1
    while turns > 0:
        for factor in FACTORS:
            total = total * factor % 1009
        turns -= 1
    return total


def scrambled_or_less(turns, least):
    tried = 0
    try:
        tried += 1
        total = scrambled(turns)
        if total < least:
            raise ValueError("too little")
    finally:
        tried += 10
    return total, tried


def executor_of(graph):
    return graph.concrete_functions[0].report().executor


def test_its_first_call_is_numpys_and_its_second_machine_code_with_the_same_bits():
    graph = ag.function(scrambled)
    ran = []
    for turns in (5, 6, 7):
        assert int(graph(rt.asarray(turns))) == scrambled(turns)
        ran.append(executor_of(graph))
    assert ran == ["numpy", "native", "native"]


def test_the_report_says_so():
    graph = ag.function(scrambled)
    graph(rt.asarray(5))
    why = graph.concrete_functions[0].report().why
    assert why == "the first call of a large graph; the second one makes machine code, if there is some"


def test_a_first_call_that_lasts_is_done_again_as_machine_code():
    graph = ag.function(scrambled)
    turns = 300_000  # for 20 s of NumPy's, or 0.2 of machine code
    assert int(graph(rt.asarray(turns))) == pow(math.prod(FACTORS), turns, 1009)
    assert executor_of(graph) == "native"


def test_no_handler_of_a_program_catches_that_it_lasts():
    graph = ag.function(scrambled_or_less)
    total, tried = graph(rt.asarray(300_000), rt.asarray(0))
    assert executor_of(graph) == "native"
    assert (int(total), int(tried)) == (pow(math.prod(FACTORS), 300_000, 1009), 11)


def test_what_it_raises_is_numpys_and_the_next_call_is_machine_code():
    graph = ag.function(scrambled_or_less)
    with pytest.raises(ValueError, match="too little"):
        graph(rt.asarray(5), rt.asarray(10_000))
    assert executor_of(graph) == "numpy"
    assert int(graph(rt.asarray(5), rt.asarray(0))[1]) == 11
    assert executor_of(graph) == "native"


def deep(n, total):
    for factor in FACTORS:
        total = total * factor % 1009
    if n == 0:
        return total
    return deep(n - 1, total)


def test_recursion_deeper_than_pythons_is_machine_code_in_its_first_call():
    graph = ag.function(deep)
    assert int(graph(rt.asarray(2_000), rt.asarray(1))) == pow(math.prod(FACTORS), 2_001, 1009)
    assert executor_of(graph) == "native"


def branching(n, total):
    for factor in FACTORS:
        total = total * factor % 1009
    if n < 2:
        return total
    return branching(n - 1, total) + branching(n - 2, total)


@functools.cache
def branched(n, total):
    total = total * math.prod(FACTORS) % 1009
    return total if n < 2 else branched(n - 1, total) + branched(n - 2, total)


def test_a_recursion_that_lasts_is_machine_code_in_its_first_call():
    graph = ag.function(branching)
    assert int(graph(rt.asarray(27), rt.asarray(1))) == branched(27, 1)  # 832,040 calls
    assert executor_of(graph) == "native"


def drawn(rng, turns):
    total = 0.0
    while turns > 0:
        for _ in range(160):
            total += rng.random()
        turns -= 1
    return total


def test_one_that_draws_random_numbers_is_machine_code_at_once_as_none_is_drawn_twice():
    graph = ag.function(drawn)
    assert float(graph(np.random.default_rng(3), rt.asarray(4))) == drawn(np.random.default_rng(3), 4)
    assert executor_of(graph) == "native"


def test_arrays_that_are_given_are_changed_once_where_a_first_call_lasts():
    def filled(out, turns):
        while turns > 0:
            for factor in FACTORS:
                out[factor % 8] += factor % 3
            turns -= 1

    graph = ag.function(filled)
    mine, pythons = np.zeros(8, dtype=np.int64), np.zeros(8, dtype=np.int64)
    graph(mine, rt.asarray(100_000))
    filled(pythons, 1)
    assert executor_of(graph) == "native"
    assert (mine == pythons * 100_000).all()


def test_patience_ends_a_run_and_leaves_those_alone_that_come_after_it():
    patience = Patience(-1.0)
    patience.look()
    patience.begin()
    with pytest.raises(Lasts):
        patience.look()
    patience.end()
    patience.look()


def scrambled_and_divided(turns, values):
    total, share = turns * 0 + 1, np.float64(0.0)
    for value in values:
        share += np.float64(1.0) / value
        for factor in FACTORS:
            total = total * factor % 1009
    return total, share


@pytest.mark.parametrize(("shown", "count"), [("default", 1), ("once", 1), ("always", 120)])
def test_a_line_that_has_warned_in_the_first_call_warns_again_as_the_filter_says(shown, count):
    graph, ran = ag.function(scrambled_and_divided), []
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter(shown)
        for _ in range(3):
            graph(rt.asarray(5), np.zeros(40))
            ran.append(executor_of(graph))
    assert ran == ["numpy", "native", "native"]
    lines = [each.lineno for each in told if each.category is RuntimeWarning]
    assert len(set(lines)) == 1
    assert len(lines) == count
