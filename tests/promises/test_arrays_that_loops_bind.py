"""A loop binds a variable to an array that was there before: a write to one of the two is in the other."""

from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

X = np.array([1.0, 2.0])
CALLS = [
    (X, np.int64(3), np.float64(3.0)),
    (X, np.int64(1), np.float64(1.0)),
    (X, np.int64(0), np.float64(2.0)),
]


# ── returned from a loop ──


def returned_under_both_names(x, n, v):
    u = x * 2
    w = u
    for _ in range(n):
        u[0] += v
        return u, w
    return u, w


def written_through_a_view_and_returned(x, n, v):
    grid = np.zeros((2, 3))
    row = grid[1]
    for _ in range(n):
        row[n % 3] += v
        if v > 1.5:
            return grid, row
    row[n % 3] += v
    return grid, row


def first_above(u, n, v):
    for i in range(n):
        if u[0] + i > v:
            return u
    return u * 2


def what_a_callee_returns_is_written_to(x, n, v):
    u = x * 2
    found = first_above(u, n, v)
    found[0] = 100.0
    return u, found


def what_a_callee_returns_is_read(x, n, v):
    u = x * 2
    found = first_above(u, n, v)
    u[0] = 100.0
    return u, found


def returned_where_finally_writes(x, n, v):
    u = np.zeros(2)
    w = u
    for _ in range(n):
        try:
            return u, w
        finally:
            u.fill(v)
    return u, w


# ── bound for the first time ──


def bound_for_the_first_time(x, n, v):
    u, w = x * 2, None
    for _ in range(n):
        w = u
        w[0] += v
    if w is not None:
        w[1] = 7.0
    u[0] += 1
    return u, w


def bound_in_some_turns(x, n, v):
    u, w = x * 2, None
    while n > 0:
        if n == 2:
            w = u
        if w is not None:
            w[1] += 7.0
        n -= 1
    return u, w


def a_pair_bound_before_a_break(x, n, v):
    u, t = x * 2, x * 3
    if n > 1:
        for _ in range(n):
            if u[0] > v:
                pair = u, t
                break
        else:
            pair = t, t
        pair[0][1] = v
    return u, t


# ── bound to another one ──


def bound_to_another_in_each_turn(x, n, v):
    a, b = x * 2, x * 3
    for i in range(n):
        b = a
        a += i
    return a, b


def bound_to_what_it_was(x, n, v):
    u = x * 2
    w, pair = u, (u, 1.0)
    for _ in range(n):
        w = u
        w[0] += v
        pair = u, pair[1] + 1.0
    pair[0][1] = 7.0
    w[0] += 1
    return u, w, pair


def a_field_and_a_variable(x, n, v):
    held = [x * 2]
    b, c = held[0], x * 3
    for _ in range(n):
        b[1] += v
        c = held[0]
    return c


def a_view_bound_in_a_loop_inside(x, n, v):
    u = np.zeros(4)
    w = u.copy()
    for _ in range(n):
        for _ in range(n):
            w = u[::-1]
    return w[0]


def numbers_beside_an_array(x, n, v):
    u = x * 2
    pair, total = (u, 0.0), 0.0
    for _ in range(n):
        pair[0][0] += v
        total += u[0]
        pair = pair[0], pair[1] + 1.0
    return pair, total


