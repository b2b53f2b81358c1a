"""A dict of known keys into which some paths put more keeps the kind of each of its numbers."""

import linecache
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt

PROGRAMS = """
if v > 1: n["left"] = 1.0
if v > 1: n["left"] = 1.0; n["right"] = 2
if v > 1: n["left"] = n["right"] = v
if v > 1: n["name"] = "high"
if v > 1: n["index"] = 7
if v > 1: del n["index"]
for i in range(int(v)): n["last"] = i
while v > 0: n["last"] = v; v = v - 1
"""


@pytest.mark.parametrize("program", PROGRAMS.strip().splitlines())
def test_each_field_is_of_its_kind(program):
    head, body = program.split(": ", 1)
    lines = [f"{head}:", *[f"    {each}" for each in body.split("; ")]]
    body = "\n    ".join(['n = {"index": 1, "value": 2.5, "is_leaf": False}', *lines, "return n"])
    text, name, space = f"def f(v):\n    {body}\n", f"<{program}>", {}
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec"), space)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ag.check(space["f"], np.float64(2.0), then=[(np.float64(0.0),), (np.float64(3.0),)])


def test_an_int_of_such_a_dict_is_an_index():
    @ag.function
    def chosen(row, v):
        node = {"feature": 0, "value": 5.0}
        if v > 1:
            node["left"] = {"feature": 1, "value": 2.0}
            node["depth"] = 1
        return row[node["feature"]] * node["value"]

    for v in (0.0, 2.0):
        found = chosen(np.array([3.0, 4.0]), np.float64(v))
        assert found == 15
        assert found.dtype == rt.float64


def split_of(rows):
    """The number that parts some rows best, and the parts."""
    feature, value, best, parts = 99, 99.0, 99.0, None
    for index in range(2):
        for row in rows:
            left, right = [], []
            for each in rows:
                (left if each[index] < row[index] else right).append(each)
            impure = 0.0
            for part in (left, right):
                if len(part) > 0:
                    share = [each[-1] for each in part].count(1.0) / len(part)
                    impure += share * (1.0 - share) * len(part)
            if impure < best:
                feature, value, best, parts = index, row[index], impure, (left, right)
    return {"feature": feature, "value": value, "parts": parts}


def grow(node, depth):
    """Makes the parts of a node nodes, or leaves."""
    left, right = node["parts"]
    del node["parts"]
    if not left or not right or depth == 0:
        node["left"] = node["right"] = most(left + right)
        return
    node["left"], node["right"] = most(left), most(right)


def most(rows):
    ones = 0
    for row in rows:
        if row[-1] == 1.0:
            ones += 1
    return 1.0 if ones * 2 > len(rows) else 0.0


def predicted(node, row):
    return node["left"] if row[node["feature"]] < node["value"] else node["right"]


def test_a_stump_is_grown_and_asked():
    def program(rows):
        node = split_of(rows)
        grow(node, 1)
        return node, [predicted(node, row) for row in rows]

    rows = np.array([[2.7, 1.8, 0], [1.7, 1.2, 0], [7.5, 3.2, 1], [9.0, 3.3, 1]])
    ag.check(program, rows, then=[(rows[::-1].copy(),)])
