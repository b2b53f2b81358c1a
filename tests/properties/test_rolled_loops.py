"""Random loops over ranges of Python's do the same rolled, unrolled, and in plain Python."""

import linecache
import sys
from contextlib import contextmanager
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import autograph as ag
import autograph.converters.for_stmt  # the module, which the package hides behind the operator
from tests.properties.case import Different, check

for_stmt = sys.modules["autograph.converters.for_stmt"]
SEEDS = st.integers(0, 10**9)


@pytest.fixture(autouse=True)
def _all_loops_roll(monkeypatch):
    monkeypatch.setattr(for_stmt, "FEWEST_ROLLED", 2)
    monkeypatch.setattr(for_stmt, "FIRST_TURNS", 1)


@contextmanager
def unrolling():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(for_stmt, "FEWEST_ROLLED", 10**9)
        yield


def programs(most):
    """So many programs."""
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=most, deadline=None, phases=[Phase.generate], suppress_health_check=checks)


@programs(20)
@given(SEEDS)
def test_a_program_of_the_grammar_does_what_it_does_unrolled(seed):
    try:
        check(seed, "graph")
    except Different:
        with unrolling(), pytest.raises(Different):
            check(seed, "graph")


STATEMENTS = (
    "x = x * {c} + {n}",
    "s = s + x[{m} % 8] * {n}",
    "k += {c}",
    "k = k + {n}",
    "k, last = last, k",
    "last = {n}",
    "t = {n} * 0.5 - {c}",
    "t = t * 0.5",
    "y[{m} % 8] = s + {n}",
    "y[{m} % 8] += x[{c}]",
    "y += {n}",
    "z, x = x, z",
    "row = grid[{m} % 4]",
    "row = grid[{m} % 4]; row[1] = s; row += {n}",
    "held[0] = held[0] + {n}",
    "held[1] += {c}",
    "named['n'] += {c}; named['x'] = named['x'] * 0.5 + {n}",
    "box.n += {c}; box.v = box.v + s",
    "pair = (pair[0] + x[0], pair[1] + {c})",
    "best = i if x[i % 8] > x[best % 8] else best",
    "print('turn', i, k, t)",
    "whole = whole + {n}",
    "whole = (whole * 3 + {n}) % 1000",
    "small = small + np.float32({c}) * {n}",
    "items.append({n})",
    "flag = not flag",
    "x = np.sin(x) + math.cos({n})",
    "s = s + {n} // {c} + {n} % {c} - abs({n})",
)
COMPOUND = (
    ("if s > {n}:", True),
    ("if x[{m} % 8] > {c}:", True),
    ("if {n} > {c}:", True),
    ("if {n} >= 0:", False),
    ("for j in range({c}):", False),
    ("for j in range(5):", False),
    ("while s > 100.0:\n{pad}    s = s * 0.5", False),
)
NUMBERS = ("i", "k", "i + 1", "2 * i - 3", "-i", "last", "i * k", "t", "3", "j", "i * 5 + j", "i ** 2")
PRELUDE = """\
def program(x, whole, small):
    s, k, last, t, best, j = 0.0, 0, 1, 0.5, 0, 0
    y, z, grid, flag, items = np.zeros(8), x + 1, np.ones((4, 3)), True, []
    row, held, named, box, pair = grid[0], [x * 1, 2], {'n': 0, 'x': x}, Box(), (s, 0)
    for i in RANGE:
"""
RESULT = """\
    outside = held, named, box.n, box.v, items
    return x, s, k, last, t, best, y, z, grid, pair, whole, small, flag, j, i, outside
"""
RANGES = ("range(9)", "range(2, 12)", "range(20, 0, -3)", "range(len(x))", "range(1, 40, 4)")


class Box:
    """An object with two attributes."""

    def __init__(self):
        self.n, self.v = 0, 0.0


def text_of(random):
    """A program: a loop with a few statements in its body."""
    lines = []

    def filled(template, pad):
        return template.format(
            c=random.randint(1, 4),
            n=random.choice(NUMBERS),
            m=random.choice(("i", "i + 2", "3 * i", "k")),
            pad=pad,
        )

    def block(pad, depth):
        for _ in range(random.randint(1, 4)):
            if depth and random.random() < 0.3:
                header, has_else = random.choice(COMPOUND)
                lines.append(pad + filled(header, pad))
                block(pad + "    ", depth - 1)
                if has_else and random.random() < 0.5:
                    lines.append(pad + "else:")
                    block(pad + "    ", depth - 1)
            else:
                lines.append(pad + filled(random.choice(STATEMENTS), pad))

    block(" " * 8, 2)
    return PRELUDE.replace("RANGE", random.choice(RANGES)) + "\n".join(lines) + "\n" + RESULT


def compiled(text):
    """The function of a program."""
    name = f"<loop {hash(text)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    scope = {"np": np, "Box": Box, "math": __import__("math")}
    exec(compile(text, name, "exec"), scope)
    return scope["program"]


def difference(text):
    """How a program as a graph differs from plain Python; an empty text where it does not."""
    arguments = np.arange(8.0) * 0.5, np.int64(7), np.arange(3, dtype=np.float32)
    try:
        ag.check(compiled(text), *arguments)
    except Exception as error:  # noqa: BLE001  # whatever is wrong, or refused
        return f"{type(error).__name__}: {error}"
    return ""


@programs(25)
@given(SEEDS)
def test_a_random_loop_does_what_python_does_where_it_does_so_unrolled(seed):
    text = text_of(Random(seed))
    rolled = difference(text)
    if rolled:
        with unrolling():
            assert difference(text), f"{text}\n{rolled}"
