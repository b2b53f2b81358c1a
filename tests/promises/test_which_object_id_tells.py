"""`id(a) == id(b)` is `a is b`: of arrays, lists and instances that branches and turns bind, too."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees
from tests.promises.kit import function_of

FOLLOWED = """
cur, found = rows[0], 0
for i in range(n):
    cur = rows[i % 2]
    if id(cur) == id(rows[1]):
        found += 1
return found, id(cur) == id(rows[0])
---
a, b = x * 1, x * 2
c, found = a, 0
for i in range(n):
    a, b = b, a
    found += id(a) == id(c)
return found, id(b) != id(c)
---
c = [1.0]
d = c
for i in range(n):
    d = [2.0] if i > 1 else c
return id(c) == id(d)
---
a, b = Kept(), Kept()
c = a
for i in range(n):
    c, a = a, b
return id(c) == id(b), id(a) == id(b)
---
a, b = Kept(), Kept()
c = a if n > 2 else b
return {id(a): 1, id(b): 2}[id(c)], id(c) in [id(a)]
---
seen = set()
for row in [*rows, rows[0]]:
    seen.add(id(row))
return len(seen), id(rows[1]) in seen, id(x) in seen
""".strip().split("\n---\n")

REFUSED = """
last = 0
for i in range(n):
    last = id(rows[i % 2])
return n > 0 and last == id(rows[0])
---
c = rows[0] if n > 2 else rows[1]
return id(c) == 3
---
a, b = x * 1, x * 2
c = a if n > 2 else b
return {id(a): 1, id(b): 2}[id(c)]
""".strip().split("\n---\n")


class Kept:
    pass


def program_of(text):
    lines = ["def f(x, n):", "rows = [x.copy(), x * 2]", *text.splitlines()]
    return function_of("\n    ".join(lines) + "\n", Kept=Kept)


CALLS = [(np.ones(3), np.int64(n)) for n in (2, 3, 1, 0, 5)]


@pytest.mark.parametrize("program", FOLLOWED)
def test_two_ids_are_equal_where_the_objects_are_one(program):
    ag.check(program_of(program), *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize("program", REFUSED)
def test_a_number_that_nobody_knows_before_the_run_is_no_key_and_no_number(program):
    with pytest.raises((StateDisagrees, NoConcreteValue)):
        ag.check(program_of(program), *CALLS[0], then=CALLS[1:])
