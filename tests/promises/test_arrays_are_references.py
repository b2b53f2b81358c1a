"""NumPy's arrays are references in a graph: who writes into one writes for everybody who has it."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import DTypeError, ImmutableTensor, ShapeError
from tests.promises.kit import Holder

X = np.float64(3.0)


def fill(buf, value):
    for i in range(len(buf)):
        buf[i] += value


# ── callees and aliases ───────────────────────────────────────────────────────────────────────────────


def a_callee_fills(x):
    buf = np.zeros(3)
    fill(buf, x)
    return buf


def an_alias_sees_it(x):
    buf = np.zeros(3)
    other = buf
    fill(buf, x)
    other[0] += 1
    return buf, other


def a_computed_array_is_one_too(x):
    buf = np.arange(3.0) * x
    other = buf
    fill(buf, x)
    buf[1] = 7
    return buf, other


def the_operator_changes_the_array(x):
    buf = np.arange(3.0) * x
    other = buf
    buf += 1
    other *= 2
    return buf, other


def a_number_is_no_array(x):
    other = x
    x += 1
    return x, other


def an_attribute_holds_it(x):
    holder = Holder(3)
    other = holder.buf
    holder.put(1, x)
    other[2] = 4
    return holder.buf, holder.parts


def a_list_holds_it(x):
    rows = [np.zeros(2), np.ones(2)]
    first = rows[0]
    rows[0][1] = x
    rows[1] += first
    return rows, first


def a_dict_and_a_tuple_hold_it(x):
    table = {"a": np.zeros(2), "b": (np.zeros(2), 1)}
    row = table["b"][0]
    row[0] = x
    table["a"][1] = x
    return table, row


def a_closure_writes(x):
    buf = np.zeros(3)

    def put(i):
        buf[i] = x

    put(0)
    put(2)
    return buf


def a_default_holds_it(x):
    buf = np.zeros(2)

    def put(i, target=buf):
        target[i] = x
        return target

    put(0)
    return buf, put(1)


# ── views ─────────────────────────────────────────────────────────────────────────────────────────────


def a_row_is_a_view(x):
    table = np.zeros((3, 3))
    row = table[1]
    row[:] = x
    row[0] += 1
    return table, row


def a_view_is_read_anew(x):
    table = np.zeros((3, 3)) + x
    row, column = table[1], table[:, 1]
    table[1, 1] = 7
    before = column.sum()
    column[:] = 1
    return table, row, before


def a_view_is_made_of_what_was_written(x):
    table = np.zeros((3, 3)) * x
    table[2] = x
    row = table[2]
    table[1, 0] = 5
    row[0] = 7
    table[0] = row
    return table, row


def a_view_of_a_view_is_made_of_what_was_written(x):
    table = np.zeros((3, 3)) * x
    row = table[2]
    row[0] = x
    end = row[1:]
    table[2, 0] = 5
    row[1] = 3
    end[1] = 7
    end += 1
    return table, row, end


def views_of_views(x):
    table = np.arange(24.0).reshape(2, 3, 4) * x
    part = table[1].T[1:, ::2]
    part[0, 1] = -1
    part *= 2
    return table, part


def transposed(x):
    table = np.arange(6.0).reshape(2, 3) * x
    other = table.T
    other[2, 1] = 0
    table[0] = 1
    return table, other


def reshaped(x):
    table = np.arange(6.0) * x
    square = table.reshape(2, 3)
    square[1] = 0
    line = square.reshape(-1)
    line[0] = 5
    return table, square, line


def reversed_(x):
    line = np.arange(6.0) * x
    other = line[::-1]
    other[0] = 0
    other[1:3] += 1
    return line, other


def a_new_axis(x):
    line = np.arange(3.0) * x
    column = line[:, None]
    column[0, 0] = 5
    return line, column


def an_element_is_a_copy(x):
    line = np.arange(3.0) * x
    first, second = line[0], line[1]
    line[0], line[1] = second, first
    line[0] = 9
    return line, first, second


def rows_swap_as_views_do(x):
    table = np.arange(6.0).reshape(3, 2) * x
    table[0], table[1] = table[1], table[0]
    return table


def copies_are_no_views(x):
    line = np.arange(4.0) * x
    copies = line.flatten(), line.copy(), line.astype(float), np.array(line), +line, np.abs(line)
    line[0] = 7
    return copies


def what_is_out_of_order_is_copied_by_reshape(x):
    line = np.arange(4.0) * x
    turned = line.reshape(2, 2).T.reshape(-1)
    turned[0] = 9
    return line, turned


def flat_is_a_view(x):
    line = np.arange(3.0) * x
    flat = line.flat
    line[1] = 4
    flat[0] = 8
    return line, flat[1]


def masks_and_integers_copy(x):
    line = np.arange(4.0) * x
    picked, chosen = line[[0, 1]], line[line > 2]
    picked[0] = 100
    chosen[...] = 0
    line[1] = 7
    return line, picked, chosen


def rows_of_a_loop_are_views(x):
    table = np.zeros((3, 2)) + x
    for row in table:
        row[1] *= 2
    for i in range(3):
        table[i][0] = i
    return table


# ── branches ──────────────────────────────────────────────────────────────────────────────────────────


def a_branch_writes(x):
    buf = np.zeros(3)
    other = buf
    if x > 2:
        buf[0] = 1.0
    else:
        other[1] = x
    return buf, other


def a_branch_fills_through_a_callee(x):
    buf = np.arange(3.0) * x
    other = buf[1:]
    if x > 2:
        fill(other, x)
    return buf, other


def both_branches_leave_other_arrays(x):
    buf = np.zeros(3)
    if x > 2:
        part = buf[:2] + x
    else:
        part = np.ones(2) * x
    part[0] = 9
    return buf, part


def a_branch_makes_an_array_and_a_view(x):
    if x > 2:
        buf = np.zeros(3) + x
        buf[0] = 1
    else:
        buf = np.ones(3) * x
        part = buf[1:]
        part[0] = 7
    return buf


def an_early_return(x):
    buf = np.arange(3.0) * x
    other = buf
    if x > 2:
        buf[0] = 8
        return other
    buf[1] = 8
    return other


def an_expression_writes(x):
    buf = np.arange(3.0) * x

    def put(i):
        buf[i] = 8
        return i

    return (put(0) if x > 2 else put(1)), buf


# ── loops ─────────────────────────────────────────────────────────────────────────────────────────────


def a_loop_writes_through_an_alias(x):
    buf = np.arange(3.0) * x
    other = buf
    i = 0
    while i < x:
        buf[i] = i
        other[0] += 1
        i += 1
    return buf, other


def a_loop_writes_through_a_view(x):
    table = np.zeros((3, 3)) + x
    row = table[1]
    for i in range(x.astype(int)):
        row[i] += i
    return table, row


def a_loop_reads_what_a_callee_wrote(x):
    buf = np.arange(3.0) * x
    total = 0.0
    for i in range(x.astype(int)):
        fill(buf, i)
        total += buf.sum()
    return buf, total


def a_loop_binds_the_name_anew(x):
    buf = np.arange(3.0) * x
    other = buf * 1
    for i in range(x.astype(int)):
        buf = buf + 1
        buf[i] = 0
    return buf, other


def two_buffers_swap(x):
    new, old = np.zeros(4) * x, np.arange(4.0) * x
    for _ in range(x.astype(int)):
        for i in range(1, 4):
            new[i] = old[i - 1] + old[i]
        new, old = old, new
    return new + 0, old + 0


def a_loop_in_a_loop(x):
    table = np.zeros((3, 3)) + x
    other = table
    for i in range(x.astype(int)):
        for j in range(i):
            table[i, j] += other[j, i] + 1
    return table, other


def a_break_after_a_write(x):
    buf = np.zeros(5) + x
    other = buf
    for i in range(x.astype(int) + 2):
        buf[i] = i
        if buf[i] >= x:
            break
    return other


def a_comprehension_after_a_write(x):
    buf = np.zeros(3) + x
    buf[1] = 5
    return [each * 2 for each in buf], buf


# ── try ───────────────────────────────────────────────────────────────────────────────────────────────


def a_try_writes_up_to_the_error(x):
    buf = np.arange(3.0) * x
    other = buf
    try:
        buf[0] = 7
        if x > 2:
            raise ValueError("large")
        buf[1] = 8
    except ValueError:
        other[2] = 9
    finally:
        buf[0] += 1
    return buf, other


def an_array_made_in_a_try(x):
    buf = np.zeros(2)
    try:
        buf = np.ones(2) * x
        buf[0] = 7
        if x > 2:
            raise ValueError("large")
        buf[1] = 8
    except ValueError:
        pass
    return buf


# ── recursion ─────────────────────────────────────────────────────────────────────────────────────────


def count_down(buf, n):
    if n > 0:
        buf[n] += n
        count_down(buf, n - 1)


def recursion_writes(x):
    buf = np.zeros(5) + x
    count_down(buf, x.astype(int))
    return buf


PROGRAMS = [
    each
    for name, each in list(globals().items())
    if getattr(each, "__module__", "") == __name__ and getattr(each, "__code__", None) is not None
    if each.__code__.co_varnames[: each.__code__.co_argcount] == ("x",)
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_does_what_it_does_with_numpy(program):
    ag.check(program, X, then=[(np.float64(1.0),), (X,)])


# ── what NumPy says no to ─────────────────────────────────────────────────────────────────────────────


def refused(program, *arguments, raises, match):
    for argument in arguments:
        with pytest.raises(raises):
            program(argument)
        with pytest.raises(raises, match=match):
            ag.function(program)(argument)


def test_values_are_cast_as_numpy_casts_them():
    def program(x):
        whole = np.zeros(3, int)
        whole[0] = x
        whole[1:] += 2
        flags = np.zeros(2, bool)
        flags[0] = x
        return whole, flags

    ag.check(program, np.float64(2.7), then=[(np.float64(-2.7),)])


def test_an_integer_array_takes_no_floats_from_an_operator():
    def program(x):
        whole = np.arange(3)
        whole += x
        return whole

    with pytest.raises(TypeError):
        program(np.float64(0.5))
    with pytest.raises((DTypeError, TypeError)):
        ag.function(program)(np.float64(0.5))


def test_a_narrow_array_stays_narrow():
    def program(a, x):
        other = a
        a += x
        return other

    ag.check(program, np.ones(2, np.float32), np.ones(2))


def test_shapes_that_do_not_broadcast():
    def program(x):
        buf = np.zeros(3) + x
        buf[:2] = np.arange(3.0) * x
        return buf

    refused(program, X, raises=ValueError, match="does not fit")


def test_an_array_does_not_grow_in_place():
    def program(x):
        buf = np.zeros(3) + x
        buf += np.zeros((2, 3)) * x
        return buf

    with pytest.raises(ValueError):
        program(X)
    with pytest.raises(ShapeError):
        ag.function(program)(X)


def test_what_is_broadcast_is_read_only():
    def program(x):
        buf = np.broadcast_to(np.zeros(3) + x, (2, 3))
        buf[0] = x
        return buf

    refused(program, X, raises=ValueError, match="read-only")


def a_row(m, n, v):
    part = m[n % 3]
    m[0, 1] = v
    return part, part[1]


def rows_from_there_on(m, n, v):
    part = m[n % 3 :]
    m[2, 1] = 5.0
    return part[-1]


def a_column(m, n, v):
    part = m[:, n % 3]
    m += v
    return part


def a_row_of_the_transpose(m, n, v):
    part = m.T[n % 3]
    m.fill(v)
    return part


def a_row_in_a_list(m, n, v):
    parts = [m[n % 3], m[0]]
    np.add.at(m, (0, 1), v)
    return parts


def a_row_before_a_loop(m, n, v):
    part = m[n % 3]
    for i in range(n):
        m[0, i % 3] = i
    if v > 1:
        m[0, 0] = v
    return part


def rows_that_are_copied(m, n, v):
    part = m[[n % 3, 0]]
    m[0, 1] = v
    return part


@pytest.mark.parametrize(
    "program",
    [
        a_row,
        rows_from_there_on,
        a_column,
        a_row_of_the_transpose,
        a_row_in_a_list,
        a_row_before_a_loop,
        rows_that_are_copied,
    ],
)
def test_what_a_tensor_takes_of_an_array_that_is_made_inside_shows_it(program):
    ag.check(
        lambda n, v: program(np.arange(9.0).reshape(3, 3), n, v),
        np.int64(3),
        np.float64(2.0),
        then=[(np.int64(4), np.float64(0.5))],
    )


def test_who_may_write_is_not_decided_by_a_tensor():
    def locked(x):
        row = np.zeros(2)
        if x > 1:
            row.setflags(write=False)
        row[0] = x
        return row

    with pytest.raises(ImmutableTensor, match=r"(?s)setflags.*outside of the function"):
        ag.function(locked)(np.float64(0.5))
