"""Items of arrays, assigned in place: in a graph the variable gets an updated tensor."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import check
from tests.promises.kit import function_of

TABLE = np.arange(12.0).reshape(3, 4)
COUNTS = np.arange(6)


class Box:
    def __init__(self, x):
        self.x = x


# ── single statements ─────────────────────────────────────────────────────────────────────────────────


def test_items_and_parts_are_assigned():
    def program(x, i, v):
        x[i] = v
        x[-1, 0] = 2 * v
        x[1:, ::-2] = x[0, 1:3]
        x[..., 2] -= v
        return x

    check(program, TABLE, 1, 0.5)
    check(program, TABLE, -3, 7)


def test_a_slice_of_itself_is_read_before_it_is_written():
    def program(x):
        x[1:] = x[:-1]
        x[:-1] += x[1:]
        return x

    check(program, COUNTS)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "out[1] = x, 2 * x",
            "out[1] = [x, 1]",
            "out[:, 0] = (x, 1.0, x)",
            "out[:] = [[x, 1], [2, x], [0, 0]]",
        ),
        *(
            "out[1:] = [(x, x), [1, 2]]",
            "out[[0, 2]] = [x, 1.0]",
            "out[i] = x, i",
            "out[0] = [*out[1, :1], x]",
        ),
        *("out[0] = [x * k for k in range(2)]", "out[0] = [k for k in range(i + 1)]", "out[0] = x, 1, 2"),
    ],
)
def test_an_array_made_inside_gets_rows_of_several_values(line):
    program = function_of(f"def f(x, i):\n    out = np.zeros((3, 2))\n    {line}\n    return out\n", "x, i")
    ag.check(program, np.float64(0.5), np.int64(1))


def test_a_loop_of_python_s_writes_rows_of_several_values():
    def program(x, steps):
        y, out = 2.0, np.empty((steps + 1, 2))
        out[0] = x, y
        for k in range(steps):
            x, y = x + 0.1 * y, y - 0.1 * x
            out[k + 1] = x, y
        return out

    for steps in (3, 40):
        ag.check(program, np.float64(1.0), steps)


def test_several_arrays_index_together():
    def program(x, rows, columns, v):
        x[rows, columns] = v
        x[rows[:, None], columns] += 1
        x[columns[:2] - 1, ::2] *= 2
        return x

    check(program, TABLE, [0, 2], [1, -1], [5.0, 6.0])
    check(program, TABLE, [1, 1], [3, 3], [5.0, 6.0])


def test_repeated_places_are_read_once_and_the_last_one_stays():
    def program(x, i):
        x[i] += 1
        x[i] = x[i] * [1, 2, 3]
        return x

    check(program, COUNTS, [2, 2, 4])


def test_masks_select_what_changes():
    def program(x, v):
        x[x > 4] *= 2
        x[x < 2] = v
        x[x == v] = [7, 8]
        x[np.asarray([True, False, True]), 1] = -1
        return x

    check(program, TABLE, 0.5)


def test_values_are_cast_to_the_dtype_of_the_array():
    def program(x, v):
        x[0] = v
        x[1] += v
        x[2:4] = [1.9, -1.9]
        return x

    check(program, COUNTS, 2.7)


@pytest.mark.parametrize("index", [np.s_[1:], np.s_[[0, 0]], COUNTS > 2])
def test_what_a_part_is_computed_to_must_stay_within_its_kind(index):
    def program(x, v):
        x[index] += v
        return x

    for function in (program, ag.function(program)):
        with pytest.raises(TypeError, match="int64"):
            function(rt.asarray(COUNTS) if function is not program else COUNTS.copy(), 1.5)


def test_an_item_of_an_item_is_assigned():
    def program(x, i, j):
        x[i][j] = 9
        x[i][1:][j] += 1
        return x

    check(program, TABLE, 1, 2)


def test_an_item_of_a_copy_is_not_assigned():
    def program(x, rows):
        x[rows][0] = 9
        x[x > 3][0] += 1
        return x

    check(program, TABLE, [0, 1])


def test_attributes_and_items_of_containers_hold_the_updated_array():
    def program(x, i):
        box, table, items = Box(x), {"k": x + 1}, [x + 2, x + 3]
        box.x[i] = 7
        box.x[i:] *= 2
        table["k"][i] += 5
        items[1][-1] = i
        return box.x, table["k"], items[0], items[1]

    check(program, COUNTS, 2)


def test_items_among_several_targets():
    def program(x, i):
        x[i], y = x[i + 1], x[i]
        x[0], x[1] = x[1], x[0]
        x[2] = z = y + 1
        return x, y, z

    check(program, COUNTS, 3)


def test_the_new_value_is_computed_first():
    def program(x, i):
        x[x[i]] = x[x[x[i] - 1]] + 10
        x[i] -= x[i + 1]
        return x

    check(program, COUNTS, 3)


def test_other_names_keep_what_they_had():
    def updated(x, i):
        before = x + 0
        kept = before
        x[i] = 100
        return x.sum(), kept, before

    check(updated, COUNTS, 3)


# ── branches and loops ────────────────────────────────────────────────────────────────────────────────


def test_branches_update_different_places():
    def program(x, i):
        if x[i] > 2:
            x[i] = 0
        elif i > 0:
            x[i - 1] += 10
            x[i] = x[i - 1]
        return x

    for i in (0, 1, 4):
        check(program, COUNTS, i)


def test_a_loop_fills_an_array():
    def program(n, x):
        i = 0
        while i < n:
            x[i] = i * i
            i += 1
        return x

    check(program, 6, np.zeros(6))
    check(program, 0, np.zeros(6))


def test_the_sieve_of_eratosthenes():
    def primes(n):
        is_prime = np.ones(n, np.bool_)
        is_prime[:2] = False
        for number in range(2, n):
            if is_prime[number]:
                is_prime[number * number :: number] = False
        return np.nonzero(is_prime)[0]

    check(primes, 60)


def test_insertion_sort():
    def insertion_sort(x):
        for place in range(1, len(x)):
            item = x[place]
            while place > 0 and x[place - 1] > item:
                x[place] = x[place - 1]
                place -= 1
            x[place] = item
        return x

    check(insertion_sort, [5, 2, 4, 6, 1, 3])


def test_bubble_sort_swaps():
    def bubble_sort(x):
        for end in range(len(x) - 1, 0, -1):
            for i in range(end):
                if x[i] > x[i + 1]:
                    x[i], x[i + 1] = x[i + 1], x[i]
        return x

    check(bubble_sort, [5, 2, 4, 6, 1, 3])


def test_elimination_on_a_matrix():
    def eliminated(a):
        n = len(a)
        for column in range(n):
            pivot = column + np.argmax(np.abs(a[column:, column]))
            a[[column, pivot]] = a[[pivot, column]]
            for row in range(column + 1, n):
                a[row, column:] -= a[row, column] / a[column, column] * a[column, column:]
        return a

    check(eliminated, [[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]])


def test_counts_by_a_table():
    def histogram(values, counts):
        for value in values:
            counts[value] += 1
        return counts

    check(histogram, [1, 3, 1, 0, 3, 3], np.zeros(4, np.int64))


def test_edit_distance_by_a_table():
    def distance(one, other):
        table = np.zeros((len(one) + 1, len(other) + 1), np.int64)
        table[:, 0] = np.arange(len(one) + 1)
        table[0] = np.arange(len(other) + 1)
        for i in range(1, len(one) + 1):
            for j in range(1, len(other) + 1):
                if one[i - 1] == other[j - 1]:
                    table[i, j] = table[i - 1, j - 1]
                else:
                    table[i, j] = 1 + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
        return table[-1, -1]

    check(distance, [1, 2, 3, 4, 2], [2, 3, 3, 4])


def test_life():
    def generation(cells):
        fresh = np.zeros_like(cells)
        height, width = cells.shape
        for i in range(height):
            for j in range(width):
                around = np.sum(cells[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]) - cells[i, j]
                if around == 3 or (around == 2 and cells[i, j] == 1):
                    fresh[i, j] = 1
        return fresh

    check(generation, [[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 1]])


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────


def test_an_index_out_of_range_is_raised_and_caught():
    def program(x, i):
        x[i] = 1
        return x

    def careful(x, i):
        try:
            x[0] = 5
            x[i] = 1
        except IndexError:
            x[1] = 9
        return x

    check(program, COUNTS, 6, raises=IndexError, message="index 6 is out of bounds for axis 0 with size 6")
    check(careful, COUNTS, 6)
    check(careful, COUNTS, 3)


def test_a_value_that_does_not_fit_is_raised():
    def program(x, v):
        x[1:3] = v
        return x

    check(program, COUNTS, [1, 2, 3], raises=ValueError, message="(3,)")


def test_items_of_arrays_are_not_deleted():
    @ag.function
    def program(x):
        del x[0]
        return x

    for given in (COUNTS, rt.asarray(COUNTS)):
        with pytest.raises(ValueError, match=r"cannot delete array elements(.*\n)+.*np\.delete"):
            program(given)


def test_tensors_keep_their_values_and_a_variable_outside_gets_another_one():
    captured = first_captured = rt.asarray(COUNTS)
    argument = rt.asarray(COUNTS)
    kept = rt.asarray(COUNTS, copy=True)

    @ag.function
    def program(x):
        x[0] = 100
        y = captured
        y[1] = 100
        return x, y

    for _ in range(2):
        first, second = program(argument)
        np.testing.assert_array_equal(first, [100, 1, 2, 3, 4, 5])
        np.testing.assert_array_equal(second, [0, 100, 2, 3, 4, 5])
    np.testing.assert_array_equal(captured, [0, 100, 2, 3, 4, 5])
    np.testing.assert_array_equal(first_captured, kept)
    np.testing.assert_array_equal(argument, kept)


@pytest.mark.parametrize("method", ["set", "add", "multiply", "max"])
def test_methods_of_at_may_stand_in_a_loop(method):
    def program(x, n):
        for i in range(n):
            x = getattr(x.at[i], method)(2) if i % 2 == 0 else x.at[i].set(i)
        return x

    def plain(x, n):
        for i in range(n):
            if i % 2 == 0:
                x[i] = {"set": 2, "add": x[i] + 2, "multiply": x[i] * 2, "max": max(x[i], 2)}[method]
            else:
                x[i] = i
        return x

    for executor in ("numpy", "reference"):
        found = ag.function(program, executor=executor)(rt.asarray(COUNTS), rt.asarray(5))
        np.testing.assert_array_equal(found, plain(COUNTS.copy(), 5))


def test_an_object_keeps_its_array_between_calls():
    box = Box(rt.Variable(COUNTS))

    @ag.function
    def program(i):
        x = box.x + 0
        x[i] += 10
        box.x.assign(x)

    program(rt.asarray(2))
    program(rt.asarray(2))
    np.testing.assert_array_equal(box.x.numpy(), [0, 1, 22, 3, 4, 5])


# ── arrays of NumPy's ─────────────────────────────────────────────────────────────────────────────────


def test_an_array_made_in_the_function_becomes_a_tensor_where_a_tensor_decides():
    def program(n, v):
        x = np.zeros(4)
        x[0] = 1
        if v > 0:
            x[1] = 2
        x[n] = 3
        x[3] = v
        for i in range(n):
            x[i] += x[i, None][0] + i
        return x

    check(program, 2, 5.0)
    check(program, 1, -5.0)


def test_a_view_of_an_array_changes_that_array_where_no_tensor_decides():
    def program(v):
        table = np.zeros((2, 2))
        try:
            for row in table:
                row[:] = 3
            if v < 0:
                raise ValueError("negative")
        except TypeError:
            return table * 0
        return table * v

    check(program, 5.0)


def test_what_is_written_for_the_caller_reaches_the_caller():
    def fill(x):
        x[0] = 5.0

    def program(x):
        x = x + 1
        fill(x)
        return x

    check(program, np.array([1.0, 2.0]))


def test_what_is_written_at_a_computed_index_reaches_the_caller_too():
    def program(x, i):
        x[i + 1] = 5.0
        return i

    graph, array = ag.function(program), np.array([1.0, 2.0])
    assert graph(array, np.int64(0)).numpy() == 0
    assert array.tolist() == [1.0, 5.0]


@pytest.mark.parametrize("value", ["a", "2.5", "7", b"3", None])
@pytest.mark.parametrize("dtype", ["float64", "int64", "bool", "complex64"])
def test_what_numpy_reads_in_a_text_is_put_into_an_array(value, dtype):
    def put(x):
        y = x.copy()
        try:
            y[1] = value
            y[:1] = value
        except (TypeError, ValueError) as error:
            return type(error), str(error)
        return y

    ag.check(put, np.ones(3, dtype))


def test_a_text_that_is_no_number_is_numpys_error():
    def put(x):
        x[1] = "a"

    with pytest.raises(ValueError, match="could not convert string to float: 'a'"):
        ag.function(put)(np.ones(3))
