"""An inner list, dict or object has the names that it has in Python, whatever turns of a loop do to it."""

import re
from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import COLLECTIONS, PUT_INTO, function_of
from tests.promises.names import check

PROGRAMS = """
a = [x, 1.0]
b = a
for i in range(n):
    a = [a[1], a[0]]
b[0] = 9.0
return a[0], b[0]
---
a = [x, 1.0]
b = a
for i in range(n):
    a[0] = a[0] + 1.0
    a = [a[1], a[0]]
return a[0], b[0]
---
a = [x, 1.0]
b = a
s = 0.0
for i in range(n):
    s += b[0]
    a[0] = a[0] + 1.0
return s, a[0], b[0]
---
a = [x, 1.0]
b = a
s = 0.0
for i in range(n):
    s += b[0]
    a[0] = a[0] + 1.0
    if s > 3:
        a = [s, s]
return s, a[0], b[0]
---
prev = [x]
cur = [x + 1]
for i in range(n):
    prev = cur
    cur[0] += 1.0
return prev[0], cur[0]
---
prev = [x]
cur = [x + 1]
s = 0.0
for i in range(n):
    s += prev[0]
    cur[0] += 1.0
    s += prev[0]
    prev = cur
return s, prev[0], cur[0]
---
prev = [x]
cur = [x + 1]
for i in range(n):
    prev, cur = cur, [prev[0] + cur[0]]
return prev[0], cur[0]
---
prev = [x]
cur = [x + 1]
for i in range(n):
    prev, cur = cur, prev
    cur[0] += 1
return prev[0], cur[0]
---
rows = [[x, 1.0], [2.0, 3.0]]
r = rows[0]
for i in range(n):
    rows[0], rows[1] = rows[1], rows[0]
    r[0] += 1.0
return rows[0][0], rows[1][0], r[0]
---
rows = [[x, 1.0], [2.0, 3.0]]
for i in range(n):
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][0] += 1.0
return rows
---
rows = [[x, 1.0], [2.0, 3.0]]
for i in range(n):
    t = rows[0]
    rows[0] = rows[1]
    rows[1] = t
    t[0] += 1.0
return rows
---
rows = [[0.0] * 2] * 2
for i in range(n):
    rows[0][0] += x
return rows[1][0], rows[0][0]
---
r = [x]
rows = [r, [x]]
for i in range(n):
    rows = [rows[1], rows[0]]
rows[0][0] = 5.0
return r[0], rows[1][0]
---
d = {"a": [x]}
e = d["a"]
for i in range(n):
    d = {"a": [d["a"][0] + 1]}
e[0] = 4.0
return d["a"][0], e[0]
---
p = Point(x)
q = p
for i in range(n):
    p = Point(p.a + 1.0)
p.a = 5.0
return q.a, p.a
---
box = Box([x])
a = box.v
for i in range(n):
    box.v = [box.v[0] + 1.0]
a[0] = 2.0
return box.v[0], a[0]
---
def step(s):
    s[0] += 1.0
    return s
a = [x]
b = a
for i in range(n):
    a = step(a)
return a[0], b[0]
---
def step(s):
    return [s[0] + 1.0]
a = [x]
b = a
for i in range(n):
    a = step(a)
a[0] = 5.0
return a[0], b[0]
---
a = [x]
b = a
while n > 0:
    n -= 1
    b.append(1.0)
    if n == 1:
        a = [0.0]
return len(a), len(b)
---
rows = []
for i in range(n):
    rows.append([x, 1.0])
s = 0.0
for i in range(n):
    r = rows[i]
    s += r[0]
    rows[n - 1 - i][0] = 5.0
return rows, s
---
rows = [[x], [2.0]]
c = copy.deepcopy(rows)
for i in range(n):
    rows[0][0] += 5.0
return rows, c
---
a = [x, 2.0]
b = a
for i in range(n):
    if len(a) > 1:
        del a[0]
return b, a
---
a = [[x], [1.0]]
for r in a:
    r[0] += 1.0
    if x > 0:
        r = [5.0]
    r[0] += 1.0
return a
---
a = [[x], [1.0]]
for i in range(n):
    r = a[i % 2]
    if x > 0:
        r = [5.0]
    r[0] += 1.0
return a
---
a = [x]
b = None
for i in range(n):
    if b is not None:
        b[0] += 1.0
    b = a
return a[0]
---
a = [x]
last = None
for i in range(n):
    a = [a[0] + 1.0]
    if last is not None:
        last[0] = 100.0
    last = a
return a[0]
---
a = [5.0]
for i in range(n):
    prev = a
    a = [0.0]
    prev[0] += 1.0
return a[0]
---
a = [5.0]
prev = a
for i in range(n):
    prev = a
    a = [0.0]
    prev[0] += 1.0
return a[0], prev[0]
---
state = {"pos": [x, x], "vel": [1.0, 2.0]}
for i in range(n):
    state["pos"][0] += state["vel"][0]
    state = {"pos": state["pos"], "vel": [state["vel"][1], state["vel"][0]]}
return state
---
state = {"pos": [x, x], "vel": [1.0, 2.0]}
p = state["pos"]
for i in range(n):
    state = {"pos": state["pos"], "vel": [state["vel"][1], state["vel"][0]]}
p[0] = 7.0
return state["pos"][0]
---
a = [x]
b = a
while n > 0:
    n -= 1
    if n == 1:
        a = [0.0]
    a.append(1.0)
return len(a), len(b)
---
a = [x]
for i in range(n):
    b = a
    if i > 0:
        b = [0.0]
    b[0] += 1.0
return a
---
a = [x]
b = [0.0]
for i in range(n):
    c = a if i % 2 == 0 else b
    c[0] += 1.0
return a, b
---
rows = [[x, 1.0], [2.0, 3.0], [4.0, 5.0]]
for i in range(n):
    rows[i % 3], rows[(i + 1) % 3] = rows[(i + 1) % 3], rows[i % 3]
    rows[0][0] += 1.0
return rows
---
box = Box([x])
for i in range(n):
    box.v = [box.v[0] * 2.0]
kept = box.v
kept[0] = 1.0
return box.v[0]
---
box = Box([x])
kept = box.v
for i in range(n):
    box.add(1.0)
    if i == 1:
        box.v = [0.0]
return len(kept), len(box.v)
---
a = [x]
fs = []
def g():
    return a[0]
for i in range(n):
    a = [a[0] + 1.0]
    r = g()
a[0] = 9.0
return g()
---
a = [x]
b = a
while x < 5:
    x = x + 1.0
    if x > 3:
        a = [0.0]
    b[0] += 1.0
return a, b
---
d = {"k": [x]}
e = d.setdefault("k", [0.0])
for i in range(n):
    e[0] += 1.0
    e = d["k"]
return d["k"][0], e[0]
---
rows = [[x], [2.0], [3.0]]
for r in sorted(rows, key=lambda r: -r[0]):
    r.append(1.0)
return rows
---
rows = [[x], [2.0]]
total = 0.0
for r in rows:
    for q in rows:
        q[0] += r[0]
        total += q[0]
return rows, total
---
grid = [[0.0] * 2 for _ in range(2)]
row = grid[0]
for i in range(n):
    grid[i % 2][0] += x
    row[1] += grid[0][0]
return grid
---
grid = [[0.0] * 2 for _ in range(2)]
row = grid[n % 2]
for i in range(n):
    grid[i % 2][0] += x
    row[1] += 1.0
return grid, row[0]
---
p = Point(x, [x])
l = p.b
for i in range(n):
    p = Point(p.a + 1.0, [p.b[0] + 1.0])
l[0] = 100.0
return p.a, p.b[0]
---
p = Point(x, [x])
l = p.b
for i in range(n):
    p = Point(p.a + 1.0, p.b)
    p.b[0] += 1.0
return p.a, p.b[0], l[0]
---
a = [x]
b = a
for i in range(n):
    try:
        if i == 1:
            raise ValueError
        a = [a[0] + 1.0]
    except ValueError:
        b[0] = 50.0
return a[0], b[0]
---
a = [x]
b = a
for i in range(n):
    if i > 5:
        break
    if i == 1:
        a = [a[0]]
        continue
    a[0] += 1.0
return a[0], b[0]
---
d = {"a": x, "b": 1.0}
e = d
for i in range(n):
    d = {"a": d["b"], "b": d["a"]}
e["a"] = 10.0
return d, e
---
rows = []
for i in range(n):
    r = [x, 1.0]
    rows.append(r)
    r[0] = 5.0
return rows
---
rows = []
r = [x]
for i in range(n):
    rows.append(r)
r[0] = 4.0
return rows
---
rows = []
r = [x]
for i in range(n):
    rows.append(r)
if x > 0:
    r = [2.0]
r[0] = 4.0
return rows
---
rows = []
for i in range(n):
    rows.append([x, 1.0])
if n > 1:
    r = rows[0]
    rows[1][0] = 5.0
    x = x + r[0]
return rows, x
---
rows = []
for i in range(n):
    rows.append([x, 1.0])
s = 0.0
for i in range(n):
    r = rows[i]
    rows[n - 1 - i][0] = 5.0
    s += r[0]
return rows, s
""".strip().split("\n---\n")


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_is_one_object_in_python_is_one_in_a_graph(text):
    check(text)


