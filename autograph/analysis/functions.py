"""Which local functions a call may run."""

from __future__ import annotations

import ast

from autograph.analysis.definitions import Definitions
from autograph.analysis.manager import Analyses, Analysis

__all__ = ["LocalFunctions"]


class LocalFunctions(Analysis):
    """The definitions behind calls by name."""

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(analyses)
        self._definitions = analyses.get(Definitions)

    def reaching(self, call: ast.Call) -> frozenset[ast.AST] | None:
        """The local definitions that a call may run.

        Parameters
        ----------
        call : ast.Call
            In a function's own frame, not in a lambda or comprehension.

        Returns
        -------
        frozenset of ast.FunctionDef or ast.Lambda, or None
            None when the call may run anything else.
        """
        if not isinstance(call.func, ast.Name):
            return None
        bindings = self._definitions.of_read(call.func)
        found = set(map(_function_bound_by, bindings))
        functions = frozenset(function for function in found if function is not None)
        return functions if found and len(functions) == len(found) else None


def _function_bound_by(binding: ast.AST | None) -> ast.AST | None:
    """The function that a binding gives its name to; None when it is no plain function."""
    if isinstance(binding, ast.Assign) and isinstance(binding.value, ast.Lambda):
        return binding.value if all(isinstance(target, ast.Name) for target in binding.targets) else None
    if isinstance(binding, ast.FunctionDef) and not binding.decorator_list:
        return binding
    return None
