"""Lists of several lengths of which a tensor chooses one: what is in them stays what it is."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


class Box:
    def __init__(self, v):
        self.v = v


def changed_in_a_loop(x):
    p, q, r = ["a", 0], ["b", 0], ["c", 0]
    for row in [p] if x > 0 else [q, r]:
        row[1] += 1
    return p, q, r


def changed_by_index(x):
    p, q, r = ["a", 0], ["b", 0], ["c", 0]
    if x > 0:
        rows = [p]
    else:
        rows = [q, r]
    rows[0][1] = 7
    return p, q, r


def read_after_a_change_by_the_other_name(x):
    p, q, r = [1, 0], [2, 0], [3, 0]
    rows = [p] if x > 0 else [q, r]
    p[1] = 8
    q[1] = 9
    return rows[0][1]


def a_slice_of_the_chosen_one(x):
    p, q, r = [1, 0], [2, 0], [3, 0]
    rows = [[p], [q, r]][x][0:]
    rows[0][1] = 7
    return p, q, r


def the_chosen_one_and_more(x):
    p, q, r = [1, 0], [2, 0], [3, 0]
    rows = [[p], [q, r]][x] + [r]
    rows[0][1] = 7
    return p, q, r


def the_chosen_one_in_turn(x):
    p, q, r = [1, 0], [2, 0], [3, 0]
    for row in [[p], [q, r]][x]:
        row[1] += 1
    for row in {0: [p], 1: [q, r]}[x][:]:
        row[1] += 1
    return p, q, r


def what_a_function_gives(x):
    p, q, r = [1, 0], [2, 0], [3, 0]

    def picked():
        if x > 0:
            return [p]
        return [q, r]

    for row in picked():
        row[1] += 1
    return p, q, r


def instances(x):
    p, q = Box(1), Box(2)
    for box in [p] if x > 0 else [p, q]:
        box.v += 1
    return p.v, q.v


def sets(x):
    p, q = {1, 2}, {3}
    for each in [p] if x > 0 else [p, q]:
        each.add(9)
    return p, q


def behind_a_try(x):
    p, q = [1, 0], [2, 0]
    try:
        if x > 0:
            raise ValueError
        rows = [p, q]
    except ValueError:
        rows = [q]
    rows[0][1] = 5
    return p, q


def a_list_or_a_part_of_it(x):
    rows = [[1, 0], [2, 0], [3, 0]]
    part = rows if x > 0 else rows[1:]
    part[0][1] = 5
    return rows


def one_that_is_there_twice(x):
    p = [0]
    rows = [p, p] if x > 0 else [p]
    rows[0].append(1)
    return len(rows[-1])


def in_a_dict(x):
    p = [0]
    held = {"a": [p]}
    held["a"] = held["a"] + [[1]] if x > 0 else held["a"]
    p.append(5)
    return held["a"][0]


def parts_of_lists_of_several_lengths(x):
    heap = [[x, ["a", 0]], [x + 1, ["b", 0]], [x + 2, ["c", 0], ["d", 0]]]
    for pair in heap[2 - x][1:]:
        pair[1] = 1 + pair[1]
    return heap


@pytest.mark.parametrize(
    "program",
    [
        *(changed_in_a_loop, changed_by_index, read_after_a_change_by_the_other_name),
        *(a_slice_of_the_chosen_one, the_chosen_one_and_more, the_chosen_one_in_turn, what_a_function_gives),
        *(instances, sets, behind_a_try, a_list_or_a_part_of_it, one_that_is_there_twice, in_a_dict),
        parts_of_lists_of_several_lengths,
    ],
    ids=lambda program: program.__name__,
)
def test_what_is_in_them_is_changed_where_it_is(program):
    ag.check(program, np.int64(1), then=[(np.int64(0),), (np.int64(1),)])


def a_copy_of_the_chosen_one(x):
    p, q, r = [1, 0], [2, 0], [3, 0]
    rows = list([[p], [q, r]][x])
    rows[0][1] = 7
    return p, q, r


def the_chosen_one_in_order(x):
    p, q, r = [1, 0], [2, 0], [3, 0]
    for row in sorted([[p], [q, r]][x]):
        row[1] += 1
    return p, q, r


def the_chosen_one_in_pairs(x):
    p, q, r = [1, 0], [2, 0], [3, 0]
    for row, number in zip([[p], [q, r]][x], [4, 5]):
        row[1] += number
    return p, q, r


def tuples_that_grow_in_turns(x):
    p, q = [1], [2]
    rows = (p,)
    for _ in range(x):
        rows = (*rows, q)
    for row in rows:
        row.append(4)
    return p, q


def lists_that_turns_replace(x):
    rows = [[1, 0]]
    for i in range(x + 1):
        rows = [*rows, [i, 0]]
        rows[0][1] += 1
    return rows


@pytest.mark.parametrize(
    "program",
    [a_copy_of_the_chosen_one, the_chosen_one_in_order, the_chosen_one_in_pairs],
    ids=lambda program: program.__name__,
)
def test_what_is_in_a_copy_of_the_chosen_one_is_changed_where_it_is(program):
    ag.check(program, np.int64(1), then=[(np.int64(0),)])


@pytest.mark.parametrize(
    "program", [tuples_that_grow_in_turns, lists_that_turns_replace], ids=lambda program: program.__name__
)
def test_what_cannot_be_changed_where_it_is_is_refused(program):
    with pytest.raises(StateDisagrees, match="is an element of a list which grows in a graph"):
        ag.check(program, np.int64(1), then=[(np.int64(0),)])


def filled_after_it_was_appended(numbers):
    rows = []
    for number in numbers:
        rows.append([])
        rows[-1].append(int(number))
    return f"{rows}", isinstance(rows[0][0], int), repr(rows[-1])


def beside_an_empty_one(numbers):
    rows = []
    for number in numbers:
        rows.append([int(number)])
        if number > 2:
            rows.append([])
    return f"{rows}"


def by_a_key(numbers):
    rows = {}
    for number in numbers:
        rows[number] = []
        for k in range(number):
            rows[number].append(k)
    return f"{rows}", repr([*rows.values()])


@pytest.mark.parametrize(
    "program",
    [filled_after_it_was_appended, beside_an_empty_one, by_a_key],
    ids=lambda program: program.__name__,
)
def test_numbers_of_python_s_stay_so_in_a_row_that_was_empty(program):
    ag.check(program, np.array([1, 5, 1]), then=[(np.array([3, 2]),)])
