"""Adds the user's line to errors of a run: in the message of ours, as a note on Python's own.

A kernel that meets shapes that do not fit raises what NumPy says of them. The op says it better: what `check`
raises of the shapes that are there now is what it would have raised of them in a trace.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph_base.dataclass import dataclass
from runtime.core.instances import set_own
from runtime.core.spec import Spec
from runtime.errors import Error, as_ours
from runtime.graph.graph import Node
from runtime.graph.location import UNKNOWN, Location
from runtime.graph.op import Op
from runtime.ops.host import called
from runtime.ops.raising import Raise, Reraise

__all__ = ["as_told", "located", "refuses"]

_OPENING = "while the graph ran this line:"


@dataclass(frozen=True)
class _Running:
    """The line of a node that was running."""

    location: Location

    def describe(self) -> str:
        return f"{_OPENING}\n{self.location.describe()}"


def located(error: Exception, node: Node | None, specs: Sequence[Spec] | None = None) -> Exception:
    """The error to raise for what `node` raised: of our own type where a kernel met an index or a shape.

    `specs` are those of the operands in this run, where they are known.

    It says the user's file and line, unless a graph further in has already said it. A message that is
    Python's or the user's own stays as it is, and a note says the line. An exception that the program raises
    keeps its type, too.
    """
    if _is_located(error):
        return error
    raised = _is_raised(error)
    if node is not None and specs is not None and not raised:
        error = _explained(error, node.op, specs)
    error = as_told(error)
    says_line = raised and isinstance(error, Error) and error.where is not None
    if node is None or node.location == UNKNOWN or says_line:
        return error
    running = _Running(node.location)
    if isinstance(error, Error) and not error.verbatim and not raised:
        error.where = running
    else:
        set_own(error, "__notes__", [*getattr(error, "__notes__", ()), running.describe()])
    return error


def _explained(error: Exception, op: Op, specs: Sequence[Spec]) -> Exception:
    """What `op` says of operands whose shapes or values do not fit; else the error as it is."""
    if isinstance(error, Error) or not isinstance(error, (ValueError, IndexError, TypeError)):
        return error
    ours = refuses(op, specs)
    return error if ours is None else ours.with_traceback(error.__traceback__)


def refuses(op: Op, specs: Sequence[Spec]) -> Error | None:
    """What an op says of operands of these specs, where they do not fit."""
    try:
        op.check(*specs)
    except Error as error:
        return error
    return None


def as_told(error: Exception) -> Exception:
    """The error that a program is told of: what NumPy raised as one of ours, what it raised as it is."""
    return error if _is_raised(error) else as_ours(error)


def _is_raised(error: Exception) -> bool:
    """Whether it is an exception of the program's own, or of a function that the program calls."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and trace.tb_frame.f_code is not called.__code__:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code in _RAISING


_RAISING = {Raise.kernel.__code__, Reraise.kernel.__code__, called.__code__}


def _is_located(error: Exception) -> bool:
    if isinstance(error, Error) and isinstance(error.where, _Running):
        return True
    return any(str(note).startswith(_OPENING) for note in getattr(error, "__notes__", ()))
