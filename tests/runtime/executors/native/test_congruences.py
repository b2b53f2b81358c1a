"""Steps of generators of random numbers are taken from what a turn began with."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered


def two_a_turn(seed, n):
    state, inside = seed, 0
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2147483648
        x = state / 2147483648
        state = (1103515245 * state + 12345) % 2147483648
        y = state / 2147483648
        if x * x + y * y <= 1.0:
            inside += 1
    return inside, state


def three_in_a_while(seed, n):
    state, total = seed, 0
    while n > 0:
        state = (state * 5 + 3) & 0xFFFF
        total += state
        state = (state * 77 - 9) % 1024
        total -= state
        state = (7 + state * -3) % 65536
        total += 2 * state
        n -= 1
    return total, state


def other_sizes(seed, n):
    state, total = seed, 0
    for _ in range(n):
        state = (state * 75 + 74) % 4096
        total = total ^ state
        state = (state * 25 + 1) % 65536  # of which the step before tells less
        total = total * 3 % 1000003 + state
        state = state * 11 % 1000
    return total, state


def in_a_branch(seed, n):
    state, total = seed, 0
    for i in range(n):
        state = (state * 1664525 + 1013904223) % 4294967296
        if state % 8 < 4:
            state = (state * 1664525 + 1013904223) % 4294967296
            total += state
        state = (state * 22695477 + 1) % 4294967296
        total += state % (i + 2)
    return total, state


def of_words(words, n):
    for _ in range(n):
        words[0] = words[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        x = words[0]
        y = x * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        words[0] = y * np.uint64(3) - x
        words[1] ^= y
    return words[1]


def wrapping(state, n):
    total = state
    for _ in range(n):
        state = state * np.int32(1103515245) + np.int32(12345)
        total = total ^ state
        state = state * np.int32(69069) - np.int32(7)
        total = total + state
    return total, state


PROGRAMS = [two_a_turn, three_in_a_while, other_sizes, in_a_branch]


@pytest.mark.parametrize("seed", [0, 42, -5, 2**31 - 1, 2**40 + 7])
@pytest.mark.parametrize("program", PROGRAMS)
def test_numbers_are_those_of_python(program, seed):
    found = ag.function(program)(rt.asarray(seed), rt.asarray(50))
    assert tuple(map(int, found)) == program(seed, 50)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_interpreter_finds_the_same(program):
    spec = rt.TensorSpec((), "int64")
    module = ag.function(program).get_concrete_function(spec, spec).optimised_module
    found = Interpreted(lowered(module), module.entry).entry(np.int64(9), np.int64(20))
    assert tuple(map(int, found)) == program(9, 20)


def test_words_wrap_around():
    words, wanted = np.array([1, 2**63 + 5], np.uint64), np.array([1, 2**63 + 5], np.uint64)
    with np.errstate(over="ignore"):
        assert int(ag.function(of_words)(words, rt.asarray(60))) == int(of_words(wanted, 60))
        assert np.array_equal(words, wanted)
        found = ag.function(wrapping)(np.int32(77), rt.asarray(60))
        assert tuple(map(int, found)) == tuple(map(int, wrapping(np.int32(77), 60)))


def test_a_turn_waits_for_one_product():
    spec = rt.TensorSpec((), "int64")
    source = ag.function(two_a_turn).get_concrete_function(spec, spec).program.source()
    assert "1117952617) + 1406932606), 2147483647)" in source
