"""No message shows what our own classes are called: not the catalogue's, and not Python's."""

import json
from collections import Counter, deque
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph.backends.tensors.backend import Tensors
from autograph.staging.state import Undefined
from tests.properties.names import OURS

CATALOGUE = sorted((Path(__file__).parents[1] / "golden" / "errors").rglob("*.err"))


def below(kind):
    return {kind, *[each for child in kind.__subclasses__() for each in below(child)]}


def test_the_classes_of_values_are_called_what_they_stand_for():
    kinds = {kind for owned in (*Tensors.owns, Undefined) for kind in below(owned)}
    named = {
        kind.__name__ for kind in kinds if str(kind.__module__).partition(".")[0] in {"autograph", "runtime"}
    }
    assert [name for name in named if OURS.search(name)] == []


@pytest.mark.parametrize("path", CATALOGUE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_catalogue_names_no_class_of_ours(path):
    assert OURS.search(path.read_text(encoding="utf-8")) is None


def grown(n):
    found = []
    for i in range(n):
        found.append(i)
    return found


def optional(n):
    return n if n > 2 else None


def rebound(n):
    box = grown(n)
    for i in range(n):
        box = [box] if i > 1 else {"box": box}
    return box


PROGRAMS = [
    lambda n: {n: 1} + 1,
    lambda n: Counter([n]) | 3,
    lambda n: {n} + {n},
    lambda n: deque(range(n)) + 1,
    lambda n: grown(n) + 1,
    lambda n: grown(n) < 3,
    lambda n: grown(n).none,
    lambda n: grown(n)["a"],
    lambda n: {grown(n): 1},
    lambda n: "%d" % grown(n),  # noqa: UP031  # the error of this one
    lambda n: str(n) + 1,
    lambda n: str(n).none,
    lambda n: ("a" if n > 2 else "b") + 1,
    lambda n: ("a" if n > 2 else "b").none,
    lambda n: optional(n).none,
    lambda n: [1, 2][optional(n)] + "a",
    lambda n: n.none,
    lambda n: n(),
    lambda n: n + range(n),
    lambda n: (i for i in range(n)) + 1,
    lambda n: zip(range(n), range(n), strict=True)[0],
    lambda n: hash(np.zeros(3) + n),
    lambda n: json.dumps([grown(n), np.zeros(2) + n]),
    lambda n: max(n, "a"),
    lambda n: sorted([n, "a"]),
    lambda n: int([n]),
    rebound,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_error_names_no_class_of_ours(program):
    with pytest.raises(Exception) as caught:  # whatever it is
        ag.function(program)(np.int64(1))
    assert OURS.search(f"{type(caught.value).__name__}: {caught.value}") is None


def test_a_page_names_what_a_graph_carries_in_words_of_the_program():
    @ag.function
    def program(n):
        outer = grown(n)
        for i in range(n):
            outer.append(i)
        return outer

    program(np.int64(2))
    assert OURS.search(ag.explain(program, np.int64(2)).to_html()) is None
