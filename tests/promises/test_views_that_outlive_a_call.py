"""What a function leaves outside that shows the memory of another array, over several calls."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import CopiedViewWarning, StateDisagrees

CALLS = [(np.int64(k), np.float64(v)) for k, v in ((5, 3.0), (2, 0.5), (2, 4.0))]


class Grid:
    """A grid, and what shows parts of it."""

    def __init__(self):
        self.cells = np.arange(9.0).reshape(3, 3)
        self.history = []
        self.named = {}
        self.row = None


def row_in_a_list(grid, n, v):
    grid.history.append(grid.cells[n % 3])
    grid.cells[n % 3, 0] += v
    return grid.history[-1]


def grid_in_a_list(grid, n, v):
    grid.history.append(grid.cells)
    grid.cells[n % 3, 0] += v


def row_in_a_tuple(grid, n, v):
    grid.history.append((n, grid.cells[n % 3]))
    grid.cells[0, 0] += v


def part_in_a_dict(grid, n, v):
    grid.named["last"] = grid.cells[n % 3 :]
    grid.cells[2, 0] += v


def row_in_an_attribute(grid, n, v):
    if grid.row is None:
        grid.row = grid.cells[n % 3]
    grid.row[0] += v
    return grid.cells.sum()


def turned_in_an_attribute(grid, n, v):
    if grid.row is None:
        grid.row = grid.cells.T[::-1]
    grid.cells[n % 3] += v
    return grid.row


def known_row_in_an_attribute(grid, n, v):
    if grid.row is None:
        grid.row = grid.cells[1]
    grid.cells[n % 3] += v
    return grid.row.sum()


def made_with_a_row(grid, n, v):
    if grid.row is None:
        made = np.zeros((3, 3)) + v
        grid.cells, grid.row = made, made[1]
    grid.row[n % 3] += v
    return grid.cells.sum()


def made_as_numpys(grid, n, v):
    if grid.row is None:
        made = np.zeros((3, 3))
        grid.cells, grid.row = made, made[1]
    grid.row[n % 3] += v
    return grid.cells.sum()


def two_parts_that_overlap(grid, n, v):
    if grid.row is None:
        made = np.zeros((3, 3)) + v
        grid.cells, grid.row = made[1:], made[:2]
    grid.row[n % 2] += v
    return grid.cells.sum()


def row_of_a_closure(grid, n, v):
    row = grid.cells[n % 3]
    grid.history.append(lambda: row)
    grid.cells[0, 0] += v
    return [each().sum() for each in grid.history]


def row_that_is_bound_again(grid, n, v):
    grid.cells[0, 0] += v
    seen = 0.0 if grid.row is None else grid.row.sum()
    grid.row = grid.cells[n % 3]
    return seen


@pytest.mark.parametrize(
    "leave",
    [
        row_in_a_list,
        grid_in_a_list,
        row_in_a_tuple,
        part_in_a_dict,
        row_in_an_attribute,
        turned_in_an_attribute,
        known_row_in_an_attribute,
        made_with_a_row,
        made_as_numpys,
        two_parts_that_overlap,
        row_of_a_closure,
        row_that_is_bound_again,
    ],
)
def test_a_view_that_outlives_a_call_is_a_view_in_the_next_ones(leave):
    grid = Grid()

    def call(n, v):
        return leave(grid, n, v)

    ag.check(call, np.int64(4), np.float64(2.0), then=CALLS)


def keeps_first(grid, n, v):
    made = np.zeros((3, 3))
    grid.cells = made
    made[n % 3] = v


def keeps_in_a_nest(grid, n, v):
    made = np.zeros(3)
    grid.named["rows"] = (made, [made[:2]])
    made[n % 3] = v


def keeps_while_a_loop_writes(grid, n, v):
    made = np.zeros(3)
    grid.history.append(made)
    for i in range(n):
        made[i % 3] += v


@pytest.mark.parametrize("keep", [keeps_first, keeps_in_a_nest, keeps_while_a_loop_writes])
def test_an_array_is_kept_before_a_value_of_the_graph_is_written_into_it(keep):
    grid = Grid()

    def call(n, v):
        return keep(grid, n, v)

    ag.check(call, np.int64(4), np.float64(2.0), then=CALLS)


def test_what_is_written_between_two_calls_is_seen_in_a_view():
    grid = Grid()

    def look(n, v):
        if grid.row is None:
            grid.row = grid.cells[n % 3]
        return grid.row * v

    def write():
        grid.cells[1] = 7.0

    call = np.int64(4), np.float64(2.0)
    ag.check(look, *call, then=[call, write, call])


def test_views_that_are_only_left_behind_need_no_further_traces():
    grid = Grid()

    @ag.function
    def step(n, v):
        grid.row = grid.cells[n % 3]
        grid.history.append(grid.row)
        grid.cells[n % 3, 0] += v

    for k in range(6):
        step(np.int64(k), np.float64(k))
    assert len(step.concrete_functions) <= 2
    assert all(np.shares_memory(row, grid.cells) for row in grid.history)


def test_what_was_an_object_that_is_gone_is_no_none():
    class Thing:
        scale = 3.0

    holder = Grid()

    @ag.function
    def scaled(v):
        return v if holder.row is None else v * holder.row.scale

    holder.row = Thing()
    assert scaled(np.float64(2.0)) == 6.0
    holder.row = None
    assert scaled(np.float64(2.0)) == 2.0


def perhaps_another_row(grid, n, v):
    if n > 4:
        grid.row = grid.cells[n % 3]
    else:
        grid.row = grid.cells[2]
    grid.cells[n % 3, 1] -= v


def a_row_that_only_one_branch_has(grid, n, v):
    if n < 3:
        grid.row = grid.cells[n]
    grid.cells[0, 1] -= v


def perhaps_the_best(grid, n, v):
    if grid.row is None or grid.row.sum() < v:
        grid.row = grid.cells
    grid.cells[n % 3, 1] -= v


def the_grid_or_a_copy(grid, n, v):
    kept = grid.cells if n > 4 else grid.cells.copy()
    grid.history.append(kept[n % 3])
    grid.cells[n % 3, 1] -= v


@pytest.mark.parametrize(
    "leave", [perhaps_another_row, a_row_that_only_one_branch_has, perhaps_the_best, the_grid_or_a_copy]
)
def test_a_branch_says_what_outlives_a_call(leave):
    grid = Grid()

    def call(n, v):
        return leave(grid, n, v)

    ag.check(call, np.int64(4), np.float64(2.0), then=CALLS)


def test_a_part_that_only_a_branch_knows_is_refused():
    grid = Grid()

    @ag.function
    def keep(places, v):
        if v > 1.0:
            grid.row = grid.cells[places[int(v)]]
        return v

    with pytest.raises(StateDisagrees, match="only a branch knows which part"):
        keep(np.array([1, 2, 0]), np.float64(2.0))


def whole_argument(grid, x, n):
    grid.row = x


def part_of_an_argument(grid, x, n):
    grid.row = x[1:]


def part_by_a_number(grid, x, n):
    grid.row = x[n % 3 :]


def part_that_is_written_to(grid, x, n):
    grid.row = x[1:]
    x += 1
    grid.row[0] = 7.0


def argument_in_another_shape(grid, x, n):
    grid.row = x.reshape(2, 2).T


def part_in_a_list(grid, x, n):
    grid.row = [x[1:], x[::2]]


def part_that_a_branch_chooses(grid, x, n):
    if n > 3:
        grid.row = x[1:]
    else:
        grid.row = x[:2]


def part_or_a_new_array(grid, x, n):
    grid.row = x[1:] if n > 3 else np.zeros(3)


VIEWS_OF_ARGUMENTS = [
    whole_argument,
    part_of_an_argument,
    part_by_a_number,
    part_that_is_written_to,
    argument_in_another_shape,
    part_in_a_list,
    part_that_a_branch_chooses,
    part_or_a_new_array,
]


@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("leave", VIEWS_OF_ARGUMENTS)
def test_a_view_of_an_argument_shows_the_array_of_the_caller(leave, n):
    found = []
    for convert in (lambda function: function, ag.function):
        grid, x = Grid(), np.arange(4.0)
        convert(lambda x, n, grid=grid: leave(grid, x, n))(x, np.int64(n))
        x[1:3] = 50.0, 60.0
        found.append(_listed(grid.row))
        rows = grid.row if isinstance(grid.row, list) else [grid.row]
        if isinstance(rows[0], np.ndarray):
            rows[0][...] = 9.0
        found.append(x.tolist())
    assert found[:2] == found[2:]


@pytest.mark.parametrize("leave", VIEWS_OF_ARGUMENTS)
def test_what_is_left_of_a_tensor_stays_as_it_was(leave):
    grid, expected = Grid(), Grid()
    ag.function(lambda x, n: leave(grid, x, n))(rt.asarray(np.arange(4.0)), rt.asarray(4))
    leave(expected, np.arange(4.0), 4)
    assert _listed(grid.row) == _listed(expected.row)


def _listed(row):
    return [each.tolist() for each in row] if isinstance(row, list) else np.asarray(row).tolist()


def keeps_the_last(grid, x):
    before = 0.0 if grid.row is None else (x - grid.row).sum()
    grid.row = x
    return before


def keeps_a_part_of_the_last(grid, x):
    before = 0.0 if grid.row is None else (x[1:] - grid.row).sum()
    grid.row = x[1:]
    return before


def writes_into_the_last(grid, x):
    if grid.row is not None:
        grid.row[0] = x[1] * 2
    grid.row = x
    return x.sum()


def keeps_the_last_three(grid, x):
    grid.history.append(x[:2])
    if len(grid.history) > 3:
        grid.history.pop(0)
    return sum(row.sum() for row in grid.history)


@pytest.mark.parametrize(
    "step", [keeps_the_last, keeps_a_part_of_the_last, writes_into_the_last, keeps_the_last_three]
)
@pytest.mark.parametrize("is_same", [False, True])
def test_an_array_that_one_call_has_kept_may_be_given_to_the_next(step, is_same):
    found = []
    for convert in (lambda function: function, ag.function):
        grid, x = Grid(), np.arange(4.0)
        function = convert(lambda x, grid=grid: step(grid, x))
        for _ in range(5):
            x = x if is_same else x + 1
            x += 1
            found.append(float(function(x)))
    assert found[:5] == found[5:]


def last_of_a_loop(grid, x, n):
    for i in range(n):
        grid.row = x[i : i + 2]


def rows_of_a_loop(grid, x, n):
    for i in range(n):
        grid.history.append(x[i : i + 1])


def exchanged_in_a_loop(grid, x, n):
    y = np.zeros(4)
    for _ in range(n):
        x, y = y, x
    grid.row = x


def test_an_array_that_turns_exchange_is_itself_where_it_is_kept():
    grid, x = Grid(), np.arange(4.0)
    kept = ag.function(lambda x, n: exchanged_in_a_loop(grid, x, n))
    kept(x, rt.asarray(2))
    assert grid.row is x
    kept(x, rt.asarray(1))
    assert np.array_equal(grid.row, np.zeros(4))


def test_views_of_which_turns_put_as_many_into_a_list_as_the_run_says_are_copies_with_a_warning():
    grid = Grid()
    with pytest.warns(CopiedViewWarning):
        ag.function(lambda x, n: rows_of_a_loop(grid, x, n))(np.arange(4.0), rt.asarray(2))


def test_the_last_view_that_turns_of_a_loop_bind_is_one():
    grid, x = Grid(), np.arange(4.0)
    kept = ag.function(lambda x, n: last_of_a_loop(grid, x, n))
    kept(x, rt.asarray(2))
    grid.row[0] = 50.0
    assert x[1] == 50.0
    kept(x, rt.asarray(3))
    assert np.shares_memory(grid.row, x)
    assert np.array_equal(grid.row, [2.0, 3.0])


def test_the_row_that_a_loop_over_an_array_was_at_is_one():
    table = np.arange(9.0).reshape(3, 3)

    def last(grid, n):
        for row in table:
            row[0] = n
            grid.row = row

    ag.check(last, Grid(), np.int64(3), then=[(Grid(), np.int64(4))])
    kept = Grid()
    ag.function(last)(kept, np.int64(5))
    assert np.shares_memory(kept.row, table)


def test_a_view_that_only_the_body_of_a_try_meets_is_there_behind_it():
    table = np.arange(9.0).reshape(3, 3)
    first = table[0]

    def program(n):
        try:
            if n > 1:
                raise ValueError("no")
            table[1] = first
            first[n] += 1
        except ValueError:
            first[2] = 7

    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(1),)])