Named = namedtuple("Named", "a b")


class Typed(NamedTuple):
    """A named tuple of the other spelling."""

    a: float
    b: float


@dataclass(frozen=True)
class Frozen:
    """A dataclass that never changes."""

    a: float
    b: float


def pair(a, b):
    """A tuple."""
    return a, b


KINDS = [pair, Named, Typed, Frozen]

BECOMES_ANOTHER = """
a, b = Kind(1.0, 2.0), Kind(x, 2.0)
first, found = b, 0
for i in range(n):
    if a is first:
        found += 1
    a, b = b, a
return found
---
a, b, found = Kind(1.0, 2.0), Kind(x, 2.0), 0
for i in range(n):
    found += a is b
    a = b
return found
---
a, rows = Kind(1.0, x), [Kind(1.0, 2.0)]
first, found = rows[0], 0
for i in range(n):
    if a is first:
        found += 1
    a, rows[0] = rows[0], a
return found
---
a, b, i = Kind(1.0, 2.0), Kind(x, 2.0), 0
first = b
while a is not first and i < n:
    a, b = b, a
    i += 1
return i
---
a, found = Kind(1.0, 2.0), 0
first = a
for i in range(n):
    found += a is first
    if i > 0:
        a = Kind(1.0, x)
return found
---
a = Kind(1.0, 2.0)
first = a
if n > 2:
    a = Kind(1.0, x)
return a is first
""".strip().split("\n---\n")

