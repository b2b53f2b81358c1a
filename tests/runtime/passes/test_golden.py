"""What each pass makes of graphs, in `tests/golden/graphs`: one file per pass, text in and text out.

A case is a line ``== what it shows``, the graph before, ``=>``, and the graph after the pass and `drop_dead`.
"""

from pathlib import Path

import pytest

from runtime.graph.file import digest, from_bytes, to_bytes
from runtime.graph.module import Module
from runtime.graph.parser import from_text
from runtime.graph.printer import to_text
from runtime.graph.verify import verify
from runtime.passes import drop_dead
from runtime.passes.pipeline import PASSES, optimise
from tests.runtime.passes.equivalence import assert_same

GRAPHS = Path(__file__).parents[2] / "golden" / "graphs"


def cases(name):
    """The title and the graph of each case in a file."""
    text = (GRAPHS / f"{name}.txt").read_text(encoding="utf-8")
    for case in text.split("== ")[1:]:
        title, _, graphs = case.partition("\n")
        yield title, graphs.partition("=>")[0].strip("\n")


def improve(name, graph):
    return drop_dead.run(PASSES[name](graph))


EVERY_CASE = [
    pytest.param(name, text, id=f"{name}: {title}") for name in PASSES for title, text in cases(name)
]


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_makes_of_its_graphs_what_the_file_shows(name, golden):
    shown = [
        f"== {title}\n{text}\n=>\n{to_text(improve(name, from_text(text)))}\n" for title, text in cases(name)
    ]
    golden(GRAPHS / f"{name}.txt", "\n".join(shown))


@pytest.mark.parametrize(("name", "text"), EVERY_CASE)
def test_graphs_in_golden_files_are_as_the_printer_prints_them(name, text):
    graph = from_text(text)
    assert to_text(graph) == text
    module = Module(graph)
    again = from_bytes(to_bytes(module))
    assert again.text() == text
    assert digest(again) == digest(module)


@pytest.mark.parametrize(("name", "text"), EVERY_CASE)
def test_a_pass_leaves_a_valid_graph_that_does_the_same(name, text):
    before = from_text(text)
    after = improve(name, before)
    verify(after)
    assert_same(before, after)
    assert to_text(before) == text


@pytest.mark.parametrize(("name", "text"), EVERY_CASE)
def test_a_pass_changes_a_graph_once(name, text):
    once = improve(name, from_text(text))
    assert improve(name, once) is once


@pytest.mark.parametrize(("name", "text"), EVERY_CASE)
def test_the_whole_pipeline_changes_a_graph_once_and_keeps_what_it_does(name, text):
    before = from_text(text)
    after = optimise(Module(before)).entry
    assert optimise(Module(after)).entry is after
    assert_same(before, after)
