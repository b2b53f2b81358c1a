"""An inner list, dict or object has the names that it has in Python, whatever a statement does to one."""

import copy
from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of


@dataclass
class Point:
    """A dataclass that changes."""

    a: float = 0.0
    b: object = None


class Box:
    """An object with an attribute."""

    def __init__(self, v):
        self.v = v

    def add(self, x):
        self.v.append(x)
        return self


PROGRAMS = """
if x > 0:
    a = [x]
    b = a
else:
    a = [0.0]
    b = [1.0]
b.append(1.0)
return a, b
---
if x > 0:
    a = [x]
    b = a
else:
    a = [x, x]
    b = a
b.append(1.0)
return a
---
if x > 0:
    a = [x]
    b = a
else:
    a = [0.0]
    b = [1.0]
return a, b
---
a = [x, 1.0]
b = a
if x > 0:
    a = [2.0, x]
a[0] = 9.0
return a, b[0], b[1]
---
a = [x, 1.0]
b = a
if x > 0:
    a = [2.0, x]
b[0] = 9.0
return a[0], b[0]
---
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
rows = [[x, 1.0], [2.0, 3.0]]
if x > 0:
    rows[0] = rows[1]
rows[1][0] = 9.0
return rows[0][0], rows[1][0]
---
rows = [[x, 1.0], [2.0, 3.0]]
if x > 0:
    rows[0] = rows[1]
rows[1][0] = 9.0
return rows
---
rows = [[x, 1.0], [2.0, 3.0], [4.0, 5.0]]
r = rows[n % 3]
r[0] = 9.0
rows[0][1] = 7.0
return rows[0][0], rows[1][0], r[1]
---
rows = [[x, 1.0], [2.0, 3.0], [4.0, 5.0]]
r = rows.pop(n % 3)
r[0] = 9.0
rows.append(r)
r[1] = 8.0
return rows[2][1], r[0]
---
rows = [[0.0] * 2] * 2
if x > 0:
    rows[0][0] = x
return rows[1][0], rows[0][0]
---
rows = [[0.0] * 2] * 2
for i in range(n):
    rows[0][0] += x
return rows[1][0], rows[0][0]
---
r = [0.0]
rows = [r, r]
if x > 0:
    rows = [[1.0], [2.0]]
rows[0][0] = 5.0
return rows[1][0], r[0]
---
r = [x]
rows = [r, [x]]
for i in range(n):
    rows = [rows[1], rows[0]]
rows[0][0] = 5.0
return r[0], rows[1][0]
---
d = {"a": x}
e = d
if x > 0:
    d = {"a": 1.0}
d["a"] = 3.0
return e["a"], d["a"]
---
d = {"a": x}
e = d
if x > 0:
    e = {"a": 1.0}
e["a"] += 3.0
return e["a"], d["a"]
---
d = {"a": [x]}
e = d["a"]
if x > 0:
    d = {"a": [1.0]}
e[0] = 4.0
return d["a"][0], e[0]
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
if x > 0:
    p = Point(1.0)
p.a = 5.0
return q.a, p.a
---
p = Point(x)
q = p
for i in range(n):
    p = Point(p.a + 1.0)
p.a = 5.0
return q.a, p.a
---
p = Point(x)
q = p
if x > 0:
    p = Point(1.0)
return q is p, p is not q
---
a = [x]
b = a
if x > 0:
    a = [1.0]
return a is b
---
a = [x]
b = a
if x > 0:
    a = [1.0]
return a == b
---
a = [x]
def g():
    return a[0]
if x > 0:
    a = [1.0]
a[0] = 7.0
return g(), a[0]
---
a = [x]
def g():
    return b[0]
b = a
if x > 0:
    a = [1.0]
a[0] = 7.0
return g(), a[0]
---
box = Box([x])
a = box.v
if x > 0:
    a = [1.0]
a.append(2.0)
return len(box.v), len(a)
---
box = Box([x])
a = box.v
if x > 0:
    box.v = [1.0]
a.append(2.0)
return len(box.v), len(a)
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
try:
    if x < 0:
        raise ValueError
    b = a
except ValueError:
    b = [1.0]
b[0] = 5.0
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
a = [x]
rest = [a]
if x > 0:
    a = [1.0]
rest[0][0] = 8.0
return a[0], rest[0][0]
---
a = [x]
t = (a, 1)
if x > 0:
    a = [1.0]
a[0] = 8.0
return t[0][0]
---
s = {1, 2}
t = s
if x > 0:
    s = {1, 2}
t.add(5)
return len(s), len(t)
---
q = deque([x])
t = q
if x > 0:
    q = deque([1.0])
t[0] = 5.0
return q[0], t[0]
---
a = [x]
b = list(a)
c = a[:]
d = a.copy()
if x > 0:
    a[0] = 5.0
return a, b, c, d
---
rows = [[x], [2.0]]
c = list(rows)
if x > 0:
    rows[0][0] = 5.0
c[1][0] = 7.0
return rows, c[0][0]
---
rows = [[x], [2.0]]
c = copy.deepcopy(rows)
for i in range(n):
    rows[0][0] += 5.0
return rows, c
---
rows = [[x], [2.0]]
rows.sort(key=lambda r: r[0])
rows[0][0] = -5.0
return rows
---
a = [x]
b = [2.0]
rows = [a, b]
rows.sort(key=lambda r: r[0])
rows[0][0] = -5.0
return a[0], b[0]
---
a = [x]
b = [2.0]
rows = sorted([a, b], key=lambda r: -r[0])
rows[0][0] = -5.0
return a[0], b[0]
---
a = [x, 2.0]
b = a
if x > 0:
    del a[0]
return b, a
---
a = [x, 2.0]
b = a
for i in range(n):
    if len(a) > 1:
        del a[0]
return b, a
---
a = [x, 2.0]
b = a
if x > 0:
    a += [3.0]
else:
    a = a + [3.0]
return b, a
---
a = [x, 2.0]
b = a
if x > 0:
    a *= 2
return len(b), a
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
a = [[x], [1.0]]
b = a[0] if x > 0 else a[1]
c = b
c[0] = 3.0
return a, b[0]
---
a = [x]
b = None
if x > 0:
    b = a
if b is not None:
    b[0] = 5.0
return a[0]
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
a = [x]
b = [a, a]
if x > 0:
    b = [a, [1.0]]
b[1][0] = 9.0
return a[0]
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
return a, a
---
a = [x]
d = {"a": a}
return d, a
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
one, other, third = [1.0], [2.0], [3.0]
first = one if x > 1.5 else other
second = first if x > 0.5 else third
second.append(x)
first.append(0.0)
return one, other, third, second is first, second is third
---
a = [x, 2.0]
def g(v):
    v[0] = v[0] + 1.0
    return v
b = g(a) if x > 0 else a
b[1] = 9.0
return a, b
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
rows = [[x, 1.0], [2.0, 3.0]]
first, second = rows
if x > 0:
    first, second = second, first
first[0] = 7.0
return rows
---
rows = {"p": [x], "q": [1.0]}
p = rows["p"]
if x > 0:
    rows["p"], rows["q"] = rows["q"], rows["p"]
p[0] = 5.0
return rows
---
a = [x]
t = a, a
if x > 0:
    t = (a, [1.0])
t[1][0] = 4.0
return a[0]
---
a = [[x]]
b = a[0]
if x > 0:
    a[0] = [2.0]
b.append(1.0)
return len(a[0]), len(b)
---
a = [[x]]
b = a.copy()
if x > 0:
    b[0][0] = 5.0
return a[0][0]
---
a = [[x], [1.0]]
b = a[:]
if x > 0:
    b[0] = [9.0]
b[0][0] = 5.0
return a[0][0]
---
box = Box([x])
other = box
if x > 0:
    other = Box([1.0])
other.v.append(2.0)
return len(box.v), other is box
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
a = [x, 1.0]
m = max(a, [0.0, 0.0])
m[0] = 7.0
return a
---
a = [x, 1.0]
b = [0.0, 0.0]
m = min(a, b)
m[0] = 7.0
return a, b
---
a = [x]
b = a or [1.0]
b[0] = 2.0
return a
---
a = []
b = a or [x]
b[0] = 2.0
return a, b
---
d = {}
d["k"] = [x]
e = d.get("k", [0.0])
if x > 0:
    e = [1.0]
e[0] = 7.0
return d["k"][0]
---
d = {"k": [x]}
e = d.setdefault("k", [0.0])
for i in range(n):
    e[0] += 1.0
    e = d["k"]
return d["k"][0], e[0]
---
rows = [[x], [2.0], [3.0]]
del rows[n % 3]
rows[0][0] = 9.0
return rows
---
rows = [[x], [2.0], [3.0]]
keep = rows[0]
rows.sort(key=lambda r: -r[0])
keep[0] = 9.0
return rows
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
rows = [[x], [2.0]]
a, *rest = rows
if x > 0:
    a = rest[0]
a[0] = 5.0
return rows
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
a = [x]
b = [a]
c = [b]
if x > 0:
    b = [[1.0]]
b[0][0] = 4.0
return c[0][0][0]
---
p = Point(x, [x])
q = Point(p.a, p.b)
if x > 0:
    p = Point(0.0, [1.0])
p.b[0] = 6.0
return q.b[0]
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
try:
    if x > 0:
        a = [1.0]
        raise ValueError
except ValueError:
    a[0] = 3.0
return a, b
---
a = [x]
b = a
try:
    a[0] = 2.0
    if x > 0:
        raise ValueError
    a = [7.0]
except ValueError:
    pass
b[0] += 1.0
return a[0], b[0]
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
with_a = lambda: a[0]
if x > 0:
    a = [2.0]
else:
    b = [3.0]
a[0] += 1.0
b[0] += 1.0
return with_a(), a, b, a is b
---
a = [x]
match n:
    case 2:
        b = a
    case _:
        b = [0.0]
b[0] = 5.0
return a[0]
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
s = [x]
def rec(k, acc):
    if k <= 0:
        return acc
    acc[0] += 1.0
    return rec(k - 1, acc)
r = rec(2, s)
if x > 0:
    r = [0.0]
r[0] = 8.0
return s[0]
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
""".strip().split("\n---\n")

REFUSED = """
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


def program(text):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return function_of(f"def f(x, n):\n{lines}", Point=Point, Box=Box, deque=deque, copy=copy)


CALLS = [(np.float64(1.0), np.int64(2)), (np.float64(-1.0), np.int64(3)), (np.float64(2.0), np.int64(0))]


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_is_one_object_in_python_is_one_in_a_graph(text):
    ag.check(program(text), *CALLS[0], then=CALLS[1:], executors=["numpy"])


@pytest.mark.parametrize("text", REFUSED)
def test_what_a_graph_would_have_copies_of_is_refused(text):
    with pytest.raises(StateDisagrees):
        ag.check(program(text), *CALLS[0], then=CALLS[1:], executors=["numpy"])
