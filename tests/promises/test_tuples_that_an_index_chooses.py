"""Which tuple `rows[i]` is, where a tensor decides `i`: its values are known, and not the object."""

from collections import deque, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

Named = namedtuple("Named", "a b")


@dataclass(frozen=True)
class Frozen:
    a: float
    b: float


KINDS = {"tuple": lambda a, b: (a, b), "Named": Named, "Frozen": Frozen}

HOLDERS = [
    "[Kind(1, 2), Kind(1, 2), Kind(3, 4)]",
    "(Kind(1, 2), Kind(1, 2), Kind(3, 4))",
    "deque([Kind(1, 2), Kind(1, 2), Kind(3, 4)])",
    "{0: Kind(1, 2), 1: Kind(1, 2), 2: Kind(3, 4)}",
    "[Kind(i, i + 1) for i in range(k + 3)]",
]

NOT_TOLD = """
return rows[k] is rows[0]
---
first = rows[0]
return first is rows[k]
---
return id(rows[k]) == id(rows[0])
---
rows = [(rows[0], 1), (rows[1], 2)]
return rows[k][0] is rows[0][0]
---
first, found = rows[0], 0
for i in range(k):
    found += rows[i] is first
return found
---
first = rows[0]
rows = [rows[0], rows[1]]
rows[k] = Kind(9, 9)
return rows[0] is first
---
rows = [rows[0], rows[1], rows[2]][k:]
return rows[0] is rows[1]
---
first, kept = rows[0], []
for i in range(k + 1):
    kept.append(first)
return kept[k] is first
---
kept = [row for row in [rows[0], rows[1]] if hash(k) > 0]
return kept[0] is rows[0]
""".strip().split("\n---\n")

TOLD = """
return rows[k] is None, rows[k] is rows, rows[0] is not rows[1], rows[k] == rows[0]
---
row = rows[k]
same = row
return row is same, [row][0] is same
---
return rows[k] == rows[1], rows[k] is k, rows[k] is rows
""".strip().split("\n---\n")


def program_of(kind, rows, text):
    lines = ["def f(k):", f"rows = {rows}", *text.splitlines()]
    return function_of("\n    ".join(lines) + "\n", Kind=KINDS[kind], deque=deque)


CALLS = [(np.int64(k),) for k in (1, 0, 1)]


@pytest.mark.parametrize("rows", HOLDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_whether_an_item_that_a_tensor_chooses_is_another_item_is_refused(kind, rows):
    with pytest.raises(StateDisagrees, match=f"whether two are one {kind} is asked.*gave one"):
        ag.check(program_of(kind, rows, NOT_TOLD[0]), *CALLS[0], then=CALLS[1:], executors=["numpy"])


@pytest.mark.parametrize("text", NOT_TOLD)
def test_it_is_refused_in_whatever_way_the_item_was_come_by(text):
    with pytest.raises(StateDisagrees, match=r"is asked.*gave one"):
        ag.check(program_of("tuple", HOLDERS[0], text), *CALLS[0], then=CALLS[1:], executors=["numpy"])


@pytest.mark.parametrize("text", TOLD)
@pytest.mark.parametrize("rows", [HOLDERS[0], HOLDERS[3]])
def test_what_python_knows_of_such_an_item_is_told(rows, text):
    ag.check(program_of("tuple", rows, text), *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize("change", ["pass", "chosen[0].append(3.0)", "chosen[0].extend(chosen[0])"])
def test_a_tuple_that_a_path_chose_is_not_told_apart_where_a_list_in_it_has_changed(change):
    program = function_of(f"""
def f(n, v):
    one, other = ([1.0],), ([v],)
    chosen = other if n > 1 else one
    {change}
    return chosen is other
""")
    with pytest.raises(StateDisagrees, match="compared with itself under another name"):
        ag.function(program)(np.int64(3), np.float64(2.0))
