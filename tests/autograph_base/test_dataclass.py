"""`autograph_base.dataclass`: a class is what the standard library makes of it."""

import ast
import copy
import dataclasses
import inspect
import pickle
import threading
from dataclasses import field, fields, replace
from typing import ClassVar

import pytest

from autograph_base.dataclass import dataclass
from tests.architecture.trees import ROOT, files_of, nodes_in

OPTIONS = [
    {},
    {"eq": False},
    {"slots": True},
    {"frozen": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "slots": True},
]


def point(decorator, **options):
    """A class with every kind of field."""

    @decorator(**options)
    class Point:
        """A place."""

        x: int
        y: int = 2
        names: list = field(default_factory=list, hash=False)
        told: str = field(default="", compare=False)
        secret: object = field(default=None, repr=False, kw_only=True)
        count: int = field(default=7, init=False)
        made: dict = field(default_factory=dict, init=False, hash=False)

    return Point


def outcome(run):
    try:
        return run()
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


def told(of, ask):
    """What is said of a class, without the name of the function that made it."""
    return outcome(lambda: ask(of))


ASKED = {
    "a signature": lambda kind: str(inspect.signature(kind)).replace("'", ""),
    "fields": lambda kind: [(each.name, each.type) for each in fields(kind)],
    "what patterns match": lambda kind: kind.__match_args__,
    "defaults": lambda kind: repr(kind(1)),
    "all that is given": lambda kind: repr(kind(1, 3, ["a"], "b", secret=4)),
    "a list of its own": lambda kind: kind(1).names is kind(1).names,
    "too little": lambda kind: kind(),
    "too much": lambda kind: kind(1, 2, [], "", 5),
    "a name that there is not": lambda kind: kind(1, z=1),
    "what is equal": lambda kind: kind(1) == kind(1, told="else"),
    "what differs": lambda kind: kind(1) == kind(2),
    "another kind": lambda kind: kind(1) == 1,
    "a number for a dict": lambda kind: hash(kind(1)) == hash(kind(1)),
    "its number": lambda kind: hash(kind(1, 3)),
    "another value": lambda kind: repr(replace(kind(1, 5), x=2)),
    "a dict": lambda kind: dataclasses.asdict(kind(1)),
    "to set a field": lambda kind: setattr(kind(1), "x", 2),
    "to set what is no field": lambda kind: hasattr(kind(1), "z") or setattr(kind(1), "z", 2),
    "to delete a field": lambda kind: delattr(kind(1), "x"),
    "a copy": lambda kind: repr(copy.copy(kind(1, names=[1]))),
    "a deep copy": lambda kind: repr(copy.deepcopy(kind(1, names=[1]))),
    "room for attributes": lambda kind: hasattr(kind(1), "__dict__"),
    "its parameters": lambda kind: [getattr(kind.__dataclass_params__, each) for each in ("frozen", "eq")],
    "its text": lambda kind: kind.__doc__,
}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("asked", ASKED)
def test_a_class_is_what_the_standard_library_makes_of_it(options, asked):
    ours, others = point(dataclass, **options), point(dataclasses.dataclass, **options)
    if asked == "its number" and not options.get("frozen"):
        options = None  # by identity, if any
    if asked == "to set what is no field" and (options or {}).get("slots"):
        return  # Python's own words name the place where the class stands
    found, wanted = told(ours, ASKED[asked]), told(others, ASKED[asked])
    if options is None:
        assert type(found) is type(wanted)
    elif options.get("eq") is False and asked in {"its number", "a number for a dict"}:
        assert type(found) is type(wanted)
    else:
        assert found == wanted


@dataclass(frozen=True, slots=True)
class Kept:
    """One that can be found by its name."""

    x: int
    rows: tuple = ()


def test_an_instance_is_pickled():
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))


def test_an_instance_that_was_made_without_its_constructor_is_compared_by_its_fields():
    @dataclass(frozen=True)
    class Row:
        x: int

    one, other = (object.__new__(Row) for _ in range(2))
    for each in (one, other):
        object.__setattr__(each, "x", 3)
    assert one == other
    assert hash(one) == hash(other)


def test_what_a_class_has_itself_stays():
    @dataclass(frozen=True)
    class Own:
        x: int

        def __init__(self, x):
            object.__setattr__(self, "x", x + 1)

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 5

        def __repr__(self):
            return "own"

    assert (Own(1).x, Own(1) == 3, hash(Own(1)), repr(Own(1))) == (2, True, 5, "own")


def test_one_with_an_equality_of_its_own_has_a_hash_of_its_fields():
    @dataclass(frozen=True)
    class Own:
        x: int

        def __eq__(self, other):
            return self.x == other.x

    assert hash(Own(1)) == hash((1,))


def test_what_comes_after_the_fields_are_set_runs():
    @dataclass
    class Row:
        x: int

        def __post_init__(self):
            self.x += 1

    assert Row(1).x == 2


def test_a_class_below_has_the_fields_of_that_above():
    @dataclass
    class Above:
        x: int = 1

    @dataclass
    class Below(Above):
        y: int = 2

    assert repr(Below(y=3)).endswith("Below(x=1, y=3)")
    assert Above(1) != Below(1)


def test_a_class_below_a_frozen_one_is_frozen():
    @dataclass(frozen=True)
    class Above:
        x: int

    @dataclass(frozen=True)
    class Below(Above):
        y: int

    assert Below(1, 2) == Below(1, 2)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        Below(1, 2).x = 3


def test_one_that_is_in_itself_has_a_text():
    @dataclass
    class Node:
        inner: object = None

    node = Node()
    node.inner = node
    assert repr(node).endswith("Node(inner=...)")


def test_threads_make_the_first_instances_at_once():
    for _ in range(50):

        @dataclass(frozen=True)
        class Row:
            x: int
            y: int = 2

        start, found = threading.Barrier(4), []

        def make(kind=Row, start=start, found=found):
            start.wait()
            found.append(hash(kind(1)) == hash((1, 2)) and kind(1) == kind(1, 2))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert found == [True] * 4


def test_a_class_may_say_itself_what_patterns_match():
    @dataclass
    class Own:
        __match_args__ = ("y",)
        x: int
        y: int

    assert ([each.name for each in fields(Own)], Own.__match_args__) == (["x", "y"], ("y",))


def test_one_with_slots_has_those_of_the_class_above_once():
    @dataclass(frozen=True, slots=True)
    class Above:
        x: int

    @dataclass(frozen=True, slots=True)
    class Below(Above):
        count: ClassVar[int] = 5
        y: int = 2

    assert (Below.__slots__, Below.count, repr(Below(1)).rpartition(".")[2]) == (("y",), 5, "Below(x=1, y=2)")
    assert not hasattr(Below(1), "__dict__")


def test_one_that_is_below_a_frozen_one_of_the_librarys_is_the_librarys():
    @dataclasses.dataclass(frozen=True)
    class Above:
        x: int

    with pytest.raises(TypeError, match="non-frozen"):
        dataclass(type("Below", (Above,), {}))


CORE = [f"autograph/{room}" for room in ("analysis", "converters", "source", "staging")]


def test_no_class_that_is_made_with_tensors_costs_what_the_library_asks_for():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for room in ("runtime", "autograph/backends", "autograph/tracing", *CORE)
        for path, text in files_of(room, "dataclasses")
        for node in nodes_in(text)
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        if "dataclass" in [alias.name for alias in node.names]
    ]
    assert found == []
