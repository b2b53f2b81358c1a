"""What is taken out of a list that grows, and then changed: it may have another name, or be there twice."""

from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

CALL = np.int64(3), np.float64(1.5)
THEN = [(np.int64(1), np.float64(0.5)), (np.int64(4), np.float64(2.5))]


class Ball:
    def __init__(self, x):
        self.x = x
        self.moves = 0

    def move(self, by):
        self.x += by
        self.moves += 1


@dataclass
class Ring:
    x: float
    moves: int = 0

    def move(self, by):
        self.x += by
        self.moves += 1


def some_are_moved(make, n, v):
    balls = [make(1.0), make(2.0), make(3.0)]
    far = [ball for ball in balls if ball.x > v]
    for ball in far:
        ball.move(0.5)
    return [ball.x for ball in balls], len(far) + n


def some_are_moved_in_each_turn(make, n, v):
    balls, total = [make(1.0), make(2.0), make(3.0)], 0
    for _ in range(n):
        far = [ball for ball in balls if ball.x > v]
        for ball in far:
            ball.move(0.5)
        total += len(far)
    return [ball.x for ball in balls], total


def they_are_taken_out(make, n, v):
    balls = [make(1.0), make(2.0), make(3.0)]
    waiting, turns = [balls[0]], 0
    while waiting:
        waiting.pop().move(v)
        turns += 1
        if turns < n:
            waiting.append(balls[turns % 3])
    return turns, [ball.x for ball in balls]


def the_list_becomes_shorter(make, n, v):
    balls = [make(1.0), make(2.0), make(3.0)]
    while n > 0:
        balls = [ball for ball in balls if ball.x < v + 2]
        for ball in balls:
            ball.move(0.5)
        n -= 1
    return [ball.moves for ball in balls]


def they_are_in_rows(make, n, v):
    balls = [make(1.0), make(2.0), make(3.0)]
    rows = [[] for _ in range(n)]
    for ball in balls:
        rows[int(ball.x) % n].append(ball)
    for row in rows:
        for ball in row:
            ball.move(v)
    rows[1 % n][0].move(v)
    return [ball.x for ball in balls]


def they_are_in_lists_of_a_dict(make, n, v):
    balls, rows = [make(1.0), make(2.0), make(3.0)], {}
    for ball in balls:
        rows.setdefault(int(ball.x) % n, []).append(ball)
    for key, row in rows.items():
        for ball in row:
            ball.move(v + key)
    return [ball.x for ball in balls]


def a_function_makes_them(make, n, v):
    balls = three(make)
    far = [ball for ball in balls if ball.x > v]
    for ball in far:
        ball.move(n)
    return [ball.x for ball in balls]


def they_are_in_a_set(n, v):
    balls, far = [Ball(1.0), Ball(3.0), Ball(3.0)], set()
    for ball in balls:
        if ball.x > v:
            far.add(ball)
    for ball in balls:
        if ball in far:
            ball.move(n)
    return [ball.x for ball in balls], len(far)


def they_are_keys(n, v):
    balls, last = [Ball(v), Ball(v), Ball(v)], {}
    for number in range(n):
        last[balls[number % 3]] = number
    for ball, number in last.items():
        ball.move(number)
    return [ball.x for ball in balls], len(last)


def three(make):
    return [make(1.0), make(2.0), make(3.0)]


@pytest.mark.parametrize("make", [Ball, Ring])
@pytest.mark.parametrize(
    "program",
    [
        some_are_moved,
        some_are_moved_in_each_turn,
        they_are_taken_out,
        the_list_becomes_shorter,
        they_are_in_rows,
        they_are_in_lists_of_a_dict,
        a_function_makes_them,
    ],
)
def test_instances_that_the_function_makes_are_the_same_objects_in_its_lists(program, make):
    ag.check(lambda n, v: program(make, n, v), *CALL, then=THEN)


@pytest.mark.parametrize("program", [they_are_in_a_set, they_are_keys])
def test_instances_are_told_apart_by_which_they_are_where_they_are_keys(program):
    ag.check(program, *CALL, then=THEN)


def a_row_is_popped_in_turns(n, v):
    rows = [[1.0], [2.0], [3.0]]
    waiting, turns = [rows[0]], 0
    while waiting:
        waiting.pop().append(v)
        turns += 1
        if turns < n:
            waiting.append(rows[turns % 3])
    return rows


