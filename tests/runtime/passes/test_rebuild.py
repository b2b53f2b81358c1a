"""Graphs written anew."""

import pytest

from runtime.core.dtypes import float64
from runtime.core.spec import ArraySpec
from runtime.errors import LeakedTensor
from runtime.graph.builder import Builder
from runtime.ops.arithmetic import Neg
from runtime.passes.rebuild import Copy


def test_a_value_that_another_graph_has_is_named_and_not_looked_up():
    other, builder = Builder("given up"), Builder("kept")
    leaked = other.input(ArraySpec((), float64))
    builder.add(Neg(), [leaked])
    copy = Copy(builder.finish([]))
    with pytest.raises(LeakedTensor, match="a tensor of the graph `given up` is out of scope"):
        copy.add(copy.old.nodes[0])
