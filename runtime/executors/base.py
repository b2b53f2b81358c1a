"""`Executor`: what makes a graph ready to run, and the list of those there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from runtime.errors import InvalidValue
from runtime.executors.automatic import Automatic
from runtime.executors.native.run import Native
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.executors.program import Program, Report
from runtime.executors.reference import Reference
from runtime.graph.module import Module
from runtime.messages import nearest

__all__ = ["Executor", "Lends", "Program", "Report", "choose", "names", "register"]


class Executor(Protocol):
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

    def compile(self, module: Module) -> Program:
        """The program that runs `module`.

        It takes the arrays of ``module.entry.inputs`` in order and returns those of ``module.entry.outputs``,
        each a NumPy array or scalar of the dtype that the graph says; it changes none of its arguments, and
        threads may run it at the same time.
        """
        ...


@runtime_checkable
class Lends(Protocol):
    """An executor whose programs may write into arrays where the caller has them."""

    def compile_lending(self, module: Module, written: Sequence[int]) -> Program:
        """As `Executor.compile`: the last outputs of the entry say what these inputs hold in the end.

        The quicker way in of the program may then write into them; its `entry` does not.
        """
        ...


_executors: dict[str, Executor] = {
    executor.name: executor for executor in (Automatic(), NumPyPlan(), Reference(), Native())
}
_DEFAULT = Automatic.name


def register(executor: Executor) -> None:
    """Adds an executor, or replaces the one of the same name.

    Parameters
    ----------
    executor : Executor

    Raises
    ------
    InvalidValue
        When it lacks something that every executor has.
    """
    wanted = ("name", "compile", "optimises", "is_complete")
    missing = [each for each in wanted if not hasattr(executor, each)]
    if missing or isinstance(executor, type):
        raise InvalidValue(
            f"{executor!r} is not an executor",
            why=f"It has no {' and no '.join(f'`{each}`' for each in missing)}."
            if missing
            else "It is a class, and an object of it runs graphs.",
            way_out="docs/house.md shows one of twenty lines.",
        )
    _executors[executor.name] = executor


def names() -> list[str]:
    """What the executors are called that run every graph; the one that chooses among them is left out."""
    return [name for name, executor in _executors.items() if executor.is_complete and name != _DEFAULT]


def choose(name: str | None = None) -> Executor:
    """The executor called `name`.

    Parameters
    ----------
    name : str, optional
        ``"auto"`` by default: machine code, ``"native"``, where that gains and gives the same bits, or else a
        NumPy program, ``"numpy"``. ``"reference"`` runs the graph op by op.

    Raises
    ------
    ValueError
        When there is none of that name.
    """
    wanted = _DEFAULT if name is None else name
    if not isinstance(wanted, str) or wanted not in _executors:
        near = nearest(str(wanted), _executors)
        meant = f"Did you mean {near!r}? " if near else ""
        raise InvalidValue(
            f"there is no executor called {name!r}",
            why=f"There are {', '.join(sorted(_executors))}.",
            way_out=f"{meant}Name one of them, or leave it out: the fastest is taken.",
        )
    return _executors[wanted]
