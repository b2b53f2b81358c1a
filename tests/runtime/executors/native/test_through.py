"""What is assigned to a part of an array is written there at once, and the elements are Python's."""

import random
import re

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered


def waves(x, y, turns):
    for _ in range(turns):
        y[:-1] += 0.5 * (x[1:] - x[:-1])
        x[1:] += 0.5 * (y[1:] - y[:-1])
    return x, y


def flooded(x, y, turns):
    for _ in range(turns):
        q = x.copy()
        q[1:] = np.maximum(q[1:], x[:-1])
        q[:-1] = np.maximum(q[:-1], x[1:])
        x = np.minimum(q, y)
    return x, y


def triangular(x, y, turns):
    for k in range(turns):
        x[k + 1 :] -= y[k + 1 :] * x[k]
    return x, y


def exchanged(x, y, turns):
    for _ in range(turns):
        x[: len(x) // 2], y[: len(y) // 2] = y[len(y) // 2 :] + 1.0, x[len(x) // 2 :] * 0.5
    return x, y


PROGRAMS = [waves, flooded, triangular, exchanged]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
def test_parts_that_are_assigned_hold_what_they_hold_in_numpy(program, options):
    rng = np.random.default_rng(0)
    x, y = rng.random(100), rng.random(100)
    found = ag.function(program, **options)(x.copy(), y.copy(), rt.asarray(20))
    for one, other in zip(found, program(x.copy(), y.copy(), 20), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("program", "made"), [(waves, 1), (flooded, 2)])
def test_nothing_is_put_aside_that_nobody_sees(program, made):
    """Of `waves`, what `x` was before; of `flooded`, the two arrays that the program itself makes."""
    graph = ag.function(program)
    graph(np.ones(100), np.ones(100), rt.asarray(3))
    turn = graph.concrete_functions[0].program.source().rpartition("mark()")[2]
    assert len(re.findall(r" = memory\(", turn)) == made


def drawn(rng):
    """A program that assigns blocks of a table to others, which may overlap."""
    lines = ["def assigned(x, turns):", "    x = x * 1.0", "    for i in range(turns):"]
    for _ in range(rng.randint(1, 4)):
        rows, columns = rng.randint(1, 5), rng.randint(1, 5)

        def block(rows=rows, columns=columns):
            first, left = rng.randint(0, 6 - rows), rng.randint(0, 6 - columns)
            return f"x[{first}:{first + rows}, {left}:{left + columns}]"

        to, of, other = block(), block(), block()
        value = rng.choice(["{0}", "{0} + 1.0", "{0} * 0.5 + {1}", "{0} - i", "np.maximum({0}, {1})"])
        lines.append(f"        {to} {rng.choice(['=', '=', '+='])} {value.format(of, other)}")
    return "\n".join([*lines, "    return x", ""])


@pytest.mark.parametrize("seed", range(16))
def test_blocks_that_overlap_are_read_before_they_are_written(seed, tmp_path):
    text = drawn(random.Random(seed))
    path = tmp_path / "assigned.py"
    path.write_text(text, encoding="utf-8")
    names = {"np": np}
    exec(compile(text, str(path), "exec"), names)  # it was written here
    program, x = names["assigned"], np.arange(36.0).reshape(6, 6)
    graph = ag.function(program)
    wanted = program(x, 4)
    np.testing.assert_array_equal(graph(x, rt.asarray(4)), wanted, err_msg=text)
    (concrete,) = graph.concrete_functions
    assert concrete.report().executor == "native"
    module = concrete.optimised_module
    (found,) = Interpreted(lowered(module), module.entry).run([x, np.array(4)])
    np.testing.assert_array_equal(found, wanted, err_msg=text)


def looked_up(x, n, places):
    a = x * 1.0
    a[a > 2] = n
    a[[0, 0]] += 1
    a[places % 2] = a[places % 2] * 2 + 1
    a[np.arange(4) // 2] -= a[np.arange(4) // 2] * 3
    return a


def looked_up_in_turns(x, n, places):
    a, kept = x * 1.0, np.zeros(len(places))
    for i in range(len(places)):
        kept[i] = a[places[i]] + 1
    for i in range(len(places)):
        a[places[i]] = kept[i]
    return a


def every_second(x, n, places):
    a, kept = x * 1.0, np.zeros(4)
    for i in range(4):
        kept[i] = a[i // 2] + 1
    for i in range(4):
        a[i // 2] = kept[i]
    return a


@pytest.mark.parametrize("program", [looked_up, looked_up_in_turns, every_second])
def test_places_that_are_named_twice_are_read_before_they_are_written(program):
    given = np.arange(5.0)[::-1].copy(), np.int64(2), np.array([0, 0, 3, 0])
    found = ag.function(program, executor="native")(*given)
    np.testing.assert_array_equal(found, program(*given))


def framed(x, y, turns):
    for _ in range(turns):
        x[1:, 2:] += y[1:, 2:]
        x[::2] *= 0.5
    return x


def test_each_element_of_a_block_is_written_at_once():
    graph = ag.function(framed)
    given = np.ones((4, 6)), np.ones((4, 6))
    np.testing.assert_array_equal(graph(*given, rt.asarray(3)), framed(np.ones((4, 6)), np.ones((4, 6)), 3))
    turn = graph.concrete_functions[0].program.source().rpartition("mark()")[2]
    assert " = memory(" not in turn
