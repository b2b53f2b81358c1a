"""`Executor`: one way to run modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from runtime.executors.program import Program
from runtime.graph.module import Module

__all__ = ["Compiler", "Executor", "Lends"]


class Compiler(Protocol):
    """Something that compiles modules."""

    def compile(self, module: Module) -> Program:
        """The program that runs `module`.

        It takes the arrays of ``module.entry.inputs`` in order and returns those of ``module.entry.outputs``,
        each a NumPy array or scalar of the dtype that the graph says; it changes none of its arguments, and
        threads may run it at the same time.
        """
        ...


class Executor(Compiler, Protocol):
    """One way to run modules.

    Attributes
    ----------
    name : str
        What `choose` calls it.
    optimises : bool
        Whether functions give it what the passes made of them, or what was traced: an oracle for the passes.
    is_complete : bool
        Whether it runs every graph wherever it is, or refuses some, or wants what is not always installed.
    """

    name: str
    optimises: bool
    is_complete: bool


@runtime_checkable
class Lends(Protocol):
    """An executor whose programs may write into arrays where the caller has them."""

    def compile_lending(self, module: Module, written: Sequence[int]) -> Program:
        """As `Compiler.compile`: the last outputs of the entry say what these inputs hold in the end.

        The quicker way in of the program may then write into them; its `entry` does not.
        """
        ...
