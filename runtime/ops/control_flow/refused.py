"""What Python refuses in some runs: the graph raises it where a value says so."""

from __future__ import annotations

from typing import Any, NoReturn

from runtime.graph.build import is_symbolic
from runtime.graph.location import caller_location
from runtime.ops.control_flow import Branches, NoOutcome
from runtime.ops.raising import record

__all__ = ["refused"]


def refused(condition: Any, error: BaseException) -> None:
    """Raises an error of Python's own when the graph runs, at this line, where the condition holds.

    Parameters
    ----------
    condition : bool or Tensor
    error : BaseException
    """
    if not is_symbolic(condition):
        if condition:
            raise error
        return
    line = caller_location()

    def fail() -> NoReturn:
        record(error, line)
        raise NoOutcome

    branches = Branches(condition)
    failed, passed = branches.trace(fail), branches.trace(tuple)
    branches.join(failed, passed, ())
