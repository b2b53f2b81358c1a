"""What is asked of an object that a tensor chooses is asked of that object: one question after the other."""

# ruff: noqa: UP031, UP032  (programs are written as users write them)

import dataclasses
import enum
import functools
import heapq
import operator
from collections import OrderedDict, deque

import numpy as np
import pytest

import autograph as ag
from tests.beyond.kit import check
from tests.promises.kit import function_of

PRICES = {"up": 1.0, "low": 2.0}


class Kind(enum.Enum):
    """An enum with a method and a property."""

    A = 1
    B = 2

    def other(self):
        return Kind.B if self is Kind.A else Kind.A

    @property
    def half(self):
        return self.value / 2


class Rich:
    """An object with special methods."""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return self.value + other

    def __radd__(self, other):
        return self.value * other

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.value * index

    def __setitem__(self, index, value):
        self.value = self.value * index + value

    def __contains__(self, item):
        return item == 2

    def __eq__(self, other):
        return other is self

    def __hash__(self):
        return 7

    def __call__(self, x):
        return self.value * x

    def __iter__(self):
        return iter([self.value, self.value + 1])

    def __neg__(self):
        return -self.value

    def __lt__(self, other):
        return self.value < other

    def __iadd__(self, other):
        self.value = self.value + other
        return self


def increased(x):
    return x + 1


def decreased(x):
    if x > 1.5:
        return x - 1
    return x


