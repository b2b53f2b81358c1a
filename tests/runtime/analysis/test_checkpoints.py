"""What a `try` writes into is not copied, and what is caught finds it as it was then."""

import linecache
import random

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.analysis.aliasing import is_update
from runtime.analysis.ownership import Ownerships


def appended(n):
    values = []
    for i in range(n):
        try:
            values.append(i * 2)
            if i % 7 == 3:
                raise ValueError
            values.append(i)
        except ValueError:
            values.append(-1)
    return values


def around_the_loop(n):
    values = []
    try:
        for i in range(n):
            values.append(100 // (i - 50))
    except ZeroDivisionError:
        values.append(-1)
    return values


def elements(n):
    values = [0] * 3
    table = np.zeros(8, dtype=np.int64)
    for i in range(n):
        try:
            table[i % 9] = i
            values[i % 4] = i
            table[0] += 1
        except IndexError:
            values[0] -= 1
    return [*values, *table]


def within_another(n):
    values = []
    for i in range(n):
        try:
            values.append(i)
            try:
                values.append(100 // (i % 3))
                if i % 5 == 4:
                    raise KeyError(i)
            except ZeroDivisionError:
                values.append(-2)
            values[i % 100] += 1
        except (KeyError, IndexError):
            values.pop()
    return values


def copying(ownerships, graph, owned=frozenset()):
    """The updates of a graph that copy what they change, where it owns some of its inputs."""
    found = ownerships.of(graph, owned)
    for node in graph.nodes:
        if is_update(node) and node not in found.in_place:
            yield node
        for region in node.op.regions:
            handed = found.handed[node] if region.results or not region.variables else frozenset()
            yield from copying(ownerships, region.graph, handed)


@pytest.mark.parametrize("function", [appended, around_the_loop, elements, within_another])
def test_what_a_try_writes_into_is_not_copied(function):
    for executor in ("numpy", "native"):
        staged = ag.function(function, executor=executor)
        for n in (0, 3, 60):
            assert list(map(int, staged(rt.asarray(n)))) == function(n)
    module = staged.concrete_functions[0].optimised_module
    assert list(copying(Ownerships(module), module.entry)) == []


def test_what_is_read_behind_the_try_is_copied():
    def kept(n):
        values = [1, 2, 3]
        lasts = 0
        for i in range(n):
            before = list(values)
            try:
                values[i % 4] = i
                values[0] += 100 // (i % 3)
            except (IndexError, ZeroDivisionError):
                values = before
                lasts += 1
        return [*values, lasts]

    for executor in ("numpy", "native"):
        staged = ag.function(kept, executor=executor)
        assert list(map(int, staged(rt.asarray(11)))) == kept(11)


LISTS, ARRAYS = ("a", "b"), ("x", "y")
NUMBERS = ("i", "n", "t", "k % 5", "len(a)", "y[k % 4]")
TESTS = ("k % 3 == 1", "n > 3", "t > 4", "x[0] > y[1]", "len(a) > 4")
RAISED = ("ValueError", "KeyError(n)", "IndexError")
CAUGHT = ("ValueError", "IndexError", "ZeroDivisionError", "KeyError", "Exception")


def drawn(rng, depth, indent, loops):
    """The lines of some statements."""
    lines, space = [], "    " * indent
    for _ in range(rng.randint(1, 4)):
        items, array, number = rng.choice(LISTS), rng.choice(ARRAYS), rng.choice(NUMBERS)
        simple = [
            f"{items}.append({number})",
            f"{items}[{rng.choice(['0', 'k % 3', 'n % 4'])}] = {number}",
            f"t = {items}.pop()",
            f"t = {items}[{rng.choice(['k', '1', 'n'])}]",
            f"{array}[{rng.choice(['0', 'k % 4', 'k % 5', 'n % 6'])}] = {number}",
            f"{array}[1:3] = {rng.choice(ARRAYS)}[:2]",
            f"t = t + {array}[k % 4] * 2",
            "t = 7 // (k % 3)",
            f"if {rng.choice(TESTS)}:\n{space}    raise {rng.choice(RAISED)}",
        ]
        kind = rng.choice(["simple"] * 8 + ["if", "for", "try", "try"] * (depth > 0))
        if kind == "simple" or (kind == "for" and loops == 2):
            lines.append(space + rng.choice(simple))
            continue
        body = drawn(rng, depth - 1, indent + 1, loops + (kind == "for"))
        if kind == "for":
            lines += [f"{space}for i in range(n + 1):", f"{space}    k = k + 1", *body]
            continue
        lines += [f"{space}{'try' if kind == 'try' else 'if ' + rng.choice(TESTS)}:", *body]
        if kind == "try":
            lines += [f"{space}except {rng.choice(CAUGHT)}:", *drawn(rng, depth - 1, indent + 1, loops)]
    return lines


def program(seed):
    """A function of a number, with lists and arrays that loops and tries change."""
    lines = [
        "def f(n):",
        "    a, b = [1], []",
        "    x, y = np.zeros(4, int) + n, np.arange(4) + n",
        "    k = t = n",
        "    for i in range(n):",
        "        k = k + 1",
        *drawn(random.Random(seed), 3, 2, 1),
        "    return a, b, x, y, k, t",
    ]
    text, name = "\n".join([*lines, ""]), f"<tries {seed}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    names = {"np": np}
    exec(compile(text, name, "exec"), names)  # it is a program
    return names["f"]


def outcome(function, n):
    """What a function gives, as numbers of Python's; or that it raises."""
    try:
        found = function(n)
    except (IndexError, KeyError, ValueError, ZeroDivisionError):
        return "it raises"
    return [[int(number) for number in each] if np.ndim(each) else int(each) for each in found]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_caught_finds_what_was_written_until_then(seed):
    function = program(seed)
    staged = ag.function(function, executor="numpy")
    wanted = [outcome(function, n) for n in (0, 5, 2)]
    assert [outcome(staged, rt.asarray(n)) for n in (0, 5, 2)] == wanted
    native = staged.on_executor("native")
    assert [outcome(native, rt.asarray(n)) for n in (0, 5, 2)] == wanted
