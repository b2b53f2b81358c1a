"""Concrete functions as libraries for programs in C."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from runtime.core.spec import ListSpec, Spec
from runtime.core.structure import leaf_paths
from runtime.core.tensor import Tensor
from runtime.errors import CompileError, InvalidValue
from runtime.executors.native.c_library.build import Names, build
from runtime.executors.native.c_library.files import kind_of
from runtime.executors.native.c_library.interface import checked_name
from runtime.executors.native.llvm.processors import CPUS
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.trace import OUTPUT
from runtime.graph.build import building, value_in
from runtime.graph.builder import Builder
from runtime.graph.dim_names import DimNames
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.ops.variable_ops import (
    AssignAddVariableOp,
    AssignSubVariableOp,
    AssignVariableOp,
    ReadVariableOp,
)
from runtime.passes.pipeline import optimise
from runtime.passes.rebuild import inline, target
from runtime.passes.rule import Rule, Rules, rewrite

__all__ = ["write_library"]


def write_library(
    concrete: ConcreteFunction,
    path: str | PathLike[str],
    *,
    header: bool,
    name: str | None,
    cpu: str,
    freeze: bool,
) -> tuple[Path, ...]:
    """Writes the library that `ag.compile_library` describes."""
    place = Path(path)
    kind_of(place)
    function = checked_name(name or "", concrete.name)
    if cpu not in CPUS:
        raise InvalidValue(
            f"there is no code for the processor {cpu!r}",
            why=f"It is made for one of {', '.join(map(repr, CPUS))}.",
            way_out="Leave it out: such code runs on every processor of this kind.",
        )
    trace = concrete.trace
    if trace.captures or trace.effects is not None or trace.changes_outside or trace.written.unknown:
        raise CompileError(
            f"{concrete.name}() cannot be a library for C: it changes what is outside of it",
            why="Such a function has nothing outside of it but its arguments.",
            way_out="Return what it shall be, and let the program keep it.",
        )
    outside = concrete.loaded()
    if outside is None:
        raise concrete.changed_outside()
    _require_closed(concrete, freeze=freeze)
    module = _frozen(concrete, outside) if freeze else concrete.module
    inputs = [
        own for leaf, own in zip(concrete.key.leaves, concrete.paths, strict=True) if isinstance(leaf, Spec)
    ]
    paths = leaf_paths(trace.structure, _RESULT)
    returned = [own for leaf, own in zip(trace.leaves, paths, strict=True) if leaf is OUTPUT]
    outputs = [_named(own, spec) for own, spec in zip(returned, concrete.graph.output_specs, strict=False)]
    names = Names(function, tuple(inputs), tuple(outputs), trace.written.inputs)
    title = f"{concrete.pretty_printed_signature().splitlines()[0]} as a graph, compiled by autograph."
    return build(optimise(module), place, names, title, cpu=cpu, has_header=header)


_RESULT = "result"


def _named(path: str, spec: Spec) -> str:
    """What a result is called: by its key or its attribute, where it has one."""
    if isinstance(spec, ListSpec):
        path = path.removesuffix("[0]")  # of its elements
    inside = path.removeprefix(_RESULT)
    return inside if inside.startswith(("['", ".")) else path


def _require_closed(concrete: ConcreteFunction, *, freeze: bool) -> None:
    """Refuses what reads values outside of the function, unless these are frozen, and what changes them."""
    way_out = "Freeze them, so that they are constants: `freeze=True`; or give them as arguments."
    for graph in concrete.module.graphs():
        for inner in graph.walk():
            for node in inner.nodes:
                if isinstance(node.op, AssignVariableOp | AssignAddVariableOp | AssignSubVariableOp):
                    raise CompileError(
                        f"{concrete.name}() changes the variable `{node.op.variable.name}`",
                        where=node.location,
                        why="It lives in this process, and a library keeps nothing from call to call.",
                        way_out="Return its new value, and give it as an argument to the next call.",
                    )
                if isinstance(node.op, ReadVariableOp) and not freeze:
                    raise CompileError(
                        f"{concrete.name}() reads the variable `{node.op.variable.name}`",
                        where=node.location,
                        why="It lives in this process.",
                        way_out=way_out,
                    )
    read = [each.place.name for each in concrete.trace.inputs]
    if read and not freeze:
        raise CompileError(
            f"{concrete.name}() reads `{read[0]}`, which is outside of it",
            why="It lives in this process.",
            way_out=way_out,
        )


def _frozen(concrete: ConcreteFunction, outside: Sequence[Tensor]) -> Module:
    """The module of a function, with the values that it reads outside as they are now."""
    module = concrete.module
    entry = _with_constants(module.entry, outside) if outside else module.entry
    functions = {name: entry if each is module.entry else each for name, each in module.functions.items()}
    return Module(entry, functions).mapped(lambda graph: rewrite(graph, _READS))


def _with_constants(graph: Graph, values: Sequence[Tensor]) -> Graph:
    """A graph whose last inputs have values."""
    new = Builder(graph.name)
    new.dim_names = DimNames(of=graph)
    with building(new):
        left = graph.inputs[: len(graph.inputs) - len(values)]
        given: list[Value] = [new.input(each.spec, each.label(), each.node.location) for each in left]
        given += [value_in(new, value) for value in values]
        outputs = inline(graph, given)
    return new.finish(outputs)


def _value_now(node: Node) -> Sequence[Value]:
    assert isinstance(node.op, ReadVariableOp), "the rule is tried on these"
    return [value_in(target(), Tensor(node.op.variable.array))]


_READS = Rules({ReadVariableOp: [Rule("freeze", (ReadVariableOp,), _value_now)]})
