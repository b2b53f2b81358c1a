"""Replacements for live objects (variables, streams) in a standalone program."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.errors import ExportError
from runtime.executors.numpy_plan.exception_stand_ins import exception_source
from runtime.executors.numpy_plan.literals import Unwritable, literal
from runtime.executors.numpy_plan.program import Plan
from runtime.executors.numpy_plan.texts import text_source
from runtime.graph.graph import Node
from runtime.ops.printing import PrintV2
from runtime.ops.random.streams import SeededStream, Stream
from runtime.ops.variable_ops import AssignAddVariableOp, AssignSubVariableOp, AssignVariableOp
from runtime.variables import Variable

__all__ = ["StandIns"]


class StandIns:
    """Sources for the bound kernels and the live objects of a program.

    Attributes
    ----------
    imports : set of str
        Import statements that the sources need.
    functions : list of str
        A function for each bound kernel.
    objects : list of str
        An assignment for each live object: a variable with the value that it has now, a random stream anew.
    """

    def __init__(self, program: Plan) -> None:
        self.program = program
        self.imports: set[str] = set()
        self.functions = [self._function(name, node) for name, (_, node) in program.callables.items()]
        self.objects = list(self._objects())

    def _function(self, name: str, node: Node) -> str:
        raising = exception_source(name, node, self.program.helpers)
        if raising is not None:
            return raising
        match node.op:
            case AssignVariableOp(variable):
                return self._write(name, variable, "value")
            case AssignAddVariableOp(variable):
                return self._write(name, variable, "{}.array + value")
            case AssignSubVariableOp(variable):
                return self._write(name, variable, "{}.array - value")
            case PrintV2() as op:
                return self._print(name, op, node)
            case op:
                raise ExportError(
                    f"`{op.name}` cannot be written into a standalone program",
                    where=node.location,
                    why="It only works inside this process.",
                    way_out="Leave it out of the function that you export.",
                )

    def _objects(self) -> Iterator[str]:
        for name, live in self.program.helpers.objects.items():
            self.imports.add("from types import SimpleNamespace")
            if isinstance(live, Stream):
                yield f"{name} = SimpleNamespace(bits=np.random.Philox({_start(live)}))"
            elif isinstance(live, Variable):
                yield f"{name} = SimpleNamespace(array={literal(live.array)})"
            else:
                raise ExportError(
                    f"{live!r} cannot be written into a standalone program",
                    why="It only exists in this process.",
                    way_out="Leave what uses it out of the function that you export.",
                )

    def _write(self, name: str, variable: object, value: str) -> str:
        target = self.program.helpers.object(variable)
        return f"def {name}(value):\n    {target}.array = np.asarray({value.format(target)})"

    def _print(self, name: str, op: PrintV2, node: Node) -> str:
        parameters = [f"value_{index}" for index in range(len(node.inputs))]
        if not isinstance(op.stream, str):
            raise ExportError(
                f"what is printed goes to {op.stream.value!r}, which a standalone program cannot hold",
                where=node.location,
                why="It only exists in this process.",
                way_out="Print to `sys.stdout` in the function that you export.",
            )
        target = ""
        if op.stream != "stdout":
            self.imports.add("import sys")
            target = f", file=sys.{op.stream}"
        target += ", flush=True" if op.flush else ""
        specs = [value.spec for value in node.inputs]
        try:
            shown = text_source(op.template, parameters, specs, self.program.helpers)
        except Unwritable as reason:
            raise ExportError(
                "what is printed cannot be written into a standalone program",
                where=node.location,
                why=f"It is text for which there is no expression: {reason}.",
                way_out="Print its parts one by one, or leave it out of the function that you export.",
            ) from None
        return f"def {name}({', '.join(parameters)}):\n    print({shown}, end={op.end!r}{target})"


def _start(stream: Stream) -> str:
    """Where a stream starts in a program: with its seed, anywhere without one, a generator where it is."""
    if not isinstance(stream, SeededStream):
        state = stream.bits.state["state"]
        return f"key={state['key'].tolist()}, counter={state['counter'].tolist()}"
    key = "" if stream.seed is None else f"key=[0, {stream.seed + 1}], "
    return f"{key}counter=[0, 0, 0, 1]"
