"""A variable that starts with nothing, and that paths bind to a part of an array, shows its memory."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees
from tests.promises.kit import function_of

FOLLOWED = """
best = None
if n > 1:
    best = grid[n % 3]
if best is not None:
    best[0] = 100
---
best = None
for i in range(n):
    if i > 1:
        best = grid[1]
if best is not None:
    best[0] = 100
---
best = None
for i in range(n):
    if i > 1:
        best = rows[0]
if best is not None:
    best[0] = 100
---
best = None
for i in range(n):
    row = rows[i % 2]
    if i > 1:
        best = row
if best is not None:
    best[0] = 100
---
best = None
for row in grid:
    if row[0] > n:
        best = row
if best is not None:
    best[0] = 100
---
for i in range(n):
    row = grid[i % 3]
    row[0] = 100 + i
---
best = None
for i in range(n):
    best = grid[i % 3]
if best is not None:
    best[0] = 100
---
best, most = None, -1.0
for i in range(n):
    row = grid[i % 3]
    if row.sum() > most:
        best, most = row, row.sum()
if best is not None:
    best[0] = 100
---
for i in range(n):
    best = grid[i % 3]
if n > 0:
    best[0] = 100
---
kept = Kept()
for i in range(n):
    kept.best = grid[i % 3]
if kept.best is not None:
    kept.best[0] = 100
---
best = None
for i in range(n):
    if best is not None:
        best[0] += 100
    best = grid[i % 3]
---
best = None
while n > 0:
    best = grid[n % 3]
    n -= 1
if best is not None:
    best[0] = 100
---
best = (None, 0.0)
for i in range(n):
    best = (grid[i % 3], 1.0)
if best[0] is not None:
    best[0][0] = 100
---
best = None
for i in range(n):
    if i > 1:
        best = x[i % 3:]
if best is not None:
    best[0] = 100
---
def pick(k):
    if k <= 0:
        return grid[n % 3]
    return pick(k - 1)
best = pick(n)
best[0] = 100
""".strip().split("\n---\n")


class Kept:
    best = None


def program_of(text):
    lines = ["def f(x, n):", "grid, rows = np.arange(9.0).reshape(3, 3), [x.copy(), x * 2]"]
    lines += [*text.splitlines(), "return grid, rows, x"]
    return function_of("\n    ".join(lines) + "\n", Kept=Kept)


CALLS = [(np.ones(3), np.int64(n)) for n in (2, 3, 1, 0, 5)]


@pytest.mark.parametrize("program", FOLLOWED)
def test_a_write_into_a_part_that_a_path_has_bound_is_one_into_the_array(program):
    ag.check(program_of(program), *CALLS[0], then=CALLS[1:])


FLAT = """
g = np.arange(9.0).reshape(3, 3) * 2
for i in range(n):
    g.flat[4] = 2.5
return g
---
g = np.arange(9.0).reshape(3, 3) * 2
if n > 2:
    for i in range(2):
        g.flat[4] = x[0]
        g.flat[n % 4] += 1
return g
---
g = np.arange(4.0) * 2
h = g.flat
if n > 2:
    h[1] = 3.0
h[n % 4] = 5
h[2] += 1
return g, h[n % 3], h[2], list(h)
---
g = np.arange(4.0) * 2
h = g.flat
for i in range(n):
    g[i % 4] += 1
total = 0.0
for v in h:
    total += v
return g, total, h.copy()
---
def put(elements, v):
    elements[0] = v
for i in range(n):
    put(grid.flat, i + 1)
    put(x.flat, i + 1)
return grid, x
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", FLAT)
def test_a_write_into_the_elements_of_an_array_is_one_into_the_array(program):
    ag.check(program_of(program), *CALLS[0], then=CALLS[1:])


UNSEEN = """
g = np.arange(4.0) * 2
if n > 2:
    memoryview(g)[0] = 3.0
return g
---
g = np.arange(4.0) * 2
for i in range(n):
    for v in np.nditer(g, op_flags=["readwrite"]):
        v[...] = 3.0
return g
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", UNSEEN)
def test_code_that_is_not_converted_does_not_write_unseen_into_an_array_that_a_path_reads(program):
    with pytest.raises((StateDisagrees, NoConcreteValue)):
        ag.check(program_of(program), *CALLS[0], then=CALLS[1:])


FORMS = ["if n > 2:\n    g.shape = 2, 2\nreturn g", "for i in range(n):\n    g.dtype = np.float64\nreturn g"]


@pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")  # from NumPy 2.5 on
@pytest.mark.parametrize("program", FORMS)
def test_an_array_that_gets_another_form_on_a_path_alone_is_refused(program):
    with pytest.raises(StateDisagrees, match="gets another shape or dtype where a tensor decides"):
        ag.function(program_of(f"g = np.arange(4) * 2\n{program}"))(*CALLS[0])


def test_what_einsum_shows_of_one_operand_is_a_view_of_it():
    def program(x, n):
        grid = np.arange(9.0).reshape(3, 3) * x
        np.einsum("ij->ji", grid)[0] = 9
        np.einsum("ji", grid)[1, n % 3] = 4
        np.einsum(grid, [0, 1], [1, 0])[2] = 9
        return grid

    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_who_reads_an_array_after_a_write_into_the_diagonal_that_einsum_shows_is_told():
    def program(x, n):
        grid = np.arange(9.0).reshape(3, 3) * x
        np.einsum("ii->i", grid)[0] = n
        return grid

    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.check(program, *CALLS[0])


LEFT = """
held = x if n > 1 else x * 2
held = held[::-1] if n > 2 else held[1:]
return pair, held, pair
---
held = x if n > 1 else x * 2
if n > 2:
    held = held[::-1]
elif n > 3:
    return n
BOX.best, BOX.pair = held[1:], [held]
return n
---
held = x if n > 1 else BOX.best
for i in range(n):
    held = held[::-1] if i > 1 else held
BOX.best = held
return n
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", LEFT)
def test_a_part_of_a_chosen_array_outlives_the_call_though_a_path_has_cut_it_out(program):
    box = Kept()
    box.best = np.ones(4)
    lines = ["def f(x, n):", "pair = [3.0]", *program.splitlines()]
    function = function_of("\n    ".join(lines) + "\n", BOX=box)
    calls = [(np.arange(4.0), np.int64(n)) for n in (3, 1, 5, 2)]
    ag.check(function, *calls[0], then=calls[1:])
