"""What a graph says of itself and of the graphs inside it."""

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.op import Effects
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.call import call_graph


def chain(length, innermost):
    """Graphs each of which calls the next one twice; the last one does what `innermost` does."""
    inner = None
    for level in range(length):
        builder = Builder(f"level_{level}")
        with building(builder):
            x = Symbol(builder.input(ArraySpec((), rt.float64), "x"))
            if inner is None:
                innermost(x)
            else:
                call_graph(inner, [x])
                call_graph(inner, [x])
        inner = builder.finish([])
    return inner


def test_a_graph_that_several_calls_share_is_visited_once():
    names = [graph.name for graph in chain(40, lambda x: x + 1).walk()]
    assert names == [f"level_{level}" for level in reversed(range(40))]


def test_a_graph_has_the_effects_of_the_graphs_inside_it():
    assert chain(40, lambda x: x + 1).effects is Effects.NONE
    assert chain(40, rt.print).effects is Effects.PRINTS
