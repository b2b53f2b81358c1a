"""Every turn of a loop exchanges arrays: `a, b = b, a`, as an iteration with two buffers does."""

from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from runtime.ops.control_flow import While
from tests.promises.kit import function_of

CALLS = [(np.int64(n), np.arange(3.0), np.array([5.0, 6.0, 7.0])) for n in (2, 3, 1, 0)]


def two(n, a, b):
    for i in range(n):
        b[0] = a[0] + a[1] + i
        a, b = b, a
    a[1] = 9.0
    return a, b


def three(n, a, b):
    c = np.full(3, 0.5)
    for _ in range(n):
        a[0] += b[1] + 1
        b[1] += c[2]
        c[2] += 0.5
        a, b, c = b, c, a
    return a, b, c


def by_a_third_name(n, a, b):
    for _ in range(n):
        b[0] = a[0] + 1
        kept = a
        a = b
        b = kept
    return a, b


def element_by_element(n, a, b):
    for _ in range(n):
        for i in range(1, 3):
            b[i] = a[i - 1] + a[i]
        a, b = b, a
    return a


def both_were_chosen(n, a, b):
    if n > 1:
        a, b = b, a
    for _ in range(n):
        b[0] = a[0] + 1
        a, b = b, a
    return a, b


def until_it_is_large(n, a, b):
    while n > 0:
        b[:] = a + n
        a, b = b, a
        n -= 1
    else:
        a[2] = 5.0
    return a, b


def another_name_from_before_is_read_behind(n, a, b):
    first = a
    for _ in range(n):
        b[0] = a[0] + 1
        a, b = b, a
    first[2] = 9.0
    return a, b, first, a is first


def another_name_from_before_is_read_inside(n, a, b):
    first = a
    for _ in range(n):
        b[0] = a[0] + 1 + first[0]
        a, b = b, a
    return a, b, first


def another_name_from_before_is_compared_inside(n, a, b):
    first, met = a, 0
    for _ in range(n):
        b[0] = a[0] + 1
        a, b = b, a
        if a is first:
            met += 1
    return a, b, met


def one_is_kept_under_another_name(n, a, b):
    last = a
    for _ in range(n):
        b[0] = a[0] + 1
        last = a
        a, b = b, a
    last[2] = 4.0
    return a, b, last


def exchanged_in_some_turns(n, a, b):
    for _ in range(n):
        b[0] = a[0] + 1
        if b[0] < 2:
            a, b = b, a
    return a, b


def left_in_the_middle(n, a, b):
    for i in range(n):
        b[0] = a[0] + i
        a, b = b, a
        if a[0] > 1:
            return a
    return b


def loop_in_loop(n, a, b):
    for _ in range(n):
        for _ in range(n):
            b[0] = a[0] + 1
            a, b = b, a
        a[1] += 1
        a, b = b, a
    return a, b


def in_attributes(n, a, b):
    holder = SimpleNamespace(a=a, b=b)
    for _ in range(n):
        holder.b[0] = holder.a[0] + 1
        holder.a, holder.b = holder.b, holder.a
    a[2] = 3.0
    return holder.a, holder.b, a, b


def in_a_list(n, a, b):
    rows = [a, b]
    for _ in range(n):
        rows[1][0] = rows[0][0] + 1
        rows[0], rows[1] = rows[1], rows[0]
    a[1] = 4.0
    return rows[0], rows[1], a, b


def one_is_made_before(n, a, b):
    new = np.zeros(3)
    c, d = a, new
    for _ in range(n):
        d[0] = c[0] + 1
        c, d = d, c
    return a, b, c, d, new


def rows_of_a_buffer(n, a, b):
    buffer = np.stack([a, b])
    now, then = buffer[0], buffer[1]
    for i in range(n):
        then[:] = now * 0.5 + i
        now, then = then, now
    now[0] = 7
    return buffer, now, then


def three_rows(n, a, b):
    buffer = np.stack([a, b, a + b])
    one, two, three = buffer
    for _ in range(n):
        three[0] = one[0] + two[1]
        one, two, three = two, three, one
    three[2] = 9
    return buffer, one, two, three


