"""The executor: compiles a module of core ops to machine code, all of it or none."""

from __future__ import annotations

from runtime.errors import CompileError
from runtime.executors.native import engine
from runtime.executors.native.emit import emit
from runtime.executors.native.entry import entry_of
from runtime.executors.native.loops import Program as Loops
from runtime.executors.native.lower import control, elements, folding, moving
from runtime.executors.native.lower.lowering import Lowering, Shared, Unsupported
from runtime.executors.program import Program, Report, Step
from runtime.graph.graph import Graph, Node
from runtime.graph.module import Module
from runtime.graph.op import Const
from runtime.ops.core import HostCall
from runtime.passes.decompose import decompose

__all__ = ["Native", "lowered"]

_ROOMS = (control, elements, folding, moving)
"""Importing them says how ops are lowered."""


class Native:
    """Runs a module as machine code."""

    name = "native"
    optimises = True
    is_complete = False

    def compile(self, module: Module) -> Program:
        """The program that runs `module`.

        Raises
        ------
        CompileError
            When an op of it only runs in Python, or llvmlite is not installed.
        """
        if not engine.is_there():
            raise CompileError(
                "machine code is made by llvmlite, which is not installed",
                why="It is an extra, because it is large.",
                way_out="Install it: `pip install 'autograph-runtime[native]'`.",
            )
        return _Compiled(module)


def lowered(module: Module) -> Loops:
    """A module in the loop language.

    Raises
    ------
    CompileError
        When an op of it has no form there.
    """
    core = module.mapped(decompose)
    shared = Shared(core)
    try:
        functions = [Lowering(shared).function("function_entry", core.entry)]
        for name in shared.called:  # which may call others
            functions.append(Lowering(shared).function(f"function_{name}", core.functions[name]))  # noqa: PERF401  # the list grows meanwhile
    except Unsupported as unsupported:
        node = unsupported.node
        what = "an argument" if node is None else f"`{_name(node)}`"
        raise CompileError(
            f"{what} of the graph `{module.name}` has no machine code: {unsupported.why}",
            where=None if node is None else node.location,
            why="A graph is compiled as a whole.",
            way_out="Leave out `jit_compile=True`: NumPy runs it. Or keep this line out of the function.",
        ) from None
    shared.program.functions += reversed(functions)
    return shared.program


def _name(node: Node) -> str:
    """The name of an op; of a call of Python, what is called."""
    return node.op.function if isinstance(node.op, HostCall) else node.op.name


class _Compiled(Program):
    """A module as machine code."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._loops = lowered(module)
        symbols = ["ag_entry", "ag_free", *self._loops.constants]
        self._library = engine.compiled(emit(self._loops), symbols)
        self.entry = entry_of(module.entry, self._loops, self._library)

    def report(self) -> Report:
        return Report(self._module.name, Native.name, tuple(_steps(self._module.entry, 0)))

    def source(self) -> str:
        return str(self._loops)

    def llvm_ir(self) -> str:
        """LLVM's code after its own passes."""
        return self._library.llvm_ir

    def assembly(self) -> str:
        """The instructions of the processor."""
        return self._library.assembly


def _steps(graph: Graph, depth: int) -> list[Step]:
    steps: list[Step] = []
    for node in graph.nodes:
        if not isinstance(node.op, Const):
            steps.append(_step(node, depth))
        for inner in node.op.graphs:
            steps += _steps(inner, depth + 1)
    return steps


def _step(node: Node, depth: int) -> Step:
    return Step.of(node, "machine code", depth=depth)
