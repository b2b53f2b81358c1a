"""Tuples that the turns of a loop make longer or shorter."""

import numpy as np
import pytest

import autograph as ag


def added(k, v):
    path = ()
    for i in range(k):
        path = path + (v * i,)  # noqa: RUF005  # what is tested
    return path, len(path), sum(path, 0.0)


def unpacked(k, v):
    path = (0,)
    for i in range(k):
        path = (*path, i * i % 5)
    return path, 4 in path, path[-1] * v, path == (0, 0, 1, 4)


def in_place(k, v):
    pairs, names = (), ()
    for i in range(k):
        pairs += ((i, v * i),)
        names += ("ab"[i % 2],)
    return pairs, [number for number, _ in pairs], "".join(names)


def until_it_is_long_enough(k, v):
    state = (1,)
    while len(state) < k * v:
        state = (*state, state[-1] + len(state))
    return state[::-1], state[1:]


def shorter(k, v):
    rest, total = (1.0, 2.0, 3.0, 4.0), v
    for _ in range(k):
        if len(rest) > 1:
            total += rest[0]
            rest = rest[1:]
    return rest, total


@pytest.mark.parametrize("program", [added, unpacked, in_place, until_it_is_long_enough, shorter])
def test_a_tuple_has_another_length_in_every_turn(program):
    then = [(np.int64(0), np.float64(0.5)), (np.int64(6), np.float64(2.5))]
    ag.check(program, np.int64(3), np.float64(1.5), then=then)


def of_a_tuple(k):
    path = ()
    for i in range(k):
        path = (*path, i + 1)
    match path:
        case (first, second):
            return first + 10 * second
        case (first,) | (first, _, _):
            return first
    return -1


def test_a_pattern_asks_how_long_it_is():
    ag.check(of_a_tuple, np.int64(2), then=[(np.int64(n),) for n in (0, 1, 3, 5)])
