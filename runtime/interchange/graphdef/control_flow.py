"""Nodes that hold graphs: these become functions of the library, and variables are handed down to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from runtime.core.dtypes import bool_, int32
from runtime.core.spec import ArraySpec, Spec
from runtime.errors import ExportError
from runtime.graph.graph import Graph, Node, Value
from runtime.interchange.graphdef import attributes as attr
from runtime.interchange.graphdef.body import Body
from runtime.interchange.graphdef.functions import FunctionBody, Library
from runtime.interchange.graphdef.names import argument_name
from runtime.interchange.graphdef.operands import Argument, Operand
from runtime.interchange.messages import Message
from runtime.ops.control_flow import Call, If, While
from runtime.ops.facts import shape_in_graphdef, type_in_graphdef
from runtime.ops.variable_ops import Storage

__all__ = ["StructureWriter"]


class StructureWriter:
    """Writes branches, loops and calls of the graph `top`; their functions go to `library`."""

    def __init__(self, library: Library, top: Graph) -> None:
        self._library = library
        self._calls: dict[int, tuple[str, list[Storage]]] = {}
        self._open = [top]

    def __call__(self, body: Body, node: Node, inputs: list[Operand]) -> Sequence[Operand] | None:
        """The outputs of `node`; None when it holds no graphs."""
        match node.op:
            case If():
                return self._write_if(body, node, node.op, inputs)
            case While():
                return self._write_while(body, node, node.op, inputs)
            case Call():
                return self._write_call(body, node, node.op, inputs)
            case _:
                return None

    # ── if ──

    def _write_if(self, body: Body, node: Node, op: If, inputs: list[Operand]) -> Sequence[Operand]:
        name = body.unique("cond")
        predicate, *captured = inputs
        dtypes = [type_in_graphdef(spec) for spec in node.specs]
        branches = [self._function(graph, _arguments(graph, captured), f"{name}/") for graph in op.graphs]
        variables = _variables_of(branches)
        functions = []
        for branch, graph, suffix in zip(branches, op.graphs, ("true", "false"), strict=True):
            branch.require(variables)
            outputs = [branch.operands[value] for value in graph.outputs]
            made = branch.finish(outputs, dtypes)
            functions.append(self._library.add(f"{argument_name(name)}_{suffix}", made))
        then_branch, else_branch = functions
        written = body.node(
            op.name,
            [predicate, *captured, *map(body.resource, variables)],
            {
                "Tcond": node.inputs[0].dtype,
                "Tin": attr.type_list(argument.dtype for argument in branches[0].arguments),
                "Tout": attr.type_list(dtypes),
                "_lower_using_switch_merge": True,
                "_read_only_resource_inputs": (),
                "else_branch": attr.function(else_branch),
                "output_shapes": attr.shape_list(map(shape_in_graphdef, node.specs)),
                "then_branch": attr.function(then_branch),
            },
            outputs=("output",) * len(dtypes),
            effects=op.effects,
            full_name=name,
        )
        return [
            body.node("Identity", [output], {"T": dtype}, full_name=body.names.unique(f"{name}/Identity"))[0]
            for output, dtype in zip(written, dtypes, strict=True)
        ]

    # ── while ──

    def _write_while(self, body: Body, node: Node, op: While, inputs: list[Operand]) -> Sequence[Operand]:
        """A loop as TensorFlow can differentiate it: a counter and a limit (-1: none) come first."""
        name = body.unique("while")
        count = len(op.body.outputs)
        test = self._loop_function(op.cond, inputs, count, name)
        step = self._loop_function(op.body, inputs, count, name)
        variables = _variables_of([test, step])
        for function in (test, step):
            function.require(variables)
        specs: list[Spec] = [_COUNTER, _COUNTER, *(value.spec for value in node.inputs)]
        types = [argument.dtype for argument in step.arguments]
        shapes = [shape_in_graphdef(spec) for spec in specs] + [()] * len(variables)
        prefix = argument_name(name)
        cond_name = self._library.add(f"{prefix}_cond", _finish_test(test, op.cond))
        body_name = self._library.add(f"{prefix}_body", _finish_step(step, op.body, count))
        start = [np.asarray(0, np.int32), np.asarray(-1, np.int32), *inputs, *map(body.resource, variables)]
        written = body.node(
            op.name,
            start,
            {
                "T": attr.type_list(types),
                "_lower_using_switch_merge": True,
                "_num_original_outputs": len(types),
                "_read_only_resource_inputs": (),
                "body": attr.function(body_name),
                "cond": attr.function(cond_name),
                "output_shapes": attr.shape_list(shapes),
                "parallel_iterations": 10,
            },
            outputs=("output",) * len(types),
            input_names=("loop_counter", "maximum_iterations"),
            effects=op.effects,
            full_name=name,
        )
        return written[2 : 2 + count]

    def _loop_function(self, graph: Graph, inputs: Sequence[Operand], count: int, name: str) -> FunctionBody:
        scope = argument_name(name)
        leading = [
            Argument(label, _COUNTER, f"{scope}_while_{label}")
            for label in ("loop_counter", "maximum_iterations")
        ]
        arguments = _arguments(graph, inputs)
        for argument in arguments[:count]:
            argument.name = f"{scope}_placeholder"
        return self._function(graph, arguments, f"{name}/", leading)

    # ── call ──

    def _write_call(self, body: Body, node: Node, op: Call, inputs: list[Operand]) -> Sequence[Operand]:
        function, variables = self._callee(node, op.graph)
        dtypes = [type_in_graphdef(spec) for spec in node.specs]
        types = [type_in_graphdef(value.spec) for value in node.inputs]
        types += [attr.RESOURCE] * len(variables)
        return body.node(
            op.name,
            [*inputs, *map(body.resource, variables)],
            {
                "Tin": attr.type_list(types),
                "Tout": attr.type_list(dtypes),
                "_read_only_resource_inputs": (),
                "config": "",
                "config_proto": "",
                "executor_type": "",
                "f": attr.function(function),
            },
            outputs=("output",) * len(dtypes),
            effects=op.effects,
        )

    def _callee(self, node: Node, graph: Graph) -> tuple[str, list[Storage]]:
        """The function of a called graph, written once however often it is called."""
        found = self._calls.get(id(graph))
        if found is None:
            if graph in self._open:
                raise ExportError(
                    f"`{graph.name}` calls itself",
                    where=node.location,
                    why="TensorFlow has no recursive functions.",
                    way_out="Write the recursion as a loop, or leave it out of the exported function.",
                )
            arguments = [
                Argument(label, value.spec, argument_name(label))
                for value, label in zip(graph.inputs, _labels(graph.inputs), strict=True)
            ]
            function = self._function(graph, arguments, "")
            variables = _variables_of([function])
            outputs = [function.operands[value] for value in graph.outputs]
            made = function.finish(outputs, [type_in_graphdef(spec) for spec in graph.output_specs])
            name = self._library.add(f"__inference_{argument_name(graph.name)}", made)
            found = self._calls[id(graph)] = name, variables
        return found

    def _function(
        self, graph: Graph, arguments: Sequence[Argument], scope: str, leading: Sequence[Argument] = ()
    ) -> FunctionBody:
        self._open.append(graph)
        function = FunctionBody(graph, arguments, scope, self, leading)
        self._open.pop()
        return function


_COUNTER = ArraySpec((), int32)


def _labels(values: Iterable[Value]) -> list[str]:
    return [getattr(value.op, "label", "arg") for value in values]


def _arguments(graph: Graph, outer: Sequence[Operand]) -> list[Argument]:
    """An argument for each input of `graph`, labelled after what comes in."""
    return [Argument(operand.label, value.spec) for value, operand in zip(graph.inputs, outer, strict=True)]


def _variables_of(functions: Sequence[FunctionBody]) -> list[Storage]:
    """The variables that any of the functions uses."""
    merged = {key: variable for each in functions for key, (variable, _) in each.resources.items()}
    return list(merged.values())


def _finish_test(function: FunctionBody, graph: Graph) -> Message:
    return function.finish([function.operands[value] for value in graph.outputs], [bool_])


def _finish_step(function: FunctionBody, graph: Graph, count: int) -> Message:
    counter, limit, *rest = function.arguments
    one = np.asarray(1, np.int32)
    (next_counter,) = function.node(
        "AddV2", [counter, one], {"T": int32}, outputs=("z",), input_names=("x", "y"), name="add"
    )
    outputs = [next_counter, limit, *(function.operands[value] for value in graph.outputs)]
    dtypes = [int32, int32, *(type_in_graphdef(value.spec) for value in graph.outputs)]
    return function.finish(outputs, dtypes, passed=rest[count:])
