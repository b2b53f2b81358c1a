"""An inner list, dict or object has the names that it has in Python, whatever a branch does to one."""

import pytest

from tests.promises.names import check

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
r = [0.0]
rows = [r, r]
if x > 0:
    rows = [[1.0], [2.0]]
rows[0][0] = 5.0
return rows[1][0], r[0]
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
p = Point(x)
q = p
if x > 0:
    p = Point(1.0)
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
b = [a, a]
if x > 0:
    b = [a, [1.0]]
b[1][0] = 9.0
return a[0]
---
a = [x]
return a, a
---
a = [x]
d = {"a": a}
return d, a
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
rows = [[x], [2.0]]
a, *rest = rows
if x > 0:
    a = rest[0]
a[0] = 5.0
return rows
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
""".strip().split("\n---\n")


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_is_one_object_in_python_is_one_in_a_graph(text):
    check(text)
