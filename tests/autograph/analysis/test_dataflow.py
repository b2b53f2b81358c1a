import ast

import pytest

from autograph.analysis.bits import Bits
from autograph.analysis.cfg import ControlFlow
from autograph.analysis.dataflow import Backward, Effect, Forward
from autograph.analysis.manager import Analyses


@pytest.fixture
def graph():
    """entry 0, exit 1, loop 2, test 3, a 4, b 5: `a` runs any number of times, then `b`."""
    tree = ast.parse("while t: a\nb")
    return Analyses(tree).get(ControlFlow).graph(tree)


def effects(graph, **at):
    return [at.get(f"n{node.index}", Effect()) for node in graph.nodes]


def test_bits_are_sets():
    bits = Bits()
    packed = bits.pack(["a", "b"]) | bits.bit("c")
    assert list(bits.unpack(packed & ~bits.bit("b"))) == ["a", "c"]


def test_an_effect_loses_before_it_gains():
    assert Effect(gain=0b01, lose=0b11)(0b110) == 0b101


def test_forward_facts_go_round_a_loop(graph):
    flow = Forward(graph, effects(graph, n4=Effect(gain=0b1)), start=0b10)
    assert [flow.before[index] for index in (2, 3, 4, 5, 1)] == [0b10, 0b11, 0b11, 0b11, 0b11]
    assert flow.after[0] == 0b10


def test_backward_facts_go_round_a_loop(graph):
    flow = Backward(graph, effects(graph, n4=Effect(gain=0b1), n5=Effect(lose=0b1)), end=0b10)
    assert [flow.after[index] for index in (3, 4, 5)] == [0b11, 0b11, 0b10]
    assert flow.before[0] == 0b11


def test_kept_facts_hold_whatever_follows(graph):
    kept = [0b100 if node.index == 5 else 0 for node in graph.nodes]
    flow = Backward(graph, effects(graph, n5=Effect(lose=0b100)), kept=kept)
    assert flow.after[5] == 0b100
    assert flow.before[5] == 0


def test_an_exception_strikes_before_or_after_the_work():
    tree = ast.parse("try: a\nexcept: b")
    graph = Analyses(tree).get(ControlFlow).graph(tree)
    work, handler = graph.nodes[2], graph.nodes[3]
    table = effects(graph, n2=Effect(gain=0b1, lose=0b10))
    assert Forward(graph, table, start=0b10).before[handler.index] == 0b11
    table = effects(graph, n2=Effect(lose=0b10), n3=Effect(gain=0b10))
    assert Backward(graph, table).before[work.index] == 0b10
