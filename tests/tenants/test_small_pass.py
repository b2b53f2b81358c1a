"""How little a pass of its own needs: a copy of each graph, and what ops say of themselves."""

import numpy as np

import runtime as rt
from runtime.executors.reference import Reference
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.module import Module
from runtime.graph.op import Const
from runtime.graph.region import with_changed_graphs
from runtime.graph.verify import verify_module
from runtime.ops.arithmetic import Mul, Pow
from runtime.passes.rebuild import Copy


def squares(graph):
    """`x ** 2` becomes `x * x`, at whatever depth it stands."""
    copy, changed = Copy(graph), False
    for node in graph.nodes:
        op = with_changed_graphs(node.op, lambda region: squares(region.graph))
        if is_square(node):
            x = copy.values[node.inputs[0]]
            product = copy.new.add(Mul(), [x, x], node.location)
            copy.replace(node.outputs, product.outputs)
        else:
            copy.add(node, op)
        changed |= op is not node.op or is_square(node)
    return copy.finish() if changed else graph


def is_square(node):
    if not isinstance(node.op, Pow):
        return False
    exponent = node.inputs[1].op
    return isinstance(exponent, Const) and exponent.value.shape == () and exponent.value == 2


def program(x, n):
    return rt.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y**2 - y), (rt.asarray(0), x**2))[1]


def test_a_small_pass_changes_every_graph_and_no_result():
    staged = PolymorphicFunction(program)
    module = staged.get_concrete_function(rt.TensorSpec((3,), rt.float64), rt.TensorSpec((), rt.int64)).module
    changed = module.mapped(squares)
    verify_module(changed)
    assert module.text().count("Pow(") == 2
    assert "Pow(" not in changed.text()
    arrays = [np.asarray([0.5, -1.25, 2.0]), np.int64(4)]
    before, after = [Reference().compile(each).run(arrays) for each in (module, changed)]
    np.testing.assert_array_equal(before[0], after[0], strict=True)


def test_a_pass_that_finds_nothing_gives_the_module_back():
    staged = PolymorphicFunction(lambda x: x + 1)
    module = staged.get_concrete_function(rt.TensorSpec((3,))).module
    assert isinstance(module, Module)
    assert module.mapped(squares) is module
