"""Records that are put in order and selected from: each is one object, in one place of the result."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

RECORDS = {
    "dicts": ('{"key": x * k, "number": k}', '"key"'),
    "lists of several kinds": ("[str(k), x * k]", "1"),
    "sets": ("{x * k, 9.0}", None),
}

SELECTED = """
for row in sorted(rows, key=by):
    if by(row) > n:
        found.append(row)
return found
---
rows.sort(key=by)
while rows:
    row = rows.pop()
    if by(row) > n:
        found.append(row)
return found
---
rows.sort(key=by, reverse=True)
for row in rows:
    if not found or by(found[-1]) > by(row):
        found.append(row)
return found
---
return [row for row in sorted(rows, key=by) if by(row) > n]
---
for i, row in enumerate(sorted(rows, key=by)):
    if i < n:
        found.append(row)
return found
---
return sorted(rows, key=by)[:n]
""".strip().split("\n---\n")

TWICE = """
rows.append(rows[0])
for row in sorted(rows, key=by):
    if by(row) > n:
        found.append(row)
return found
---
for row in sorted(rows + [rows[0]], key=by):
    if by(row) > n:
        found.append(row)
return found
---
rows.sort(key=by)
for i in range(n):
    row = rows.pop()
    found.append(row)
    rows.append(row)
return found
---
rows.sort(key=by)
for i in range(n):
    found.append(rows[i % 2])
return found
""".strip().split("\n---\n")


def program_of(kind, numbers, text):
    record, key = RECORDS[kind]
    by = "max(row)" if key is None else f"row[{key}]"
    lines = [
        "def f(n, x):",
        "def by(row):",
        f"    return {by}",
        f"rows, found = [{record} for k in {numbers}], []",
    ]
    return function_of("\n    ".join([*lines, *text.splitlines()]) + "\n")


def check(program):
    ag.check(
        program, np.int64(2), np.float64(1.5), then=[(np.int64(1), np.float64(-1.5))], executors=["numpy"]
    )


@pytest.mark.parametrize("text", SELECTED)
@pytest.mark.parametrize("numbers", ["(3.0, 1.0, 2.0)", "(3.0, 1.0, 5.0, 2.0, 4.0)"])
@pytest.mark.parametrize("kind", RECORDS)
def test_few_records_are_put_in_order_and_selected_from(kind, numbers, text):
    check(program_of(kind, numbers, text))


@pytest.mark.parametrize("text", TWICE)
@pytest.mark.parametrize("numbers", ["(3.0, 1.0, 2.0)", "range(1, 20)"])
def test_what_may_hold_a_record_twice_is_not_given_as_two(numbers, text):
    with pytest.raises(StateDisagrees, match=r"may hold one object twice|is read after the list changed"):
        check(program_of("dicts", numbers, text))
