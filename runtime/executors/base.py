"""The executors that there are, by name."""

from __future__ import annotations

from runtime.errors import InvalidValue
from runtime.executors.automatic import Automatic
from runtime.executors.executor import Executor
from runtime.executors.native.run import Native
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.executors.reference import Reference
from runtime.messages import nearest

__all__ = ["choose", "names", "register"]


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
