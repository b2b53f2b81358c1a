"""Loops that move an index look at signals where that has gone far, and not in every turn."""

import signal
import threading
import time

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.language.loops import For, While
from runtime.executors.native.language.walking import inside, kinds_in
from runtime.executors.native.llvm import emit_loops
from runtime.executors.native.llvm.polling import BUDGET
from runtime.executors.native.llvm.strips import moved_inside, strip_of
from runtime.executors.native.whole import lowered

LONG = 60_000
"""Turns of more than one strip."""


def down_to_a_lesser(x, n):
    j = n - 1
    while j >= 0 and x[j] > 0:
        x[j] = x[j] + j
        j -= 1
    return j


def up_by_two(x, n):
    i = 1
    while i < n and x[i] > 0:
        x[i] = x[i] * 2
        i += 2
    return i


def up_to_a_number(x, n):
    i, total = 0, 0
    while i <= n - 1:
        if x[i] < 0:
            break
        total += x[i] % 3
        i += 1
    return total, i


def down_by_three(x, n):
    i, total = n, 0
    while i > 3 and total < 10**6:
        total = total + x[i - 1] % 7 + 1
        i = i - 3
    return total, i


def from_both_ends(x, n):
    i, j = 0, n - 1
    while x[i] > 0:
        i += 1
    while x[j] < 0:
        j -= 1
    return i, j


def runs(x, n):
    count, i = 0, 0
    while i < n:
        j = i
        while j < n and x[j] == x[i]:
            j += 1
        count += 1
        i = j
    return count


def up_until_one_is_found(x, n):
    found = False
    for i in range(n):
        if x[i] < 0 or x[i] * 3 == i:
            found = True
            break
    return found


PROGRAMS = [
    down_to_a_lesser,
    up_by_two,
    up_to_a_number,
    down_by_three,
    from_both_ends,
    runs,
    up_until_one_is_found,
]


def some(n, seed):
    x = np.random.default_rng(seed).integers(1, 9, n)
    if seed and n:
        x[seed * 7919 % n] = -5
    return x


def outcome(call, x, n):
    """What a call gives and leaves, or what it raises."""
    own = x.copy()
    try:
        found = call(own, np.int64(n))
    except IndexError as error:
        return str(error).splitlines()[0]
    return [int(each) for each in (found if isinstance(found, tuple) else (found,))], own.tolist()


@pytest.mark.parametrize("program", PROGRAMS)
def test_loops_in_strips_do_what_python_does(program):
    graph = ag.function(program)
    for n in (0, 1, 2, 7, 100):
        for seed in range(4):
            assert outcome(graph, some(100, seed), n) == outcome(program, some(100, seed), n)
    for seed in range(3):
        assert outcome(graph, some(LONG, seed), LONG) == outcome(program, some(LONG, seed), LONG)


@pytest.mark.parametrize("program", PROGRAMS)
def test_loops_in_strips_do_what_python_does_at_the_ends_of_64_bits(program):
    graph = ag.function(program)
    for n in (2**63 - 1, 2**63 - 2, -(2**63), -(2**63) + 1, 101):
        with np.errstate(over="ignore"):
            assert outcome(graph, some(100, 0), n) == outcome(program, some(100, 0), n)


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each is not up_to_a_number])
def test_what_only_moves_an_index_is_a_strip_or_stays_inside(program):
    concrete = ag.function(program).get_concrete_function(some(100, 0), np.int64(3))
    loops = [
        each
        for each in inside(lowered(concrete.optimised_module).functions[-1].body)
        if isinstance(each, While) and kinds_in([*each.before, *each.body]).isdisjoint({For, While})
    ]
    assert loops
    assert all(strip_of(each) or moved_inside(each, 1000) for each in loops)


def test_what_has_no_step_or_no_limit_counts_its_turns():
    def two_ways(x, n):
        i, j = 0, n - 1
        while i < j:
            if x[i] < x[j]:
                i += 1
            else:
                j -= 1
        return i

    concrete = ag.function(two_ways).get_concrete_function(some(100, 0), np.int64(3))
    loops = [
        each
        for each in inside(lowered(concrete.optimised_module).functions[-1].body)
        if isinstance(each, While)
    ]
    assert loops
    assert not any(strip_of(each) or moved_inside(each, 1000) for each in loops)


