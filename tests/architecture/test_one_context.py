"""What a thread is in the middle of is one object in each package."""

import re
from pathlib import Path
from threading import Thread

import pytest

import runtime as rt
from autograph.staging.context import staging
from runtime.core.tracing import tracing
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import building
from runtime.graph.builder import Builder

ROOT = Path(__file__).parents[2]
OF_A_THREAD = re.compile(r"\((?:threading\.)?local\):|\blocal\(\)|\bContextVar\(")


@pytest.mark.parametrize(
    ("package", "place"), [("runtime", "core/tracing.py"), ("autograph", "staging/context.py")]
)
def test_the_state_of_a_thread_is_kept_in_one_place(package, place):
    folder = ROOT / package
    found = [path for path in folder.rglob("*.py") if OF_A_THREAD.search(path.read_text(encoding="utf-8"))]
    assert found == [folder / place]


def test_each_thread_has_a_state_of_its_own():
    seen = []

    def look():
        seen.append((tracing.builder, list(tracing.traces), staging.journal, list(staging.lasting)))

    with building(Builder("f")):
        thread = Thread(target=look)
        thread.start()
        thread.join()
    assert seen == [(None, [], None, [])]


def test_a_trace_that_fails_leaves_the_state_as_it_was():
    before = tracing.builder, list(tracing.traces), tracing.location, tracing.marks

    def fails(x):
        raise ZeroDivisionError(f"{x}")

    with pytest.raises(ZeroDivisionError):
        rt.cond(rt.asarray(True), lambda: fails(1), lambda: 0)
    with pytest.raises(ZeroDivisionError):
        PolymorphicFunction(fails)(rt.asarray(1))
    assert (tracing.builder, list(tracing.traces), tracing.location, tracing.marks) == before
