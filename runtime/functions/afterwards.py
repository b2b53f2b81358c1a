"""What is said behind a trace, and what is run behind a graph that has raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.printed import without_first
from runtime.functions.bound import Result
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.reads import functions_behind, names_of
from runtime.functions.signature import Arguments
from runtime.functions.trace_warnings import check_leaks, check_nodes, give_notices, warn_of_lost_changes
from runtime.functions.written import NotRun, Stopped
from runtime.ops.refused_calls import as_plain_python

__all__ = ["look_back", "run_plainly"]


def look_back(concrete: ConcreteFunction, function: Callable[..., Any], arguments: Arguments) -> None:
    """Warns of what the trace left outside, and of what it made of the function."""
    names = [name for each in functions_behind(function) for name in names_of(each)]
    check_leaks(concrete.trace, names, list(zip(arguments.paths, arguments.leaves, strict=True)))
    check_nodes(concrete.graph)
    give_notices(concrete.trace.notices)


def run_plainly(
    concrete: ConcreteFunction,
    function: Callable[..., Result],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    stopped: Stopped,
) -> Result:
    """A call as plain Python, where its graph has raised: the world is as it was before the call.

    It raises what Python raises, and leaves what Python leaves. What the graph has printed is not printed
    once more.
    """
    if not (concrete.may_run_again or isinstance(stopped, NotRun)):
        warn_of_lost_changes(concrete.name, stopped.error)
        raise stopped.error from None
    with concrete.on_arrays(), without_first(stopped.printed), as_plain_python(once_more=True):
        return function(*args, **kwargs)
