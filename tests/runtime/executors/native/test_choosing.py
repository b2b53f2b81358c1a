"""Branches that only choose between whole numbers, and count, are choices: LLVM makes vectors of these."""

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.language.loops import For, If
from runtime.executors.native.language.walking import inside, kinds_in
from runtime.executors.native.whole import lowered


def words(codes):
    words, lines, inside = 0, 0, False
    for c in codes:
        if c == 3:
            lines += 1
        if c == 0 or c == 3 or c == 1:
            inside = False
        elif not inside:
            inside = True
            words += 1
    return words, lines


def roman(codes):
    total, previous = 0, 0
    for i in range(len(codes) - 1, -1, -1):
        c = codes[i]
        if c == 0:
            value = 1
        elif c == 1:
            value = 5
        elif c == 2:
            value = 10
        else:
            value = 50
        if value < previous:
            total -= value
        else:
            total += value
        previous = value
    return total, previous


def rises(codes):
    up, down, before = 0, 0, codes[0]
    for c in codes:
        if c > before:
            up += 1
            if c > before + 2:
                up += 10
        elif c < before:
            down -= 1
        before = c
    return up, down


def states(codes):
    state, hits = 0, 0
    for c in codes:
        if state == 0 and c == 1:
            state = 1
        elif state == 1 and c != 2:
            state = 0
            hits += 1
    return state, hits


def asked_for_its_count(codes):
    count, odd, before = 0, 0, 0
    for c in codes:
        if c > before:
            count += 1
        if count % 2 == 1:
            odd += 1
        before = c
    return count, odd


def last_of_each(codes):
    last, first, before = -1, -1, 0
    for c in codes:
        if c == 2:
            last = c + before
        if first < 0 and c == 1:
            first = before
        before = c
    return last, first


def exchanged(codes):
    ups, total, before = 0, 0, 0
    for c in codes:
        if c > before:
            left, right = c, before
            ups += 1
        else:
            left, right = before, c
        if left > 2:
            left, right = right, left
        total += left * 10 + right
        before = c
    return ups, total


def added_up(codes):
    total, inside = 0.0, False
    for c in codes:
        if inside and c != 3:
            total += 0.1
        inside = c > 0
    return total


def divided(codes):
    total, before = 0, 1
    for c in codes:
        if before != 0:
            total += c // before
        before = c
    return total


def branches_in_loops(program, codes):
    module = ag.function(program).get_concrete_function(codes).optimised_module
    loops = [each for each in inside(lowered(module).functions[-1].body) if isinstance(each, For)]
    return any(If in kinds_in(loop.body) for loop in loops)


CODES = np.random.default_rng(0).integers(0, 4, 300)


@pytest.mark.parametrize(
    "program", [words, roman, rises, states, asked_for_its_count, last_of_each, exchanged, added_up, divided]
)
def test_what_turns_choose_and_count_is_pythons(program):
    for codes in (CODES, CODES[:40], np.sort(CODES), CODES * 0, CODES.astype(np.int16)):
        ag.check(program, codes)


@pytest.mark.parametrize(
    ("program", "branches"),
    [
        (words, False),
        (roman, False),
        (rises, False),
        (states, True),
        (asked_for_its_count, True),
        (last_of_each, True),
        (exchanged, False),
        (added_up, True),
        (divided, True),
    ],
)
def test_turns_choose_where_they_need_no_more_than_sums_and_what_one_finds_on_its_own(program, branches):
    assert branches_in_loops(program, CODES) == branches


def test_short_loops_branch():
    assert branches_in_loops(words, CODES[:20])
