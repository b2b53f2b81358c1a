"""Programs run as graphs, for the tests of ops."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.structure import flatten, unflatten
from runtime.executors.base import choose
from runtime.graph.build import as_tensor, building
from runtime.graph.graph import Graph, Symbol


def run_staged(function, *arguments, known=False):
    """What `function` gives as a graph of `arguments`, whose dims are not known unless `known`."""
    graph = Graph("f")
    arrays = [np.asarray(argument) for argument in arguments]
    with building(graph):
        inputs = [Symbol(graph.input(_spec(array, known))) for array in arrays]
        leaves, structure = flatten(function(*inputs))
        graph.outputs = [graph.resolve(_value(graph, leaf)) for leaf in leaves]
    results = [rt.asarray(np.asarray(result)) for result in choose("reference").compile(graph)(arrays)]
    return unflatten(structure, results)


def _spec(array, known):
    return rt.Spec(array.shape if known else (None,) * array.ndim, rt.as_dtype(array.dtype))


def _value(graph, leaf):
    tensor = as_tensor(leaf)
    return tensor.value if isinstance(tensor, Symbol) else graph.constant(tensor.numpy())


@pytest.fixture(scope="session")
def staged():
    return run_staged


@pytest.fixture(scope="session")
def check():
    """`check(function, *arrays, gives=expected)`: eager code and a graph of unknown dims give the array."""

    def run(function, *arrays, gives):
        tensors = [rt.asarray(array) for array in arrays]
        for result in (
            function(*tensors),
            run_staged(function, *arrays),
            run_staged(function, *arrays, known=True),
        ):
            np.testing.assert_array_equal(np.asarray(result), np.asarray(gives), strict=True)

    return run
