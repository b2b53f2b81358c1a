"""Graphs written anew."""

import numpy as np
import pytest

from runtime.core.dtypes import bool_, float64
from runtime.core.spec import ArraySpec
from runtime.errors import LeakedTensor
from runtime.graph.builder import Builder
from runtime.ops.arithmetic import Neg
from runtime.ops.control_flow.nodes import If
from runtime.passes import fold_constants, merge_duplicates
from runtime.passes.rebuild import Copy

NUMBER = ArraySpec((), float64)


def negated():
    builder = Builder("negated")
    return builder.finish(builder.add(Neg(), [builder.input(NUMBER)]).outputs)


def test_a_value_that_another_graph_has_is_named_and_not_looked_up():
    other, builder = Builder("given up"), Builder("kept")
    leaked = other.input(NUMBER)
    builder.add(Neg(), [leaked])
    copy = Copy(builder.finish([]))
    with pytest.raises(LeakedTensor, match="a tensor of the graph `given up` is out of scope"):
        copy.add(copy.old.nodes[0])


@pytest.mark.parametrize("a_pass", [fold_constants, merge_duplicates])
def test_so_it_is_where_a_branch_takes_it(a_pass):
    other, builder = Builder("given up"), Builder("kept")
    leaked, test = other.input(NUMBER), builder.input(ArraySpec((), bool_))
    two = builder.constant(np.asarray(2.0))
    builder.add(Neg(), [two])
    builder.add(Neg(), [two])
    builder.add(If(negated(), negated()), [test, leaked])
    with pytest.raises(LeakedTensor, match="a tensor of the graph `given up` is out of scope"):
        a_pass.run(builder.finish([]))
