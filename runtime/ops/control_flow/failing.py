"""What raises in some runs: where a value of the graph says so."""

from __future__ import annotations

from typing import NoReturn

from runtime.core.tensor import Tensor
from runtime.graph.location import caller_location
from runtime.ops.control_flow import Branches, NoOutcome
from runtime.ops.raising import record

__all__ = ["fail_where"]


def fail_where(condition: Tensor, error: BaseException) -> None:
    """Raises an error of Python's own when the graph runs, at this line, where the condition holds.

    Parameters
    ----------
    condition : Tensor of bool, shape ()
    error : BaseException
    """
    line = caller_location()

    def fail() -> NoReturn:
        record(error, line)
        raise NoOutcome

    branches = Branches(condition)
    failed, passed = branches.trace(fail), branches.trace(tuple)
    branches.join(failed, passed, ())
