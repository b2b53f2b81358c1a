"""`autograph_base.named_tuple`: a class is what `typing` makes of it."""

import ast
import copy
import inspect
import pickle
import threading
import typing

import pytest

from autograph_base.named_tuple import NamedTuple
from tests.architecture.trees import ROOT, files_of, nodes_in


class Ours(NamedTuple):
    """A place."""

    x: int
    y: int = 2
    told: "str | None" = None

    def total(self):
        return self.x + self.y

    @property
    def twice(self):
        return 2 * self.x


OURS = Ours


class Ours(typing.NamedTuple):  # likewise called, as texts and errors have the name
    """A place."""

    x: int
    y: int = 2
    told: "str | None" = None

    def total(self):
        return self.x + self.y

    @property
    def twice(self):
        return 2 * self.x


ASKED = {
    "its bases": lambda kind: kind.__mro__[1:],
    "its kind": lambda kind: type(kind),
    "its text": lambda kind: kind.__doc__,
    "its fields": lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__),
    "types": lambda kind: typing.get_type_hints(kind),
    "a signature": lambda kind: [*inspect.signature(kind).parameters],
    "defaults": lambda kind: kind(1),
    "all that is given": lambda kind: kind(1, 3, told="a"),
    "its items": lambda kind: (kind(1).x, kind(1).y, kind(1).told, kind(1).total(), kind(1, 3).twice),
    "a text": lambda kind: repr(kind(1, 3, "a")),
    "too little": lambda kind: kind(),
    "too much": lambda kind: kind(1, 2, "", 4),
    "a name that there is not": lambda kind: kind(1, z=1),
    "one of a tuple": lambda kind: kind._make([1, 2, 3]),
    "one of a short tuple": lambda kind: kind._make([1, 2]),
    "another value": lambda kind: kind(1)._replace(y=5),
    "another value of no field": lambda kind: kind(1)._replace(z=5),
    "a dict": lambda kind: kind(1)._asdict(),
    "a copy": lambda kind: copy.deepcopy(kind([1])),
    "to set a field": lambda kind: setattr(kind(1), "x", 2),
    "to set what is no field": lambda kind: hasattr(kind(1), "z") or setattr(kind(1), "z", 2),
    "its number": lambda kind: hash(kind(1, 3)) == hash((1, 3, None)),
    "a pattern": lambda kind: matched(kind, kind(4, 5)),
    "one below": lambda kind: type("Below", (kind,), {})(1, 7)._replace(x=3),
    "as a tuple": lambda kind: [*kind(1, 2), kind(1) < kind(2), kind(1)[0], len(kind(1))],
}


def matched(kind, value):
    match value:
        case kind(x, y):
            return x, y


def told(kind, ask):
    try:
        found = ask(kind)
    except (TypeError, AttributeError, ValueError) as error:
        return type(error), str(error)
    return found, type(found).__name__


@pytest.mark.parametrize("asked", ASKED)
def test_a_class_is_what_the_standard_library_makes_of_it(asked):
    assert told(OURS, ASKED[asked]) == told(Ours, ASKED[asked])


class Kept(NamedTuple):
    """One that can be found by its name."""

    x: int
    rows: tuple = ()


def test_an_instance_is_pickled():
    found = pickle.loads(pickle.dumps(Kept(1, (2,))))
    assert (found, type(found)) == (Kept(1, (2,)), Kept)


def test_threads_make_the_first_instances_at_once():
    for _ in range(50):

        class Row(NamedTuple):
            x: int
            y: int = 2

        start, found = threading.Barrier(4), []

        def make(kind=Row, start=start, found=found):
            start.wait()
            found.append(kind(1) == (1, 2))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert found == [True] * 4


def test_no_class_of_ours_costs_what_the_library_asks_for():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for room in ("runtime", "autograph")
        for path, text in files_of(room, "NamedTuple")
        for node in nodes_in(text)
        if isinstance(node, ast.ImportFrom) and node.module == "typing"
        if "NamedTuple" in [alias.name for alias in node.names]
    ]
    assert found == []
