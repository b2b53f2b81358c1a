"""Functions of the standard library that C runs, as the Python that stands beside it in their modules.

`heapq.heappush` is a function of C. Its module says the same in Python, for interpreters without that one;
converted, it takes lists that grow and items that only a run compares.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

from autograph.staging.dispatch import Backends

__all__ = ["MARK", "MODULES", "ORDERING", "holds_values", "python_twin"]

MODULES: Mapping[str, str] = {"_bisect": "bisect", "_functools": "functools", "_heapq": "heapq"}
"""The module in C, and the one in Python."""

ORDERING = frozenset({"bisect", "heapq"})
"""Modules that compare what they are given with `<`, and ask for nothing else of it."""

MARK = "__is_twin__"
"""A global of the modules that are made here: their functions are converted."""


def python_twin(callee: Any) -> FunctionType | None:
    """The function in Python that does what one in C does.

    Parameters
    ----------
    callee : callable

    Returns
    -------
    function or None
    """
    module = MODULES.get(getattr(callee, "__module__", None) or "")
    found = None if module is None else _module(module).get(callee.__name__)
    return found if isinstance(found, FunctionType) else None


def holds_values(backends: Backends, values: Any) -> bool:
    """Whether a value of a backend is among these, or in a list or tuple among them."""
    return any(
        backends.owned[type(value)] or (type(value) in {list, tuple} and holds_values(backends, value))
        for value in values
    )


@cache
def _module(name: str) -> dict[str, Any]:
    """What a module defines without its part in C, which it imports in a `try`."""
    spec = find_spec(name)
    assert spec is not None, "it is the standard library's"
    assert spec.origin is not None, "and has a file"
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    tree.body = [statement for statement in tree.body if not isinstance(statement, ast.Try)]
    space: dict[str, Any] = {"__name__": name, "__file__": spec.origin, MARK: True}
    exec(compile(tree, spec.origin, "exec"), space)  # noqa: S102  # the text of the standard library
    return space
