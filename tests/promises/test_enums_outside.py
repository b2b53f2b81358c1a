"""Enums of the program: what their methods read, and what they and their members keep in attributes."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

ENUMS = """
import enum
K = 2
class Color({base}):
    RED = {red}
    BLUE = {blue}
    def worth(self, n):
        return n * K + len(self.name) + Color.count
    @property
    def twice(self):
        return K * 2
    @classmethod
    def with_more(cls, n):
        return n + K
Color.count = 0
"""
BASES = {"enum.Enum": "12", "enum.IntEnum": "12", "enum.Flag": "12", "enum.StrEnum": ("'a'", "'b'")}
USES = {
    "methods": "return Color.RED.worth(n) + Color.BLUE.twice + Color.with_more(n)",
    "the class": "Color.count += n\n    return Color.count",
    "a member": "Color.RED.hits = getattr(Color.RED, 'hits', 0) + n\n    return Color.RED.hits",
    "a member on a path": "if n > 2:\n        Color.RED.hits = n\n    return getattr(Color.RED, 'hits', -1)",
    "a chosen member": "c = Color.RED if n > 2 else Color.BLUE\n    c.hits = n\n    return c.worth(n)",
    "a loop": "for color in Color:\n        color.hits = color.worth(n)\n    return Color.BLUE.hits",
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("base", BASES)
def test_what_enums_read_and_keep_is_pythons(base, use):
    red, blue = BASES[base]
    program = ENUMS.format(base=base, red=red, blue=blue) + f"def f(n):\n    {USES[use]}\n"
    histories = []
    for decorate in (lambda f: f, ag.function):
        f = function_of(program, "n")
        names, called, found = f.__globals__, decorate(f), []
        color = names["Color"]
        for n in (3, 0, 5, 1, 4):
            result = int(called(np.int64(n)))
            kept = [int(getattr(each, "hits", -1)) for each in (color.RED, color.BLUE)]
            found.append((result, kept, int(color.count)))
            names["K"] += 1
            if n == 5:
                color.count, color.RED.hits = 100, 50
        histories.append(found)
    assert histories[0] == histories[1]


def test_sums_of_flags_may_come_in_while_tracing():
    program = """
import enum
class Right(enum.Flag):
    READ = 1
    WRITE = 2
    RUN = 4
def f(n):
    right = Right.READ if n > 2 else Right.WRITE
    return (right | Right.RUN).value, getattr(right, "RUN" if n is None else "READ").value
"""
    f, graph = function_of(program, "n"), ag.function(function_of(program, "n"))
    for n in (3, 0, 5):
        assert list(map(int, graph(np.int64(n)))) == list(map(int, f(np.int64(n))))
    assert graph.experimental_get_tracing_count() == 1
