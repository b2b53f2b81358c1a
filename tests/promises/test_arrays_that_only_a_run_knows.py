"""Arrays of which only a run knows what they hold, which name has them, and what lies outside."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import LeakedTensor, StateDisagrees
from tests.promises.kit import Holder

X = np.float64(3.0)


def _sort(a, low, high):
    if low < high:
        pivot, i = a[high], low - 1
        for j in range(low, high):
            if a[j] <= pivot:
                i += 1
                a[i], a[j] = a[j], a[i]
        a[i + 1], a[high] = a[high], a[i + 1]
        _sort(a, low, i)
        _sort(a, i + 2, high)


def quicksort(a):
    _sort(a, np.int64(0), np.int64(len(a) - 1))
    return a


# ── what only the run knows ───────────────────────────────────────────────────────────────────────────


def test_a_loop_that_binds_an_array_that_has_two_names_writes_into_the_one_that_it_is():
    def program(x):
        buf = np.arange(3.0) * x
        other = buf
        for i in range(x.astype(int)):
            buf[i] = 1
            buf = buf + other
        return buf, other

    ag.check(program, X, then=[(np.float64(0.0),), (np.float64(1.0),)])


def test_an_array_in_a_list_of_the_graph_is_a_value():
    def program(n):
        rows = []
        for i in range(n):
            rows.append(np.zeros(2) + i)
        rows[0][1] = 5.0
        return rows

    with pytest.raises((StateDisagrees, LeakedTensor)):
        ag.function(program)(np.int64(3))


def test_an_array_that_a_list_of_the_graph_holds_is_not_written_to():
    def program(n):
        rows, row = [], np.zeros(2)
        for i in range(n):
            row[0] = i
            rows.append(row)
        return rows

    with pytest.raises(StateDisagrees, match="puts into a list, too"):
        ag.function(program)(np.int64(3))


def test_numbers_that_are_known_are_added_where_the_branch_runs():
    def add(buf):
        buf += 1.0

    def program(x):
        buf, rows = np.zeros(2), [np.zeros(2)]
        if x > 2:
            add(buf)
            rows[0] *= 2
            rows[0] += 1
        return buf, rows

    ag.check(program, X, then=[(np.float64(1.0),)])


def test_an_attribute_is_changed_in_place_where_the_branch_runs():
    def program(holder, x):
        for i in range(3):
            if x > i:
                holder.buf += 1
                holder.parts[0] -= 0.5
        return holder.buf.sum()

    ag.check(program, Holder(3), X, then=[(Holder(3), np.float64(0.5))])


def test_what_a_library_changes_by_itself_in_a_branch_is_refused():
    def program(x):
        buf = np.zeros(2)
        memory = memoryview(buf)
        if x > 2:
            memory[0] = 1.0
        return buf

    with pytest.raises(StateDisagrees, match="changed in place where a tensor decides"):
        ag.function(program)(X)


def test_a_turn_makes_an_array_of_its_own():
    def program(n):
        total, last = 0.0, np.zeros(3)
        for i in range(n):
            one, many = np.zeros(3), np.eye(3)
            one[i % 3] = i
            many[i % 3, 0] = 2.0
            if i > 2:
                break
            part = np.ones(3)
            part[0] += i
            total += (many @ one).sum() + part[0]
            last = one
        return total, last

    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(9),)])


def test_an_array_that_a_call_gives_back_is_no_new_one():
    def same(buf):
        return buf

    def program(n):
        buf = np.zeros(3)
        other = 2.0 * np.ones(3)
        for i in range(n):
            one, two = np.asarray(buf), same(np.asarray(other))
            one[i % 3] += i
            if i > 1:
                two[0] = i
        return buf, other

    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(9),)])


def test_layers_of_a_network_are_trained_in_place():
    def program(layers, x, n):
        for _ in range(n):
            out = x @ layers[0]["w"] + layers[0]["b"]
            if out.sum() < 0.5:
                break
            for index in reversed(range(2)):
                layer = layers[index]
                layer["w"] -= 0.1 * x.T @ out
                layer["b"] -= 0.1
        return out

    def layers():
        return [{"w": np.ones(2), "b": np.zeros(3)} for _ in range(2)]

    ag.check(program, layers(), np.ones((3, 2)), np.int64(1), then=[(layers(), np.ones((3, 2)), np.int64(5))])


OUTSIDE = np.zeros(3)
LARGE = np.zeros(20_000)


def writes_outside(x):
    OUTSIDE[0] = x
    return OUTSIDE.sum()


def writes_what_is_known_outside(x):
    view = OUTSIDE[1:]
    view[0] = 5.0
    if x > 2:
        OUTSIDE[2] += 1
    return x


def binds_a_global_in_place(x):
    global OUTSIDE
    OUTSIDE += x
    OUTSIDE[1:] *= 2
    np.add.at(OUTSIDE, [0, 0], 1.0)
    return OUTSIDE.sum()


def writes_into_a_large_array(x):
    LARGE[3] = x
    LARGE[5] += 1
    return LARGE[3] + LARGE[4]


@pytest.mark.parametrize(
    "program",
    [writes_outside, writes_what_is_known_outside, binds_a_global_in_place, writes_into_a_large_array],
    ids=lambda program: program.__name__,
)
def test_an_array_outside_is_changed_on_every_call(program):
    ag.check(program, X, then=[(np.float64(1),), lambda: OUTSIDE.fill(7), (np.float64(4),)])


def test_an_array_in_an_attribute_outside_is_changed_on_every_call():
    holder = Holder(3)

    def program(x):
        holder.put(1, x)
        holder.parts[0][0] += x
        return holder.buf.sum()

    ag.check(program, X, then=[(np.float64(1),), lambda: holder.put(0, 9.0), (X,)])


def test_a_write_outside_asks_for_no_further_trace():
    graph = ag.function(writes_outside)
    for value in range(4):
        graph(np.float64(value))
        OUTSIDE[1] = value
    assert graph.experimental_get_tracing_count() == 1


def test_a_graph_that_raises_leaves_arrays_as_python_does():
    def program(a, x):
        a[0] = x
        if x > 2:
            raise ValueError("large")
        a[1] = x
        return x

    array = np.zeros(2)
    graph = ag.function(program)
    graph(array, np.float64(1))
    with pytest.raises(ValueError, match="large"):
        graph(array, X)
    assert array.tolist() == [3, 1]


def test_a_sort_by_recursion():
    array = np.array([3.0, 1.0, 2.0, 5.0, 0.0])
    assert ag.function(quicksort)(array).numpy().tolist() == [0, 1, 2, 3, 5]
    assert array.tolist() == [0, 1, 2, 3, 5]


def test_a_turn_may_return_the_array_that_turns_write_into():
    def program(t):
        w = np.zeros(2)
        for turn in range(20):
            w[0] = t * turn
            if w[0] > 3:
                return w, turn
            w[1] += 1
        return w, 20

    ag.check(program, np.float64(1.0), then=[(np.float64(0.0),), (np.float64(9.0),)])


def test_a_returned_array_is_written_to_on_the_way_out():
    def program(t):
        w = np.zeros(2)
        try:
            for turn in range(20):
                w[0] = t * turn
                if w[0] > 3:
                    return w
        finally:
            w[1] = 7.0
        return w

    ag.check(program, np.float64(1.0), then=[(np.float64(0.0),), (np.float64(9.0),)])


def views_that_a_loop_takes(rows, x):
    for row in rows:
        row[0:] = x


def views_that_are_unpacked(rows, x):
    first, second, _ = rows
    first[0:] = x
    second[1] = x[0]


def views_that_are_taken_after_a_write(rows, x):
    first = rows[0]
    first[0:] = x
    second = rows[:2].T
    second[0] = x[0] * 2
    first[1] += 1


@pytest.mark.parametrize(
    "write", [views_that_a_loop_takes, views_that_are_unpacked, views_that_are_taken_after_a_write]
)
def test_views_of_an_array_are_taken_where_a_tensor_decides(write):
    def program(x):
        rows = np.zeros((3, 2))
        if x[0] > 0:
            write(rows, x)
        return rows, rows.sum()

    ag.check(program, np.arange(2.0), then=[(np.ones(2),)])


def test_an_array_that_two_branches_make_has_all_its_names_after_them():
    def program(x):
        if x > 0:
            rows = np.zeros(3)
            rows[1] = 4
            kept = rows
        else:
            rows = kept = np.ones(3)
        kept[0] = x
        rows[2] += 1
        return rows, kept

    ag.check(program, np.float64(1.0), then=[(np.float64(-1.0),)])


def test_rows_of_one_array_are_written_to_one_after_the_other():
    def program(x):
        one, other, third = x * 2
        if x[0, 0] > 1:
            one, other, third = one[1:], other[1:], third[1:]
        one[0], other[0] = 5, 6
        third[-1] += one[0]
        return one, other, third

    ag.check(program, np.arange(9.0).reshape(3, 3), then=[(np.ones((3, 3)) * 2,)])


def test_a_polynomial_is_fitted_to_a_part_of_an_array():
    def smoothed(x, y, i):
        near = slice(i - 2, i + 3)
        return np.polyfit(x[near], y[near], 2), np.polyval(np.polyfit(x[near], y[near], 1), x[i])

    x = np.linspace(0.0, 2.0, 12)
    ag.check(smoothed, x, np.sin(x), np.int64(4), then=[(x, np.cos(x), np.int64(7))])
