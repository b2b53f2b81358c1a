"""A line that is wrong in Python is wrong in a graph, in Python's words, and only where it is reached."""

import enum

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError
from tests.promises.kit import function_of

FLOATS = [
    "for i in range(v): n += 1",
    "return [1, 2, 3][v]",
    "return (1.0, 2.0, 3.0)[v]",
    "return [[1], [2], [3]][v]",
    "return [1, 2, 3][v > 1]",
    "return [1, 2, 3][:v]",
    "items = [1, 2, 3]\nitems[v] = 5\nreturn items",
    "items = [1, 2, 3]\nitems.insert(v, 5)\nreturn items",
    "items = [1, 2, 3]\nreturn items.pop(v)",
    "items = [1, 2, 3]\ndel items[v]\nreturn items",
    "items = []\nfor i in range(n): items.append(i)\nreturn items[v]",
    "items = []\nfor i in range(n): items.append(i)\nreturn items[v:]",
    "return [0] * v",
    "return 'ab' * v",
    "items = []\nfor i in range(n): items.append(i)\nreturn items * v",
]
"""Programs that take a float where Python takes integers alone."""

NUMBERS = [
    *("return len(n)", "return sum(n)", "return any(v)", "return 3 in v", "return n(3)", "return list(v)"),
    *("n[0] = 3\nreturn n", "a, b = v\nreturn a", "for i in v: print(i)", "return max(v)", "return [*n]"),
    *("return ','.join([v, n])", "return ','.join(['a', n])", "return ','.join(x for x in [v, 1.0])"),
    "items = []\nfor i in range(n): items.append(i * v)\nreturn ','.join(items)",
]
"""Programs that take a number for something else."""


def lines(program, around="", behind=""):
    shift = "        " if around else "    "
    body = "".join(f"{shift}{line}\n" for line in program.splitlines())
    return f"def f(n, v):\n{around}{body}{behind}    return n\n"


@pytest.mark.parametrize("program", [*FLOATS, *NUMBERS])
def test_it_is_wrong_at_once(program):
    f = function_of(lines(program))
    with pytest.raises(TypeError) as expected:
        f(np.int64(3), np.float64(2.0))
    with pytest.raises(TypeError) as raised:
        ag.function(f)(np.int64(3), np.float64(2.0))
    if program in FLOATS:
        assert str(expected.value) in str(raised.value)


@pytest.mark.parametrize("program", [*FLOATS, *NUMBERS])
def test_it_is_wrong_where_it_is_reached(program):
    reached = function_of(lines(program, "    if v < 0:\n"))
    ag.check(reached, np.int64(3), np.float64(2.0), then=[(np.int64(3), np.float64(-1.0))])


@pytest.mark.parametrize("program", [*FLOATS, *NUMBERS])
def test_the_program_may_catch_it(program):
    tried = lines(program, "    try:\n", "    except TypeError:\n        return -1.0\n")
    ag.check(function_of(tried), np.int64(3), np.float64(2.0))


def test_integers_and_truths_of_python_s_are_indices():
    def f(n, v, flag):
        items = [1, 2, 3]
        for i in range(n):
            items.append(i)
        return items[n], items[bool(v > 1)], items[n:], [0] * n, (1, 2)[flag], [10, 20, 30][n - 2]

    ag.check(f, np.int64(3), np.float64(2.0), True)


GROWN = [
    *(
        "items += 5",
        "items.extend(None)",
        "items = items + 5",
        "items = items + (1,)",
        "items.foo",
        "items['a']",
    ),
    *("items < 3", "items + None", "-items", "str(n).foo", "1 in str(n)", "items()", "{items: 1}"),
]
"""Lines that are wrong for a list that grows, or a text."""


@pytest.mark.parametrize("line", GROWN)
def test_a_list_that_grows_says_what_a_list_says(line):
    tried = f"""
def f(n, v):
    items = []
    for i in range(n):
        items.append(i)
    if v < 0:
        {line}
    try:
        {line}
    except (TypeError, AttributeError) as error:
        return str(error), items
    return items
"""
    ag.check(function_of(tried), np.int64(3), np.float64(2.0))


@pytest.mark.parametrize(
    "line",
    [
        *(
            "[1, 2, 3][xs]",
            "(1, 2, 3)[xs:]",
            "list(range(xs))",
            "'abc'[xs]",
            "range(5)[xs]",
            "[1, 2].pop(xs)",
        ),
        "[1, 2].insert(xs, 3)",
    ],
)
def test_an_array_with_axes_is_no_index_of_a_sequence(line):
    program = function_of(line, "xs")
    for numbers in ([0, 1], [1], [0.5]):
        ag.check(program, np.array(numbers), executors=["numpy", "native"])


class Fixed:
    __slots__ = ("a",)

    @property
    def size(self):
        return 1


@pytest.mark.parametrize("thing", [None, 3, "text", (1, 2), Fixed()], ids=lambda thing: type(thing).__name__)
@pytest.mark.parametrize("line", ["thing.size = 2", "del thing.size", "del thing.a"])
def test_an_attribute_is_set_or_deleted_where_the_line_is_reached(thing, line):
    program = (
        f"def f(n):\n    done = [0]\n    if n > 1:\n        done[0] = n\n        {line}\n    return done\n"
    )
    ag.check(function_of(program, thing=thing), np.int64(0), then=[(np.int64(5),)])


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


@pytest.mark.parametrize("line", ["return Level(n)", "return Level['LOW' if n > 1 else 'NONE']"])
def test_the_line_that_is_named_is_the_programs_and_not_the_librarys(line):
    program = function_of(f"def f(n):\n    {line}\n", Level=Level)
    with pytest.raises((KeyError, ValueError)) as caught:
        ag.function(program)(np.int64(0))
    named = [note for note in caught.value.__notes__ if "line 2, in f" in note]
    assert named, caught.value.__notes__
    frames = [frame.name for frame in caught.traceback]
    assert frames[-1] == "f"


def test_a_refusal_inside_of_a_manager_of_the_library_names_the_programs_line():
    program = function_of(
        "def walk(n):\n    if n > 0:\n        yield from walk(n - 1)\n        yield n\n"
        "def f(n):\n    return list(walk(n))\n"
    )
    with pytest.raises(GraphError, match=r'walk\(\) calls itself(.|\n)*File "<promise'):
        ag.function(program)(np.int64(3))