def a_dict_is_taken_from_a_queue(n, v):
    rows = [{"a": 1.0}, {"a": 2.0}, {"a": 3.0}]
    waiting, turns = deque([rows[0]]), 0
    while waiting:
        waiting.popleft()["a"] += v
        turns += 1
        if turns < n:
            waiting.append(rows[turns % 3])
    return rows


def a_row_is_popped_once(n, v):
    rows = [[1.0], [2.0], [3.0]]
    far = [row for row in rows if row[0] > v]
    far.pop().append(v)
    return rows


def what_is_in_it_is_changed(n, v):
    rows = [([1.0], 1), ([2.0], 2), ([3.0], 3)]
    far = [row for row in rows if row[0][0] > v]
    inner, _ = far.pop()
    inner.append(v)
    return rows


def a_value_of_a_dict_is_popped(n, v):
    rows = [[1.0], [2.0], [3.0]]
    found = {number: rows[number % 3] for number in range(n)}
    found.pop(0).append(v)
    return rows


def a_value_of_a_comprehension_is_changed(n, v):
    rows = [[1.0], [2.0], [3.0]]
    found = {number: rows[number % 3] for number in range(n)}
    found[0].append(v)
    return rows


def a_value_of_an_update_is_changed(n, v):
    rows = [[1.0], [2.0], [3.0]]
    found = {}
    for number in range(n):
        found.update({number: rows[number % 3]})
    found[0].append(v)
    return rows


def what_extends_a_list_is_changed(n, v):
    rows, found = [[1.0], [2.0], [3.0]], []
    found.extend(row for row in rows if row[0] > v)
    found[-1].append(v)
    return rows


def a_sorted_one_is_changed(n, v):
    rows = [[1.0], [2.0], [3.0]]
    found = sorted([row for row in rows if row[0] > v])
    found[-1].append(v)
    return rows


def what_is_in_a_row_is_changed(n, v):
    rows, found = [[1.0], [2.0], [3.0]], {}
    for row in rows:
        found.setdefault(int(row[0]) % n, []).append(row)
    for group in found.values():
        for row in group:
            row.append(v)
    return rows


@pytest.mark.parametrize(
    "program",
    [
        what_is_in_a_row_is_changed,
        a_value_of_an_update_is_changed,
        what_extends_a_list_is_changed,
        a_sorted_one_is_changed,
        a_row_is_popped_once,
        a_dict_is_taken_from_a_queue,
        what_is_in_it_is_changed,
    ],
)
def test_a_list_or_dict_with_another_name_is_changed_where_it_is(program):
    ag.check(program, *CALL, then=[CALL])


@pytest.mark.parametrize(
    "program",
    [
        a_value_of_a_comprehension_is_changed,
        a_row_is_popped_in_turns,
        a_value_of_a_dict_is_popped,
    ],
)
def test_a_container_with_another_name_is_refused_where_it_is_changed(program):
    with pytest.raises(StateDisagrees, match="an element of a list which grows"):
        ag.function(program)(*CALL)


def test_a_row_without_another_name_is_changed():
    def program(n, v):
        waiting, done = [], []
        for i in range(n):
            waiting.append([v + i])
        while waiting:
            row = waiting.pop()
            row.append(v)
            if len(row) < 4:
                waiting.append(row)
            else:
                done.append(row)
        return done

    ag.check(program, *CALL, then=THEN)


class Place:
    def __init__(self, x):
        self.x = x
        self.visits = 0

    def __eq__(self, other):
        return isinstance(other, Place) and self.x == other.x

    def __hash__(self):
        return hash(self.x)


def weights(places, n, v):
    found = {}
    for place in places:
        if place.x > v:
            found[place] = n
    return found


def keys_are_changed(n, v):
    places = [Place(1.0), Place(3.0), Place(4.0)]
    for place in weights(places, n, v):
        place.visits += 1
    return [place.visits for place in places]


def keys_of_items_are_changed(n, v):
    places = [Place(1.0), Place(3.0), Place(4.0)]
    for place, weight in weights(places, n, v).items():
        place.visits += weight
    return [place.visits for place in places]


@pytest.mark.parametrize("program", [keys_are_changed, keys_of_items_are_changed])
def test_keys_that_say_themselves_what_is_equal_are_not_changed(program):
    with pytest.raises(StateDisagrees, match="a Place that is an element"):
        ag.function(program)(*CALL)


def test_keys_that_say_themselves_what_is_equal_are_read():
    def program(n, v):
        places = [Place(1.0), Place(3.0), Place(4.0)]
        return sum([place.x * weight for place, weight in weights(places, n, v).items()])

    ag.check(program, *CALL, then=THEN)
