"""Programs run as graphs, for the tests of ops."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.dims import UNKNOWN
from runtime.core.structure import flatten, unflatten
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import as_tensor, building
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.symbol import Symbol


def run_staged(function, *arguments, known=False):
    """What `function` gives as a graph of `arguments`, whose dims are not known unless `known`."""
    builder = Builder("f")
    arrays = [np.asarray(argument) for argument in arguments]
    with building(builder):
        inputs = [Symbol(builder.input(_spec(array, known))) for array in arrays]
        leaves, structure = flatten(function(*inputs))
        graph = builder.finish([builder.resolve(_value(builder, leaf)) for leaf in leaves])
    results = [
        rt.asarray(np.asarray(result)) for result in choose("reference").compile(Module(graph)).run(arrays)
    ]
    return unflatten(structure, results)


def _spec(array, known):
    return rt.ArraySpec(array.shape if known else (UNKNOWN,) * array.ndim, rt.as_dtype(array.dtype))


def _value(builder, leaf):
    tensor = as_tensor(leaf)
    return tensor.value if isinstance(tensor, Symbol) else builder.constant(tensor.numpy())


def run_everywhere(function, *arguments):
    """What `function` gives at once, and as graphs: of known dims, and of unknown ones on every executor."""
    tensors = [rt.asarray(argument) for argument in arguments]
    yield function(*tensors)
    yield PolymorphicFunction(function)(*tensors)
    unknown = [rt.TensorSpec((None,) * tensor.ndim, tensor.dtype) for tensor in tensors]
    traced = PolymorphicFunction(function, input_signature=unknown)
    traced.get_concrete_function()
    for executor in ("reference", "numpy"):
        yield traced.on_executor(executor)(*tensors)


@pytest.fixture(scope="session")
def everywhere():
    return run_everywhere


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
