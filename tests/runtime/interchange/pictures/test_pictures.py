"""Graphs as pictures: what is drawn, where it stands, and that a page needs nothing else."""

import itertools
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.interchange.pictures.drawing import drawing
from runtime.interchange.pictures.layout import HEAD, layout

SVG = "{http://www.w3.org/2000/svg}"


def relu(x):
    if x > 0:
        return x
    return x * 0


def network(rows, weights):
    state = rt.zeros(4)
    states = []
    for row in rows:
        state = rt.tanh(weights @ state + row)
        if rt.max(state) > 0.9:
            print("saturated", state)
        states.append(state)
    print("done")
    return rt.stack(states), state


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def concrete(function):
    specs = {
        relu: [rt.TensorSpec(())],
        network: [rt.TensorSpec((None, 4), rt.float64), rt.TensorSpec((4, 4), rt.float64)],
        factorial: [rt.TensorSpec((), rt.int64)],
    }
    return ag.function(function).get_concrete_function(*specs[function])


def every(placed):
    """A placed drawing, and those inside of it."""
    yield placed
    for spot in placed.spots:
        for inner in spot.inner:
            yield from every(inner)


@pytest.mark.parametrize("function", [relu, network, factorial])
def test_boxes_stand_in_their_graph_and_beside_each_other(function):
    for placed in every(layout(drawing(concrete(function).graph))):
        for row in placed.rows:
            for left, right in itertools.pairwise(row):
                assert placed.spots[left].x + placed.spots[left].width < placed.spots[right].x
        for upper, lower in itertools.pairwise(placed.rows):
            bottom = max(placed.spots[each].y + placed.spots[each].height for each in upper)
            assert bottom < min(placed.spots[each].y for each in lower)
        for spot in placed.spots:
            assert 0 < spot.x
            assert spot.x + spot.width < placed.width + 1
            assert spot.y + spot.height < placed.height + 1
            for inner in spot.inner:
                assert inner.width < spot.width
                assert inner.height + HEAD < spot.height


@pytest.mark.parametrize("function", [relu, network, factorial])
def test_lines_lead_one_row_down(function):
    for placed in every(layout(drawing(concrete(function).graph))):
        boxes = placed.drawing.boxes
        assert all(boxes[line.end].layer == boxes[line.start].layer + 1 for line in placed.drawing.lines)


def test_every_node_is_drawn_with_its_dtype_shape_and_line():
    graph = concrete(network).graph
    root = ET.fromstring(graph.to_svg())
    drawn = [
        box.find(f"{SVG}title").text for box in root.iter(f"{SVG}g") if box.find(f"{SVG}title") is not None
    ]
    for inner in graph.walk():
        for node in inner.nodes:
            assert any(text.startswith(f"{node.op.name}(") for text in drawn)
    [tanh] = [text for text in drawn if text.startswith("Tanh")]
    assert "gives f64[4]" in tanh
    assert "in network\n    state = rt.tanh(weights @ state + row)" in tanh


def test_branches_and_loops_hold_their_graphs():
    root = ET.fromstring(concrete(network).graph.to_svg())
    folding = [box for box in root.iter(f"{SVG}g") if "folds" in box.get("class").split()]
    named = [[text.text for text in box.iterfind(f"{SVG}g[@class='drawing']/{SVG}text")] for box in folding]
    assert named == [["test", "body"], ["then", "else"]]
    lines = [[text.text for text in box.iterfind(f"{SVG}text[@class='detail']")] for box in folding]
    assert lines == [["for row in rows:"], ["if rt.max(state) > 0.9:"]]


def titles(drawing):
    """The names in the boxes of a drawing, a set for each kind."""
    found = {}
    for box in drawing.boxes:
        found.setdefault(box.kind, set()).add(box.title)
    return found


def test_what_is_inside_is_called_as_outside():
    made = drawing(concrete(network).graph)
    [loop] = [box for box in made.boxes if box.inner]
    test, body = map(titles, loop.inner)
    assert test["input"] == {"the loop counter", "Length"}
    assert body["input"] == {"the loop counter", "state", "a list[0]", "rows", "weights"}
    assert body["output"] == {"the loop counter", "state", "a list[0]"}


def test_what_nobody_needs_is_not_drawn():
    made = drawing(concrete(relu).graph)
    [branches] = [box for box in made.boxes if box.inner]
    then, orelse = map(titles, branches.inner)
    assert then == {"input": {"x"}, "output": {"result"}}
    assert orelse == {"input": {"x"}, "constant": {"0.0"}, "op": {"Mul"}, "output": {"result"}}


def test_effects_are_told_apart_and_their_order_is_drawn():
    made = drawing(concrete(network).graph)
    effects = [index for index, box in enumerate(made.boxes) if box.kind == "effect"]
    assert [made.boxes[index].title for index in effects] == ["While", "PrintV2"]
    assert [(line.start, line.end) for line in made.lines if line.is_order] == [tuple(effects)]


def test_a_module_is_drawn_with_the_functions_that_it_calls():
    module = concrete(factorial).module
    [name] = module.functions
    assert f'label="{name}"' in module.to_dot()
    assert f'label="{name}"' not in module.entry.to_dot()


def test_a_page_needs_no_other_file_and_no_network():
    page = concrete(network).graph.to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert set(re.findall(r"https?://[^\"]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|img|iframe)|@import|src=|href=", page)
    assert "SIZES" not in page


def test_what_a_program_is_called_is_text_and_no_markup():
    tricky = rt.Variable(np.float64(1.0), name='<b>&"')

    def f(x):
        return x + tricky

    graph = ag.function(f, name="<script>").get_concrete_function(rt.TensorSpec(())).graph
    ET.fromstring(graph.to_svg())
    assert "<b>" not in graph.to_html()
    assert "<script>" not in graph.to_html().partition("</svg>")[0]


def test_a_notebook_shows_the_picture():
    graph = concrete(relu).graph
    assert "<svg" in graph._repr_html_()
    assert "<!DOCTYPE" not in graph._repr_html_()


def test_dot_has_a_statement_for_each_box_and_line(golden, request):
    golden(
        request.path.parent / "relu.dot", re.sub(r'File \\".*?relu', "relu", concrete(relu).graph.to_dot())
    )
