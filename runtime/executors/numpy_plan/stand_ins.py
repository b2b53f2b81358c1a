"""What a standalone program has in place of kernels that work on live objects: variables, printing."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.errors import ExportError
from runtime.executors.numpy_plan.literals import literal
from runtime.executors.numpy_plan.program import Program
from runtime.graph.graph import Node
from runtime.ops.printing import PrintV2
from runtime.ops.variable_ops import (
    AssignAddVariableOp,
    AssignSubVariableOp,
    AssignVariableOp,
    ReadVariableOp,
    Storage,
)

__all__ = ["StandIns"]


class StandIns:
    """Sources for the bound kernels of a program.

    Attributes
    ----------
    modules : set of str
        Modules of the standard library that the sources use.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.modules: set[str] = set()
        self._variables: dict[int, tuple[str, Storage]] = {}
        self._sources = [self._source(name, node) for name, (_, node) in program.callables.items()]

    def sources(self) -> list[str]:
        """A function for each bound kernel."""
        return self._sources

    def variables(self) -> Iterator[str]:
        """An assignment for each variable, of the value that it has now."""
        for name, variable in self._variables.values():
            yield f"{name} = {literal(variable.array)}  # a variable"

    def _source(self, name: str, node: Node) -> str:
        match node.op:
            case ReadVariableOp(variable):
                return f"def {name}():\n    return {self._variable(variable)}"
            case AssignVariableOp(variable):
                return self._write(name, variable, "value")
            case AssignAddVariableOp(variable):
                return self._write(name, variable, f"{self._variable(variable)} + value")
            case AssignSubVariableOp(variable):
                return self._write(name, variable, f"{self._variable(variable)} - value")
            case PrintV2() as op:
                return self._print(name, op, len(node.inputs))
            case op:
                raise ExportError(
                    f"`{op.name}` only works inside this process, so a standalone program cannot hold it\n\n"
                    f"{node.location.describe()}\n\nLeave it out of the function that you export."
                )

    def _variable(self, variable: Storage) -> str:
        if id(variable) not in self._variables:
            self._variables[id(variable)] = self.program.global_name(variable.name), variable
        return self._variables[id(variable)][0]

    def _write(self, name: str, variable: Storage, value: str) -> str:
        target = self._variable(variable)
        return f"def {name}(value):\n    global {target}\n    {target} = {value}"

    def _print(self, name: str, op: PrintV2, count: int) -> str:
        parameters = [f"value_{index}" for index in range(count)]
        text = op.text([f"\0{name}\1" for name in parameters])
        escaped = text.replace("{", "{{").replace("}", "}}").replace("\0", "{").replace("\1", "}")
        shown = f"f{escaped!r}" if parameters else repr(text)
        target = ""
        if op.stream != "stdout":
            self.modules.add("sys")
            target = f", file=sys.{op.stream}"
        return f"def {name}({', '.join(parameters)}):\n    print({shown}, end={op.end!r}{target}, flush=True)"
