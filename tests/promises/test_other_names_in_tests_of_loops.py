"""The test of a loop meets what turns change under a name that turns do not use."""

import linecache

import numpy as np
import pytest

import autograph as ag

PROGRAMS = """
m = np.arange(6.0) * v; other = m | other[0] > -3 | m -= v | m
m = np.arange(6.0); other = m | other[0] > -3 | m -= v | m, other
m = np.arange(6.0) * v; other = m | k > 0 and other[0] > -3 | m[:] = m - v; k -= 1 | m
m = np.arange(6.0).reshape(2, 3) * v; other = m[1] | other[0] > -3 | m -= v | m, other
m = np.arange(6.0).reshape(2, 3) * v; other = m.T | other[2, 1] > -3 | m[1] -= v | m
m = np.arange(6.0).reshape(2, 3) * v; other = m.reshape(-1) | (other > -3).all() | m -= v | m
m = np.arange(6.0) * v; other = [m, m] | other[1].sum() > -3 | m -= v | m
m = np.arange(6.0) * v; other = {"a": m} | other["a"].sum() > -3 | m[1] -= v | m
m = np.arange(6.0) * v; other = m; m = m + 1 | other[0] > -3 | other[0] -= v | m, other
m = np.arange(6.0) * v; w = m; other = m | w[0] > -3 and other[1] > -9 | m -= v | m
m = x; other = x | other[0] > -3 | m -= v | m
m = x; other = GIVEN["x"] | other[0] > -3 and m[0] > -9 | m -= v; other -= 1.0 | m, other
m = [v, v + 1]; other = m | other[0] > -3 | m[0] -= v | m
m = [v]; other = m | len(other) < 5 | m.append(v) | m
m = {"a": v}; other = m | other["a"] > -3 | m["a"] -= v | m
m = Box(v); other = m | other.value > -3 | m.value -= v | m.value
m = Box(np.arange(3.0) * v); other = m.value | other[0] > -3 | m.value -= v | m.value
m = Box([v]); other = m.value | other[0] > -3 | m.value[0] -= v | m.value
m = np.arange(6.0) * v; other = m; get = lambda: other[0] | get() > -3 | m -= v | m
m = np.arange(6.0) * v; other = m | k > 0 | m -= v; k = k - 1 if other[0] > -3 else 0 | m
"""


class Box:
    def __init__(self, value):
        self.value = value


GIVEN = {"x": np.arange(4.0)}


@pytest.mark.parametrize("program", PROGRAMS.strip().splitlines())
def test_it_sees_what_a_turn_has_left(program):
    before, test, turn, result = map(str.strip, program.split("|"))
    lines = [*before.split("; "), f"while {test}:", *[f"    {each}" for each in turn.split("; ")]]
    body = "\n    ".join([*lines, f"return {result}"])
    text, name = f"def f(x, v, k):\n    {body}\n", f"<{program}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    space = {**globals(), "GIVEN": {"x": np.arange(4.0)}}
    exec(compile(text, name, "exec"), space)
    other = np.arange(4.0) + 2, np.float64(1.5), np.int64(2)
    ag.check(space["f"], np.arange(4.0), np.float64(2.0), np.int64(9), then=[other])
