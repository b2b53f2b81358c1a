"""What is written into the memory of something, or into bytes, is seen by all that show it, or refused."""

from __future__ import annotations

import queue
from array import array

import numpy as np
import pytest

import autograph as ag
from runtime.errors import Error, NoConcreteValue, StateDisagrees


def filled_diagonal(v):
    table = np.arange(9.0).reshape(3, 3)
    turned = table[::-1]
    np.fill_diagonal(turned, v)
    return table, turned


def put(v):
    table = np.arange(12.0).reshape(3, 4)
    part = table[:, 1:]
    np.put(table.T, [1, 2], v)
    part.put([0, 5], v)
    return table, part


def put_along_no_axis(v):
    table = np.arange(12.0).reshape(3, 4)
    np.put_along_axis(table, np.array([1, 3]), v, None)
    return table


def known_bytes(v):
    data = bytearray(b"abc")
    also = data
    data.append(100)
    data[0] = 1
    data += b"x"
    return bytes(also), v


@pytest.mark.parametrize(
    "program",
    [filled_diagonal, put, put_along_no_axis, known_bytes],
    ids=lambda program: program.__name__,
)
def test_what_is_written_is_seen_through_all_names(program):
    ag.check(program, np.float64(2.0), then=[(np.float64(3.0),)])


def appended(v):
    data = bytearray(b"abc")
    if v > 2:
        data.append(100)
    return bytes(data)


def changed(v):
    data = array("d", [1.0, 2.0])
    if v > 2:
        data[0] = 5.0
    return list(data)


def extended(v):
    data = bytearray(b"abc")
    if v > 2:
        data += b"d"
    return bytes(data)


def through_its_memory(v):
    data = bytearray(b"abc")
    shown = memoryview(data)
    if v > 2:
        shown[0] = 5
    return bytes(data)


def in_a_try(v):
    data = bytearray(b"abc")
    try:
        data.append(100)
        if v > 2:
            raise ValueError
        data.append(101)
    except ValueError:
        data.append(102)
    return bytes(data)


@pytest.mark.parametrize(
    "program",
    [appended, changed, extended, through_its_memory, in_a_try],
    ids=lambda program: program.__name__,
)
def test_bytes_that_a_tensor_has_changed_are_refused(program):
    with pytest.raises(StateDisagrees, match="is changed where a tensor decides whether that happens"):
        ag.function(program)(np.float64(2.0))


def test_an_array_that_shows_the_memory_of_something_else_is_not_written_to():
    def through_nditer(v):
        table = np.zeros((2, 2))
        for element in np.nditer(table, op_flags=["readwrite"]):
            element[...] = v
        return table

    def through_frombuffer(v):
        data = bytearray(16)
        np.frombuffer(data)[0] = v
        return bytes(data)

    for program in (through_nditer, through_frombuffer):
        with pytest.raises(StateDisagrees, match="shows the memory of a"):
            ag.function(program)(np.float64(2.0))


def test_a_queue_that_a_tensor_has_changed_is_not_read_as_if_it_had_been():
    def f(v):
        waiting = queue.Queue()
        if v > 2:
            waiting.put(1)
        return waiting.qsize()

    with pytest.raises((Error, NoConcreteValue)):
        ag.function(f)(np.float64(2.0))


@pytest.mark.parametrize("kind", [bytes, bytearray, lambda items: array("B", items)])
def test_bytes_that_a_tensor_repeats_are_refused_with_a_way_out_for_them(kind):
    def times(n):
        return kind(b"ab") * n

    assert len(times(np.int64(3))) == 6
    with pytest.raises(NoConcreteValue, match=r"how often `\w+` items are repeated") as caught:
        ag.function(times)(np.int64(3))
    assert "fill a list, `[0] * n`" in str(caught.value)


@pytest.mark.parametrize(
    "program",
    [
        lambda n: b"%d" % n,
        lambda n: b"%5.2f and %r" % (n * 0.5, n),
        lambda n: b"%(a)d" % {b"a": n},
        lambda n: bytearray(b"%x") % int(n),
        lambda n: (b"%d;" % n + b"x").decode() + "!",
        lambda n: b"%d %s" % (n, b"a" if n > 2 else b"b"),
        lambda n: (b"%d" if n > 2 else b"%x") % int(n + 9),
        lambda n: b"%c" % int(n + 60),
    ],
    ids=["number", "two", "named", "bytearray", "decoded", "chosen", "template", "character"],
)
def test_values_of_the_run_are_put_into_bytes(program):
    ag.check(program, np.int64(4), then=[(np.int64(1),)])


@pytest.mark.parametrize("value", [int, str, lambda n: (n, n)], ids=["int", "str", "two"])
def test_what_cannot_be_put_into_bytes_is_refused_in_pythons_words(value):
    def told(n):
        try:
            return b"%s" % value(n)
        except TypeError as error:
            return str(error)

    ag.check(told, np.int64(4), then=[(np.int64(1),)])


def test_bytes_are_not_made_of_values_of_the_run_while_tracing():
    with pytest.raises(NoConcreteValue, match=r"put into bytes[\s\S]*host_call"):
        ag.function(lambda n: b"%d" % n, effects="trace")(np.int64(4))
