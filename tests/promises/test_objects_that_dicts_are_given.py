"""What a dict or a deque of the graph is given at once stays the object that it was."""

from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag


@dataclass
class Player:
    """Somebody who scores."""

    name: str
    score: float = 0.0


PLAYERS = [Player("ann", 1.0), Player("bob", 2.0), Player("cy", 3.0)]


def shown(x):
    top = PLAYERS[int(x[0])]
    by_name = {top.name: top}
    by_name[top.name].score += 1
    return top.score, top is by_name[top.name], [each.score for each in PLAYERS]


def updated(x):
    top = PLAYERS[int(x[0])]
    by_name = {}
    by_name.update({top.name: top})
    top.score += 1
    return by_name[top.name].score, top is by_name[top.name]


def of_pairs(x):
    top = PLAYERS[int(x[0])]
    by_number = dict([(x[1], top), (x[2], PLAYERS[0])])
    top.score += 1
    return by_number[x[1]].score, by_number[x[1]] is top, by_number[x[2]] is PLAYERS[0]


def of_a_comprehension(x):
    ranking = sorted(PLAYERS, key=lambda each: -each.score * x[0])
    by_name = {each.name: each for each in ranking}
    by_name[ranking[0].name].score -= 1
    return by_name[ranking[0].name] is ranking[0], [each.score for each in PLAYERS]


def copied(x):
    top = PLAYERS[int(x[0])]
    by_name = {top.name: top}
    copies = dict(by_name), {**by_name}, by_name.copy()
    return [each[top.name] is top for each in copies]


@pytest.mark.parametrize("program", [shown, updated, of_pairs, of_a_comprehension, copied])
def test_instances_that_containers_are_given_at_once_are_themselves(program):
    then = [(np.array([2.0, 1.0, 3.0]),), (np.array([0.0, 3.0, 4.0]),)]
    ag.check(program, np.array([1.0, 2.0, 3.0]), then=then)


def row_of_two_names(x):
    row = [0.0]
    rows = {x[0]: row, x[1]: [1.0]}
    rows[x[0]].append(5.0)
    return row


def row_that_was_put_in(x):
    row = [0.0]
    rows = dict(zip(x, [row, [1.0], [2.0]], strict=True))
    row.append(5.0)
    return rows[x[0]]


def row_that_is_compared(x):
    row = {"a": 0.0}
    rows = {each: row for each in x[:1]}
    return rows[x[0]] is row


def row_at_the_end(x):
    row, queue = [0.0], deque()
    for _ in range(int(x[1])):
        queue.append([1.0])
    queue.extend([row])
    row.append(5.0)
    return queue[-1]


def row_at_the_front(x):
    row, queue = [0.0], deque()
    for _ in range(int(x[1])):
        queue.append([1.0])
    queue.extendleft((row, [2.0]))
    row.append(5.0)
    return queue[1]


@pytest.mark.parametrize("program", [row_of_two_names, row_that_was_put_in, row_at_the_end, row_at_the_front])
def test_a_list_in_one_is_changed_where_it_is(program):
    ag.check(program, np.array([1.0, 2.0, 3.0]), then=[(np.array([3.0, 2.0, 1.0]),)])


def test_a_dict_in_one_is_told_apart():
    ag.check(row_that_is_compared, np.array([1.0, 2.0, 3.0]), then=[(np.array([3.0, 2.0, 1.0]),)])