@pytest.mark.parametrize("step", [1, 5])
def test_a_loop_of_many_strips_is_interrupted(step):
    def wandering(n):
        i, total = 0, 1
        while i < n and total >= 0:
            total = (total * 3 + i) % 1000003
            i += step
        return total

    graph = ag.function(wandering)
    assert int(graph(np.int64(LONG))) == wandering(LONG)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        graph(np.int64(2**62))
    assert int(graph(np.int64(7))) == wandering(7)


def test_a_turn_that_is_written_several_times_is_done_once_each():
    def walked(n, turns):
        i, steps = 1, 0
        while steps != turns:
            i = (i * 5 + n) & 1023
            steps += 1
        return i

    graph = ag.function(walked)
    for turns in (0, 1, 2, 3, 4, 5, 7, 8, 1001):
        assert int(graph(np.int64(3), np.int64(turns))) == walked(3, turns)
    text = graph.concrete_functions[0].program.llvm_ir()
    assert text.count(" 1023") == emit_loops.COPIES
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        graph(np.int64(3), np.int64(-1))


def test_an_index_that_ranges_bound_is_counted_when_its_loop_is_over():
    def widest(x, n):
        best = 0
        for center in range(1, 99):
            left, right = center, center
            while left >= 0 and right < 100 and x[left] == x[right]:
                left -= 1
                right += 1
            best = max(best, right - left - 1 - n)
        return best

    concrete = ag.function(widest).get_concrete_function(some(100, 0), np.int64(3))
    loops = [
        each
        for each in inside(lowered(concrete.optimised_module).functions[-1].body)
        if isinstance(each, While) and kinds_in([*each.before, *each.body]).isdisjoint({For, While})
    ]
    bound = [each for each in loops if each.most is not None]
    assert bound
    assert all(each.most <= 100 and moved_inside(each, 100) for each in bound)
    for seed in range(4):
        x = some(100, seed) % 2
        assert int(ag.function(widest)(x, np.int64(3))) == widest(x, 3)


def test_an_index_that_may_go_on_outside_is_counted():
    def searched(x, n):
        i, misses = 0, 0
        while misses < n:
            if not (i >= 0 and i < 100):
                if n < 0:
                    raise ValueError("no such place")
                misses += 1
            i += 1
        return i

    concrete = ag.function(searched).get_concrete_function(some(100, 0), np.int64(3))
    loops = [
        each
        for each in inside(lowered(concrete.optimised_module).functions[-1].body)
        if isinstance(each, While)
    ]
    assert loops
    assert not any(moved_inside(each, 1000) for each in loops)


def shortest_run(x, least):
    best, total, left = len(x) + 1, 0, 0
    for right in range(len(x)):
        total += x[right]
        while total >= least:
            best = min(best, right - left + 1)
            total -= x[left]
            left += 1
    return best


def mirrored(x, turns):
    count = 0
    for turn in range(turns):
        center = turn % len(x)
        left, right = center, center
        while left >= 0 and right < len(x) and x[left] == x[right]:
            count += 1
            left -= 1
            right += 1
    return count


@pytest.mark.parametrize("program", [shortest_run, mirrored])
def test_a_loop_around_looks_for_those_inside(program):
    graph = ag.function(program)
    for seed in range(3):
        x = some(3000, seed) % 2
        assert int(graph(x, np.int64(40))) == program(x, 40)
    module = graph.concrete_functions[0].optimised_module
    around = [each for each in inside(lowered(module).functions[-1].body) if isinstance(each, For)]
    assert any(0 < (emit_loops.unseen_in(each.body) or 0) <= BUDGET for each in around)


def test_a_loop_that_looks_for_those_inside_is_interrupted():
    x = np.zeros(3000, int)
    graph = ag.function(mirrored)
    assert int(graph(x, np.int64(50))) == mirrored(x, 50)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    begun = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        graph(x, np.int64(2**40))
    assert time.perf_counter() - begun < 1.0
    assert int(graph(x, np.int64(7))) == mirrored(x, 7)