ASKED = {
    "members are compared": lambda v, k: (
        k is Kind.A,
        k is not Kind.A,
        Kind.B is k,
        k == Kind.B,
        k != Kind.B,
    ),
    "members are found": lambda v, k: (k in (Kind.A,), k in [Kind.B], k not in {Kind.A: 1}, k in Kind),
    "members have names": lambda v, k: (k.name, k.value + 1, k.half, str(k), repr(k), f"{k}", k.other().name),
    "members have a class": lambda v, k: (
        isinstance(k, Kind),
        type(k) is Kind,
        type(k).__name__,
        Kind(1) is k,
    ),
    "members are hashed": lambda v, k: (hash(k) == hash(Kind.A), {Kind.A: 1.0, Kind.B: 2.0}[k]),
    "members by name": lambda v, k: (Kind["A"] is k, k.other().other() is k, k.other() is Kind.B),
}
WORDS = {
    "texts are changed": lambda v, w: (
        w.upper(),
        w.title(),
        w.replace("l", "m"),
        w.center(7, "*"),
        w.zfill(5),
    ),
    "texts are searched": lambda v, w: (w.find("o"), w.startswith("u"), w.count("p"), "p" in w, "p" not in w),
    "texts are told": lambda v, w: (w.isalpha(), w.islower(), len(w), bool(w), not w, hash(w) == hash("up")),
    "texts are compared": lambda v, w: (
        w == "up",
        "up" == w,
        w != "up",
        w < "m",
        w >= "low",
        w in ("up", "x"),
    ),
    "texts have parts": lambda v, w: (w[0], w[-1], w[:2], w[::-1], w.partition("o"), ord(w[0])),
    "texts are joined": lambda v, w: (
        w * 2,
        "x" + w,
        w + "y",
        w.join(["a", "b"]),
        f"{w}-z",
        w.encode(),
    ),
    "texts are formatted": lambda v, w: ("%s!" % w, "{}?".format(w), f"{w:>5}", str(w), repr(w), f"{w!r}"),
    "texts in containers": lambda v, w: (str([w]), repr((w, 1)), f"{ {'a': w} }"),
    "texts are keys": lambda v, w: (PRICES[w], w in PRICES, PRICES.get(w), PRICES.get(w + "x", 5.0)),
    "texts are greatest": lambda v, w: (max(w, "m"), min(w, "m")),
    "texts have a class": lambda v, w: (
        isinstance(w, str),
        isinstance(w, int),
        type(w) is str,
        type(w).__name__,
    ),
    "texts have attributes": lambda v, w: (hasattr(w, "upper"), getattr(w, "upper")(), callable(w)),
    "texts decide": lambda v, w: (1 if w == "up" else 2, w == "up" and v > 1.7, (w and "some"), w or "none"),
    "texts are nested": lambda v, w: (
        [w, w],
        {"x": w},
        (w,),
        [w for _ in range(2)],
        sorted([1.0, v], key=lambda x: x),
    ),
}
FUNCTIONS = {
    "functions are called": lambda v, g: (g(v), g(g(v)), [g(x) for x in [v, 2 * v]]),
    "functions are compared": lambda v, g: (g is increased, g == decreased, g.__name__, callable(g)),
    "functions are mapped": lambda v, g: (list(map(g, [v, v * 2])), sorted([v, 1.2, 3.0], key=g)),
    "functions are keys": lambda v, g: {increased: 1.0, decreased: 2.0}[g],
}
OBJECTS = {
    "objects add": lambda v, o: (o + 1, 1 + o, -o, o < 3),
    "objects have items": lambda v, o: (len(o), o[3], 2 in o, 3 in o, o(2.0), bool(o), hash(o)),
    "objects are iterated over": lambda v, o: ([x for x in o], list(o), sum(o)),
    "objects have a class": lambda v, o: (isinstance(o, Rich), type(o) is Rich, type(o).__name__),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_members_of_enums(ask):
    def program(v):
        return ask(v, Kind.A if v > 1.5 else Kind.B)

    check(program, 1.0)
    check(program, 2.0)


@pytest.mark.parametrize("ask", WORDS.values(), ids=WORDS)
def test_texts(ask):
    def program(v):
        return ask(v, "up" if v > 1.5 else "low")

    check(program, 1.0)
    check(program, 2.0)


@pytest.mark.parametrize("ask", FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions(ask):
    def program(v):
        return ask(v, increased if v > 1.5 else decreased)

    check(program, 1.0)
    check(program, 2.0)


@pytest.mark.parametrize("ask", OBJECTS.values(), ids=OBJECTS)
def test_objects_with_special_methods(ask):
    def program(v):
        one, other = Rich(1.0), Rich(2.0)
        return ask(v, one if v > 1.5 else other)

    check(program, 1.0)
    check(program, 2.0)


def special_methods_that_change(v):
    one, other = Rich(1.0), Rich(2.0)
    chosen = one if v > 1.5 else other
    chosen[2] = v
    chosen += 1
    return one.value, other.value, chosen is one


@pytest.mark.parametrize("v", [1.0, 2.0, 0.0])
def test_special_methods_change_the_chosen_object(v):
    check(special_methods_that_change, v)


def numbers_among_words(x, n):
    mixed, total, words = [], 0.0, 0
    for i in range(n):
        mixed.append("word" if i % 3 == 0 else x[i] if i % 3 == 1 else None)
    for each in mixed:
        if isinstance(each, float):
            total += each
        elif isinstance(each, str):
            words += 1
    return total, words, [type(each) is np.float64 for each in mixed]


def an_array_or_a_word(x, n):
    found = x if n > 3 else "word"
    return isinstance(found, np.ndarray), isinstance(found, str | np.ndarray), type(found) is np.ndarray


@pytest.mark.parametrize("program", [numbers_among_words, an_array_or_a_word])
def test_what_isinstance_and_type_say_of_a_number_among_objects_is_what_numpy_says(program):
    ag.check(program, np.array([5.0, 2.0, 8.0, 1.0]), np.int64(4), then=[(np.array([1.0, 4.0]), np.int64(2))])


def lengths_of_words_and_lists(x, n):
    mixed = []
    for i in range(n):
        mixed.append("word" if i % 3 == 0 else [x[i]] if i % 3 == 1 else None)
    return [len(each) if each is not None else -1 for each in mixed]


def functions_of_numbers_among_words(x, n):
    mixed, total = [], 0.0
    for i in range(n):
        mixed.append("word" if i % 3 == 0 else -x[i] if i % 3 == 1 else None)
    for each in mixed:
        if isinstance(each, float):
            total += abs(each) + round(each) + max(each, 0.0) + float(each)
        elif isinstance(each, str):
            total += len(each)
    return total


@pytest.mark.parametrize("program", [lengths_of_words_and_lists, functions_of_numbers_among_words])
def test_a_builtin_takes_what_is_one_of_several_objects_or_none(program):
    ag.check(program, np.array([5.0, 2.0, 8.0, 1.0]), np.int64(4), then=[(np.array([1.0, 4.0]), np.int64(2))])


# ── one of several objects, or None ──


@dataclasses.dataclass
class Pair:
    x: float
    rest: list


LISTS = [
    *("len(c)", "list(c)", "sorted(c)", "sum(c)", "max(c)", "any(c)", "set(c)", "deque(c)", "bool(c)"),
    *("heapq.nsmallest(1, c)", "math.prod(c)", "functools.reduce(operator.add, c)", "list(map(abs, c))"),
    *(
        "list(zip(c, c))",
        "list(enumerate(c))",
        "list(reversed(c))",
        "min(c, key=lambda v: -v)",
        "list(iter(c))",
    ),
]
DICTS = ["len(c)", "dict(c)", "list(c)", "OrderedDict(c)", "sum(c.values())"]
OBJECTS = ["dataclasses.astuple(c)", "dataclasses.asdict(c)", "dataclasses.replace(c, x=1.0)", "vars(c)"]
ASKED = [
    *[(line, "[1.0, x]", "[3.0, 4.0, 5.0]") for line in LISTS],
    *[(line, "{'a': 1.0, 'b': x}", "{'a': 3.0, 'c': 4.0}") for line in DICTS],
    *[(line, "Pair(x, [1.0])", "Pair(1.0, [])") for line in OBJECTS],
]
NAMES = {"deque": deque, "OrderedDict": OrderedDict, "heapq": heapq, "functools": functools, "Pair": Pair}


@pytest.mark.parametrize(("line", "first", "second"), ASKED, ids=lambda text: text)
def test_what_may_be_none_is_asked_as_python_asks_it(line, first, second):
    choices = ["    elif x > 0: c = q\n"] if line != "vars(c)" else []
    for choice in ["", *choices]:
        program = (
            f"def f(x, k):\n    p, q, c = {first}, {second}, None\n    if k > 1: c = p\n{choice}"
            f"    if c is None: return None\n    return {line}\n"
        )
        calls = [(np.float64(x), np.int64(k)) for x, k in [(1.5, 2), (-2.0, 0), (3.0, 0)]]
        names = {**NAMES, "operator": operator, "dataclasses": dataclasses}
        ag.check(function_of(program, **names), *calls[0], then=calls[1:])


class Stepper:
    def __init__(self):
        self.at, self.before = 0.0, 1.0

    def up(self, by):
        self.at += by
        return self

    def down(self, by):
        self.at -= by
        return self


class Slow(Stepper):
    pass


def test_a_chosen_method_and_a_chosen_class_say_whose_they_are():
    def f(x):
        one, other = Stepper(), Slow()
        method = one.up if x > 1 else other.down
        kind = Stepper if x > 1 else Slow
        method(x)
        said = method.__name__, method.__self__ is other, method.__func__ is Stepper.up
        return said, kind.__mro__[0] is Stepper, kind.__bases__[0] is Stepper, one.at, other.at

    ag.check(f, np.float64(0.5), then=[(np.float64(2.0),)])


def test_chosen_lists_compare_by_their_items():
    def program(x, i):
        rows = [[x[0], [1, "b"]], [x[1], [0, "a"]], [x[1], [0, "a"], 3]]
        one, other = rows[i], rows[1 - i]
        text = [[x[0], "b"], [x[1], 2]][i]
        try:
            is_less = [3.0, "a"] < text
        except TypeError as error:
            is_less = str(error)
        shared = [[x, 1], [x * 2, 2]]
        try:
            is_same_array = shared[i] < shared[0]
        except ValueError as error:
            is_same_array = str(error)
        return one < other, one <= rows[2], rows[i + 1] > one, one == other, min(rows), is_less, is_same_array

    then = [(np.array([1.0, 1.0]), np.int64(0)), (np.array([1.0, 2.0]), np.int64(1))]
    ag.check(program, np.array([3.0, 1.0]), np.int64(1), then=then)


def test_lists_in_a_heap_are_compared_in_few_branches():
    @ag.function
    def pairs(weights):
        heap = [[weight, [place, ""]] for place, weight in enumerate(weights)]
        heapq.heapify(heap)
        low, high = heapq.heappop(heap), heapq.heappop(heap)
        return low[0] + high[0], low[1][0]

    def count(graph):
        return 1 + sum(count(inner) for node in graph.nodes for inner in node.op.graphs)

    assert count(pairs.get_concrete_function(np.ones(3)).graph) < 400
    ag.check(pairs.python_function, np.array([3.0, 1.0, 2.0]), then=[(np.array([1.0, 1.0, 1.0]),)])


def test_a_method_of_a_chosen_class_may_change_what_the_class_holds():
    program = function_of(
        """
class Shape:
    made = {}

    def __init__(self, size):
        self.size = size

    @classmethod
    def make(cls, size):
        shape = cls(size * cls.sides())
        cls.made[cls.__name__] = shape.size
        return shape

    @staticmethod
    def sides():
        return 2

class Square(Shape):
    @staticmethod
    def sides():
        return 4

def f(x):
    kind = Shape if x > 1 else Square
    return kind.make(x).size, Shape.make(1).size, sorted(Shape.made.items())
"""
    )
    ag.check(program, np.int64(1), then=[(np.int64(2),), (np.int64(1),)])


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.bool_])
def test_a_class_of_numpys_numbers_reads_the_one_that_is_chosen(kind):
    def read(n):
        v = 2.5
        if n > 1:
            v = (1, 2)
        elif n == 0:
            v = "7"
        return kind(v)

    ag.check(read, np.int64(2), then=[(np.int64(1),), (np.int64(0),)])


@pytest.mark.parametrize("other", ["n", "n * 1.5", "'a'", "[n]", "3", "(n, 1)"])
@pytest.mark.parametrize("one", ["None", "'b'", "2"])
def test_whether_something_is_a_scalar_is_said_of_what_was_chosen(one, other):
    f = function_of(
        f"def f(n):\n    v = {one}\n    if n > 1:\n        v = {other}\n    return np.isscalar(v)\n"
    )
    ag.check(f, np.int64(3), then=[(np.int64(1),)])


class Plain:
    """No number."""


PLAIN = Plain()


def test_one_that_is_no_number_is_an_error_of_its_path_in_a_try():
    def filled(x, n):
        grid = np.zeros((2, 2))
        chosen = PLAIN if n > 1 else x[0]
        try:
            grid[0,] = chosen
        except TypeError:
            return -1.0
        return grid.sum()

    ag.check(filled, np.array([1.0, 2.0]), np.int64(3), then=[(np.array([1.0, 2.0]), np.int64(0))])
