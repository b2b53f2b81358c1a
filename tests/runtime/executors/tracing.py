"""A Python function as a graph, without AutoGraph."""

import inspect

from runtime.core.structure import flatten
from runtime.graph.build import as_tensor, building
from runtime.graph.builder import Builder
from runtime.graph.symbol import Symbol


def traced(function, *specs):
    """The graph of `function` for arguments of these specs; it returns one tensor or several."""
    builder = Builder(function.__name__)
    names = inspect.signature(function).parameters
    arguments = [Symbol(builder.input(spec, name)) for spec, name in zip(specs, names, strict=True)]
    with building(builder):
        results, _ = flatten(function(*arguments))
        tensors = [as_tensor(result) for result in results]
        graph = builder.finish(
            [
                builder.resolve(tensor.value)
                if isinstance(tensor, Symbol)
                else builder.constant(tensor._array)
                for tensor in tensors
            ]
        )
    return graph