STAYS_ANOTHER = """
a, b, found = Kind(x, 2.0), Kind(1.0, 2.0), 0
for i in range(n):
    found += a is b
    a = Kind(a.a if hasattr(a, "a") else a[0], x)
return found
---
a, b, found = Kind(1.0, 2.0), Kind(x, 2.0), 0
found += a is b
for i in range(n):
    a, b = b, a
return found, a == b
""".strip().split("\n---\n")


def check_of_kind(kind, text):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    f = function_of(f"def f(x, n):\n{lines}", Kind=kind)
    ag.check(f, np.float64(1.5), np.int64(3), then=[(np.float64(1.5), np.int64(2))], executors=["numpy"])


@pytest.mark.parametrize("text", BECOMES_ANOTHER)
@pytest.mark.parametrize("kind", KINDS)
def test_a_tuple_that_a_turn_leaves_in_another_variable_is_not_told_apart_in_silence(kind, text):
    with pytest.raises(StateDisagrees, match="compared with itself under another name"):
        check_of_kind(kind, text)


@pytest.mark.parametrize("text", STAYS_ANOTHER)
@pytest.mark.parametrize("kind", KINDS)
def test_tuples_that_are_never_one_are_told_apart(kind, text):
    check_of_kind(kind, text)


HANDED_ON = {
    "the longest so far, none at first": """
def f(x):
    best, now = None, MADE
    for v in x:
        if v in now:
            if best is None or len(now) > len(best):
                best = now
            now = MADE
        ADD(now, int(v))
    return best
""",
    "attributes that are exchanged": """
class Pair:
    pass
pair = Pair()
pair.one, pair.other = MADE, MADE
def f(x):
    for v in x:
        ADD(pair.one, int(v))
        pair.one, pair.other = pair.other, pair.one
    return pair.one, pair.other, len(pair.one)
""",
}


@pytest.mark.parametrize("kind", PUT_INTO)
@pytest.mark.parametrize("program", HANDED_ON)
def test_a_container_that_a_turn_hands_on_has_no_other_name_but_the_new_one(program, kind):
    made, add = PUT_INTO[kind]
    text = re.sub(r"ADD\((.*?), (.*)\)", lambda found: add.format(*found.groups()), HANDED_ON[program])
    f = function_of(text.replace("MADE", made), **COLLECTIONS)
    ag.check(f, np.array([1, 2, 3, 1, 5, 2]), then=[(np.array([3, 3]),), (np.array([], dtype=int),)])


@pytest.mark.parametrize("kind", PUT_INTO)
def test_a_container_around_a_loop_that_some_turn_takes_over_is_seen_to_change(kind):
    made, add = PUT_INTO[kind]
    program = function_of(
        f"""
def f(n):
    now, other = {made}, {made}
    total = 0
    for i in range(n):
        {add.format("now", "i")}
        if i % 2 == 1:
            now = other
        total += len(other)
    return total, now
""",
        **COLLECTIONS,
    )
    ag.check(program, np.int64(6), then=[(np.int64(n),) for n in (0, 3, 1)])
