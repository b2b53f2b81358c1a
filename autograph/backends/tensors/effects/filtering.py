"""`warnings.catch_warnings` in a trace: what its block ignores, the graph does not warn of, either."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.staging.context import staging
from autograph_base.named_tuple import NamedTuple
from runtime.core.tracing import tracing
from runtime.errors import GraphError
from runtime.graph.location import caller_location, is_users_file

__all__ = ["filtered_by", "is_ignored"]

_NUMPYS = {
    "divide": "divide by zero encountered in divide",
    "over": "overflow encountered in multiply",
    "under": "underflow encountered in multiply",
    "invalid": "invalid value encountered in sqrt",
}
"""What NumPy's warnings begin with, by the name that `np.errstate` has for them."""


class _Filter(NamedTuple):
    """What is done with some warnings; `message` is a pattern that their text begins with."""

    action: str
    message: str
    category: type[Warning]

    def fits(self, text: Any, category: type[Warning]) -> bool:
        """Whether the filter applies to a warning."""
        if not issubclass(category, self.category):
            return False
        if self.message and not isinstance(text, str):
            _refuse("a filter asks for the text of a warning, which holds a value of the graph,")
        return not self.message or re.match(self.message, text, re.IGNORECASE) is not None


def filtered_by(callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Callable[[], Any] | None:
    """What stands in a trace for a call that sets filters of warnings; None for the call itself.

    What a library records, or has raised, is what it warns of itself while it is traced.

    Raises
    ------
    GraphError
        Where the program has warnings recorded, or raised: they come when the graph runs.
    """
    given = inspect.signature(callee).bind(*args, **kwargs)
    given.apply_defaults()
    asked = given.arguments
    action = asked.get("action")
    if asked.get("record") or action == "error":
        if not is_users_file(caller_location().filename):
            return None
        _refuse("warnings are recorded" if asked.get("record") else "warnings are to be raised")
    if callee is warnings.catch_warnings:
        return lambda: _Filtering(**asked)
    if staging.filters is not None and not (asked.get("module") or asked.get("lineno")):
        if callee is warnings.resetwarnings:
            staging.filters = ()
        else:
            _add(_Filter(action or "", asked.get("message", ""), asked["category"]), last=asked["append"])
    return None


def _refuse(what: str) -> Any:
    raise GraphError(
        f"{what} in a function that becomes a graph",
        where=caller_location(),
        why="Warnings come when the graph runs, and now the graph is traced.",
        way_out="Put `with warnings.catch_warnings(…):` around the call of the function; for errors of "
        'floats, write `with np.errstate(all="raise"):`.',
    )


def _add(new: _Filter, *, last: bool) -> None:
    before = staging.filters or ()
    staging.filters = (*before, new) if last else (new, *before)
    told, loud = dict(tracing.told), {**np.geterr()}
    for kind, text in _NUMPYS.items():
        is_raised = "raise" in {told.get(kind), loud.get(kind)}  # whatever the filters say
        if not is_raised and _decided(text, RuntimeWarning) == "ignore":
            told[kind] = "ignore"
    tracing.told = tuple(told.items())


def _decided(text: Any, category: type[Warning]) -> str:
    """What the filters say of a warning; nothing where none of them fits."""
    return next((each.action for each in staging.filters or () if each.fits(text, category)), "")


def is_ignored(message: Any, category: type[Warning] | None = None, *_: Any, **__: Any) -> bool:
    """Whether the block around a call of `warnings.warn` ignores what that warns of, given its arguments."""
    if isinstance(message, Warning):
        return _decided(str(message), type(message)) == "ignore"
    return _decided(message, category or UserWarning) == "ignore"


class _Filtering(warnings.catch_warnings):
    """A block whose filters hold for what is traced inside, whenever that runs."""

    def __init__(self, **asked: Any) -> None:
        super().__init__(**asked)
        self._asked = asked

    def __enter__(self) -> None:
        super().__enter__()
        self._told = tracing.told
        self._outer = staging.filters
        staging.filters = self._outer or ()
        if self._asked.get("action"):
            new = _Filter(self._asked["action"], "", self._asked["category"])
            _add(new, last=self._asked["append"])

    def __exit__(self, *raised: Any) -> None:
        staging.filters = self._outer
        tracing.told = self._told
        super().__exit__(*raised)
