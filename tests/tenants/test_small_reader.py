"""How little a format of its own needs that is read back: graphs as JSON, control flow included."""

import json

import numpy as np

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.executors.reference import Reference
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.builder import Builder
from runtime.graph.file import digest
from runtime.graph.graph import Graph
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY
from runtime.graph.verify import verify_module


def written(graph):
    """A graph as what JSON has: values are numbered, in the order in which they come up."""
    numbers = {value: number for number, value in enumerate(graph.inputs)}
    nodes = []
    for node in graph.nodes:
        fields = {name: encoded(value) for name, value in node.op.attributes().items()}
        nodes.append([type(node.op).__name__, [numbers[value] for value in node.inputs], fields])
        numbers.update((value, len(numbers)) for value in node.outputs)
    inputs = [[value.op.label, encoded(value.spec)] for value in graph.inputs]
    outputs = [numbers[value] for value in graph.outputs]
    return {"name": graph.name, "inputs": inputs, "nodes": nodes, "outputs": outputs}


def read(text):
    """The graph that was written: the builder infers what each node gives."""
    builder = Builder(text["name"])
    values = [builder.input(decoded(spec), label) for label, spec in text["inputs"]]
    for name, inputs, fields in text["nodes"]:
        op = REGISTRY[name](**{field: decoded(value) for field, value in fields.items()})
        values += builder.add(op, [values[number] for number in inputs]).outputs
    return builder.finish([values[number] for number in text["outputs"]])


def encoded(value):
    """A field: numbers and text as they are, and all else by its kind."""
    match value:
        case Graph():
            return {"graph": written(value)}
        case ArraySpec():
            return {"dtype": value.dtype.name, "shape": list(value.shape)}
        case rt.DType():
            return {"dtype": value.name}
        case np.ndarray():
            return {"array": value.tobytes().hex(), "dtype": value.dtype.name, "shape": list(value.shape)}
        case tuple():
            return {"tuple": [encoded(each) for each in value]}
    return value


def decoded(value):
    match value:
        case {"graph": inner}:
            return read(inner)
        case {"array": data, "dtype": dtype, "shape": shape}:
            return np.frombuffer(bytes.fromhex(data), dtype).reshape(shape)
        case {"dtype": dtype, "shape": shape}:
            return ArraySpec(tuple(shape), rt.as_dtype(dtype))
        case {"dtype": dtype}:
            return rt.as_dtype(dtype)
        case {"tuple": items}:
            return tuple(map(decoded, items))
    return value


def weighted(x, n):
    mean = rt.mean(x, axis=0) * np.array([1.0, 2.0, 4.0])
    return rt.while_loop(
        lambda i, y: i < n,
        lambda i, y: (i + 1, rt.cond(rt.sum(y) > 9.0, lambda: y / 2, lambda: y + mean)),
        (rt.asarray(0), mean),
    )[1]


def test_a_graph_is_the_same_after_it_was_json():
    specs = rt.TensorSpec((2, 3), rt.float64), rt.TensorSpec((), rt.int64)
    module = PolymorphicFunction(weighted).get_concrete_function(*specs).module
    again = Module(read(json.loads(json.dumps(written(module.entry)))))
    verify_module(again)
    assert digest(again) == digest(module)
    arrays = [np.arange(6.0).reshape(2, 3), np.int64(3)]
    (expected,), (found,) = (Reference().compile(each).run(arrays) for each in (module, again))
    assert found.tobytes() == expected.tobytes()
