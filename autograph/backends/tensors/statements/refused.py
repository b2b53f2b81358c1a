"""What Python refuses in some runs: the graph raises it where a value says so."""

from __future__ import annotations

from typing import Any

from runtime.graph.build import is_symbolic
from runtime.ops.control_flow import failing

__all__ = ["refused"]


def refused(condition: Any, error: BaseException) -> None:
    """Raises an error of Python's own when the graph runs, at this line, where the condition holds.

    Parameters
    ----------
    condition : bool or Tensor
    error : BaseException
    """
    if is_symbolic(condition):
        failing.fail_where(condition, error)
    elif condition:
        raise error