def parts_that_overlap(n, a, b):
    line = np.concatenate([a, b])
    low, high = line[:4], line[2:]
    for i in range(n):
        low += high
        if i % 2 == 0:
            low, high = high, low
    line[3] = 1
    return line, low, high


@pytest.mark.parametrize(
    "program",
    [
        two,
        three,
        by_a_third_name,
        element_by_element,
        both_were_chosen,
        until_it_is_large,
        another_name_from_before_is_read_behind,
        another_name_from_before_is_read_inside,
        another_name_from_before_is_compared_inside,
        one_is_kept_under_another_name,
        exchanged_in_some_turns,
        left_in_the_middle,
        loop_in_loop,
        in_attributes,
        in_a_list,
        one_is_made_before,
        rows_of_a_buffer,
        three_rows,
        parts_that_overlap,
    ],
)
def test_a_write_is_in_the_array_that_the_name_is_then(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize("program", [two, three, by_a_third_name, element_by_element, until_it_is_large])
def test_a_turn_that_only_exchanges_chooses_no_array(program):
    concrete = ag.function(program).get_concrete_function(*CALLS[0])
    (loop,) = [node for node in concrete.graph.nodes if isinstance(node.op, While)]
    body = loop.op.regions[1].graph
    assert "SelectV2" not in {node.op.name for node in body.nodes}
    assert "SelectV2" in concrete.graph.ops


def views_that_turns_bind(x, n, v):
    u = np.zeros(4)
    w = u.copy()
    for _ in x[:n]:
        w = u + 1
        u = w[::-1]
    u[0] = v
    return w


def views_that_turns_in_a_try_bind(x, n, v):
    u = np.zeros(4)
    w = u.copy()
    try:
        for _ in x[:n]:
            w = u
            u = u[::-1]
    finally:
        u[0] = v
    return w


@pytest.mark.parametrize("program", [views_that_turns_bind, views_that_turns_in_a_try_bind])
def test_a_view_that_turns_bind_is_not_read_after_a_write_under_another_name(program):
    with pytest.raises(StateDisagrees, match="written to under another name"):
        ag.function(program)(np.arange(4.0), np.int64(3), np.float64(2.0))


def rows_that_turns_replace(n, a, b):
    rows = [a.copy(), np.zeros(3)]
    more = rows
    for _ in range(n):
        rows[0] = rows[1]
    rows[0][0] = 2.0
    return rows, more


def items_that_turns_replace(n, a, b):
    table = {"a": a.copy(), "b": np.zeros(3)}
    for _ in range(n):
        table["a"], table["a"] = table["a"], table["b"]
    table["a"][0] = 2.0
    return table


@pytest.mark.parametrize("program", [rows_that_turns_replace, items_that_turns_replace])
def test_an_array_of_numpys_in_another_place_of_the_container_is_the_one_that_turns_put_there(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


COMPARED = {
    "an index chooses": ("m = rows[0]", "m is rows[2]", "m = rows[n % 3]"),
    "an index chooses, in a list": ("m = [rows[0]]", "m[0] is rows[2]", "m[0] = rows[n % 3]"),
    "an index chooses in two lists": ("m = [*rows]", "m[k] is rows[2]", "m[i % 2] = rows[n % 3]"),
    "a branch chooses": ("m = rows[0]", "m is rows[2]", "m = rows[2] if i % 2 == 0 else rows[1]"),
    "turns bind": ("m = rows[0]", "m is rows[1]", "m = rows[1]"),
}


@pytest.mark.parametrize(("start", "test", "bound"), COMPARED.values(), ids=COMPARED)
def test_a_turn_asks_whether_an_array_is_one_that_the_turn_before_has_bound(start, test, bound):
    program = function_of(
        f"""
def f(x, n):
    rows = [x.copy(), np.zeros(4), x * 2]
    {start}
    count = k = 0
    for i in range(n):
        if {test}:
            count += 1
        {bound}
    return count
"""
    )
    calls = [(np.ones(4), np.int64(n)) for n in (2, 3, 1, 0, 5)]
    ag.check(program, *calls[0], then=calls[1:])