@pytest.mark.parametrize(
    "program",
    [
        *(returned_under_both_names, written_through_a_view_and_returned, returned_where_finally_writes),
        *(what_a_callee_returns_is_written_to, what_a_callee_returns_is_read),
        *(bound_for_the_first_time, bound_in_some_turns, a_pair_bound_before_a_break),
        *(bound_to_another_in_each_turn, bound_to_what_it_was, a_field_and_a_variable),
        *(a_view_bound_in_a_loop_inside, numbers_beside_an_array),
    ],
)
def test_an_array_that_a_loop_binds_is_the_array_that_was_there(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


# ── where only the run knows ──


def a_view_of_which_nobody_knows_is_read(x, n, v):
    u = np.zeros(4)
    w = u.copy()
    for _ in range(n):
        w = u + 1
        u = w[::-1]
    u[0] = v
    return w


def test_who_reads_it_where_only_the_run_knows_is_told():
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.function(a_view_of_which_nobody_knows_is_read)(*CALLS[0])


def returned_in_two_places(x, n, v):
    u = np.zeros(4)
    w = u.copy()
    for _ in range(n):
        w = u + 1
        u = w[::-1]
    u[0] = v
    if x > 0:
        return w
    return u


def test_where_one_of_several_returns_reads_it_all_of_them_are_named():
    with pytest.raises(StateDisagrees) as caught:
        ag.function(returned_in_two_places)(1.0, np.int64(3), 2.0)
    _, place, *_ = str(caught.value).split("\n\n")
    last = returned_in_two_places.__code__.co_firstlineno + 9
    assert "in returned_in_two_places\n    return w\n" in place
    assert f"or by the `return` in line {last}" in place


def test_where_it_is_returned_the_return_is_shown_and_not_the_call():
    with pytest.raises(StateDisagrees) as caught:
        ag.function(a_view_of_which_nobody_knows_is_read)(*CALLS[0])
    happened, place, *_ = str(caught.value).split("\n\n")
    assert "is read" in happened
    assert "in a_view_of_which_nobody_knows_is_read\n    return w\n" in place


# ── in places ──


def items_that_both_branches_leave(x, n, v):
    held = {"a": np.zeros(2), "b": np.ones(2)}
    if n > 2:
        held["a"][n % 2] += v
        held["b"] = held["a"]
        held["a"][n % 2] += v
    else:
        held["a"][n % 2] += v
        held["b"] = held["a"]
    return held


def items_of_a_list_that_both_branches_leave(x, n, v):
    held = [np.zeros(2), np.ones(2)]
    if n > 2:
        held[0][0] = v
        held[1] = held[0]
    else:
        held[0][0] = v + 1
        held[1] = held[0]
    return held


@pytest.mark.parametrize(
    "program", [items_that_both_branches_leave, items_of_a_list_that_both_branches_leave]
)
def test_an_array_of_numpy_s_that_gave_way_on_one_path_has_given_way_on_the_other(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_a_loop_whose_turns_all_raise_leaves_the_arrays_that_it_met():
    def program(n, v):
        table = np.arange(4.0)
        other = table

        def items():
            nonlocal table
            table[0] = v
            yield v

        for _ in items():
            for i in range(n):
                table[1] = v
                raise ValueError(i)
            table[2] = v
        return table, other, table is other

    ag.check(program, np.int64(0), np.float64(7.0), then=[(np.int64(2), np.float64(5.0))])


# ── compared by `is` ──


def bound_to_the_other_and_compared(x, n, v):
    first, third = x * 1, x + 1
    for _ in range(n):
        if third is first:
            raise KeyError("no")
        first = third if n > 2 else first
    return first, third


def two_names_of_one_array(x, n, v):
    first = x * 1
    point = first
    for _ in range(n):
        if point is first:
            first[0] = v
    return first


def exchanged_arrays_of_numpy_s(x, n, v):
    a, b = np.zeros(2), np.ones(2)
    c, k = a, 0
    for _ in range(n):
        a, b = b, a
        k += 10 * (a is c) + (b is c)
    return a, b, k, a is c


def what_the_last_turn_has_left(x, n, v):
    before, k, a = None, 0, x * 1
    for i in range(n):
        if before is a:
            k += 1
        before = a
        if i % 2:
            a = a + 1
    return a, k, before is a


def the_array_of_the_caller(x, n, v):
    a, k = x, 0
    for _ in range(n):
        k += a is x
        a = a + 1
    return a, k


@pytest.mark.parametrize(
    "program",
    [
        *(bound_to_the_other_and_compared, two_names_of_one_array, exchanged_arrays_of_numpy_s),
        *(what_the_last_turn_has_left, the_array_of_the_caller),
    ],
)
def test_whether_two_arrays_are_one_is_asked_of_those_that_a_turn_has(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def read_under_the_name_of_the_turn_before(x, n, v):
    u, w, total = x * 2, x * 3, 0.0
    for _ in range(n):
        u[0] += v
        total += w[0]
        w = u
    return total


def one_is_written_where_the_other_is_bound_to_a_new_array(x, n, v):
    a = x * 1
    b = a
    for _ in range(n):
        if v > 1:
            b[0] += v
        else:
            a = a + 1
    return a, b


def a_row_of_one_is_written_where_the_other_is_bound_to_a_new_array(x, n, v):
    a = np.zeros((2, 2))
    b = a
    for _ in range(n):
        if v > 1:
            row = b[1]
            row[:] = v
        else:
            a = a + 1
    return a, b


def an_attribute_is_bound_where_a_callee_writes_into_a_row(x, n, v):
    def put(table, k):
        row = table[k]
        row += v

    holder = SimpleNamespace()
    holder.table = np.zeros((3, 2))
    table = holder.table
    for i in range(n):
        put(table, i % 3)
        if i == 1:
            holder.table = holder.table.copy()
    return holder.table, table


@pytest.mark.parametrize(
    "program",
    [
        read_under_the_name_of_the_turn_before,
        one_is_written_where_the_other_is_bound_to_a_new_array,
        a_row_of_one_is_written_where_the_other_is_bound_to_a_new_array,
        an_attribute_is_bound_where_a_callee_writes_into_a_row,
    ],
)
def test_a_name_that_turns_bind_is_the_array_of_another_name_until_then(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_an_array_is_returned_from_a_turn_beside_a_list_in_which_the_turn_puts_other_objects():
    def program(x, n, v):
        rows, arrays = [[v], [3.0]], [x * 2]
        for _ in range(n):
            rows[0] = rows[1]
            return len(rows), arrays
        return 0, arrays

    ag.check(program, *CALLS[0], then=CALLS[1:])


WRITTEN_INSIDE = {
    "by an index": ("for j in range(n):", "    u[0] = v", "    u = u + v"),
    "as a whole": ("for j in range(n):", "    u[:] = v", "    u = u + v"),
    "by a method": ("for j in range(n):", "    u.fill(v)", "    u = u + v"),
    "in a while": ("j = n", "while j > 0:", "    j -= 1", "    u[0] += v", "    u = u + v"),
    "in a branch": ("if n > 1:", "    for j in range(n):", "        u[0] = v", "        u = u + v"),
    "in the turn around": ("for j in range(n):", "    u[0] = v", "u = u + v"),
}


@pytest.mark.parametrize("turn", WRITTEN_INSIDE.values(), ids=WRITTEN_INSIDE)
def test_what_turns_of_a_loop_inside_write_before_they_bind_the_name_is_seen_under_the_other_name(turn):
    lines = ["def f(x, n, v):", "u = x.copy()", "w = u", "for i in range(n):"]
    lines += [*[f"    {line}" for line in turn], "return u, w"]
    program = function_of("\n    ".join(lines) + "\n")
    calls = [(np.arange(3.0), np.int64(n), np.float64(2.5)) for n in (1, 0, 2, 3)]
    ag.check(program, *calls[0], then=calls[1:])


@pytest.mark.parametrize(
    "write", ["d.fill(3.0)", "d[0] = 3.0", "d += 3.0", "np.copyto(d, 7.0)", "np.add(d, 1, out=d)"]
)
@pytest.mark.parametrize("loop", ["for i in range(n):", "while n > 0:\n        n -= 1"])
def test_an_array_that_turns_bind_to_itself_is_that_array(loop, write):
    program = function_of(
        f"""
def f(n):
    b = np.zeros(3)
    d = b
    c = d
    {loop}
        d = b
    {write}
    return c
"""
    )
    ag.check(program, np.int64(2), then=[(np.int64(0),), (np.int64(1),)])


@pytest.mark.parametrize("written", ["u", "w"])
@pytest.mark.parametrize("view", ["w[:]", "w[::-1]", "w[1:]"])
@pytest.mark.parametrize("loop", ["for s in x:", "for _ in range(n):", "while n > 0:\n        n -= 1"])
def test_a_view_of_what_a_turn_makes_is_no_array_of_its_own_behind_the_loop(loop, view, written):
    program = function_of(
        f"""
def f(x, n):
    u, w = x * 2, x * 3
    {loop}
        w = x + n
        u = {view}
    {written}[0] = 50.0
    return u, w
"""
    )
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.check(program, np.array([1.0, 2.0, 3.0]), np.int64(2))


OUTSIDE = {"k": np.zeros(2)}


def test_a_dict_outside_that_a_loop_replaces_has_the_array_that_is_written_to_later():
    def program(n, v):
        global OUTSIDE
        found = np.ones(2)
        for _ in range(n):
            OUTSIDE = {"k": found}
        found[0] = v

    ag.check(program, np.int64(4), np.float64(0.5), then=[(np.int64(n), np.float64(2.0)) for n in (1, 0, 4)])


def test_what_a_loop_leaves_is_one_of_two_arrays_where_the_program_writes_to_one_of_them():
    def program(n, v):
        global OUTSIDE
        found = np.ones(2)
        for _ in range(n):
            OUTSIDE = {"k": found}
        found[0] = v
        return OUTSIDE["k"].sum()

    ag.check(program, np.int64(4), np.float64(0.5), then=[(np.int64(n), np.float64(2.0)) for n in (1, 0, 4)])


@pytest.mark.parametrize("array", ["found", "found[:]", "found[::-1]"])
def test_a_write_to_what_turns_put_into_a_dict_outside_is_one_to_the_array(array):
    program = function_of(
        f"""
def f(n, v):
    global outside
    found = np.ones(2)
    for _ in range(n):
        outside = {{"k": {array}}}
    outside["k"][0] = v
    return found.sum()
""",
        outside={"k": np.zeros(2)},
    )
    ag.check(program, np.int64(4), np.float64(0.5), then=[(np.int64(n), np.float64(2.0)) for n in (1, 0, 4)])


def test_a_refusal_leaves_what_was_there_where_nobody_knows_what_an_array_holds():
    def program(n, v):
        global OUTSIDE
        found = np.ones(2)
        for _ in range(n):
            OUTSIDE = {"k": OUTSIDE["k"][::-1]}
        OUTSIDE["k"][0] = v
        return found.sum()

    before = OUTSIDE
    with pytest.raises(StateDisagrees, match="under another name"):
        ag.function(program)(np.int64(4), np.float64(0.5))
    assert OUTSIDE is before
    assert type(OUTSIDE["k"]) is np.ndarray


@pytest.mark.parametrize("view", ["y.reshape(2, 2).reshape(4)", "y[::-1] if n > 7 else y[:]"])
@pytest.mark.parametrize("place", ["OUTSIDE", "box.x", "given['x']"])
@pytest.mark.parametrize("loop", ["for _ in range(n):", "while n > 0:\n        n -= 1"])
def test_a_write_to_what_turns_make_views_of_an_array_outside_is_refused_and_not_lost(loop, place, view):
    program = function_of(
        f"""
def f(n, x, given):
    y = {place}
    {loop}
        y = {view}
    y[0] = 9.0
""",
        OUTSIDE=(outside := np.arange(4.0)),
        box=SimpleNamespace(x=outside),
    )
    with pytest.raises(StateDisagrees, match=r"(?s)outside of the function may be written.*y\[0\] = 9.0"):
        ag.function(program)(np.int64(2), outside, {"x": outside})
    assert outside.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_two_names_that_a_turn_gives_an_array_that_it_makes_are_told_to_be_one():
    def program(n):
        a = b = np.arange(2.0)
        for _ in range(n):
            a = b = np.arange(2.0)
        a[1] = 7
        return a, b

    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.function(program)(np.int64(2))


WRITES_BEHIND_A_TRY = """    try:
        if n > 3:
            raise KeyError(n)
        x = x[::-1]
    except KeyError:
        pass
    x[0] = n + i"""

READ_WITH_IT = """
i = 0
for item in x:
{writes}
return item
---
y, total = x, 0.0
for i in range(n):
{writes}
    total += y[0]
return total
---
y, total = x, 0.0
for i in range(n):
{writes}
    total += y[0]
    y = y[::1]
return total
---
y, total = x + 1, 0.0
for i in range(n):
{writes}
    total += y[0]
    y = x
return total
---
x, total = OUTSIDE, 0.0
for i in range(n):
{writes}
    total += OUTSIDE[0]
return total
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", READ_WITH_IT)
def test_nobody_reads_on_what_a_turn_may_have_written_to_behind_a_try(program):
    body = program.format(writes=WRITES_BEHIND_A_TRY)
    function = function_of(
        "\n    ".join(["def f(x, n):", "x = x * 2", *body.splitlines()]) + "\n", OUTSIDE=np.ones(3)
    )
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.function(function)(np.array([1.0, 2.0, 3.0]), np.int64(2))
