"""Which local functions a call may run."""

from __future__ import annotations

import gast

from autograph.analysis.definitions import Definitions
from autograph.analysis.manager import Analyses, Analysis

__all__ = ["LocalFunctions"]


class LocalFunctions(Analysis):
    """The definitions behind calls by name."""

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self._definitions = analyses.get(Definitions)

    def reaching(self, call: gast.Call) -> frozenset[gast.AST] | None:
        """The local definitions that a call may run.

        Parameters
        ----------
        call : gast.Call
            In a function's own frame, not in a lambda or comprehension.

        Returns
        -------
        frozenset of gast.FunctionDef or gast.Lambda, or None
            None when the call may run anything else.
        """
        if not isinstance(call.func, gast.Name):
            return None
        bindings = self._definitions.of_read(call.func)
        found = frozenset(map(_function_bound_by, bindings))
        return None if not found or None in found else found


def _function_bound_by(binding: gast.AST | None) -> gast.AST | None:
    """The function that a binding gives its name to; None when it is no plain function."""
    if isinstance(binding, gast.Assign) and isinstance(binding.value, gast.Lambda):
        return binding.value if all(isinstance(target, gast.Name) for target in binding.targets) else None
    if isinstance(binding, gast.FunctionDef) and not binding.decorator_list:
        return binding
    return None
