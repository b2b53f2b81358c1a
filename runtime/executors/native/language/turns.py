"""Which loops may have many turns, so that LLVM's time for vectors is well spent.

Those over lists that the program makes longer one by one have few next to what it took to make them; so have
those whose turns are known to be few. Only how long LLVM takes depends on it.
"""

from __future__ import annotations

import numpy as np

from runtime.core.dtypes import bool_
from runtime.executors.native.language.loops import (
    Apply,
    Cast,
    Expression,
    For,
    Function,
    If,
    Number,
    Rows,
    Set,
    Try,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changed_by, inside

__all__ = ["Turns"]

_FEW = 32


class Turns:
    """Which loops of a function may have many turns.

    A number that begins with a small one, and goes on from there in such steps, is small: so are the lengths
    of lists that the function makes.

    Parameters
    ----------
    function : Function
    """

    def __init__(self, function: Function) -> None:
        values: dict[str, list[Expression]] = {}
        others = {each.name for each in function.parameters}
        for each in inside(function.body):
            if isinstance(each, Set):
                values.setdefault(each.variable.name, []).append(each.value)
            elif not isinstance(each, For | While | Rows | If | Try):  # what is in them comes by itself
                others.update(changed_by([each]))
        self._counted = values.keys() - others
        while gone := {name for name in self._counted if not all(map(self._is_counted, values[name]))}:
            self._counted -= gone

    def may_be_many(self, count: Expression) -> bool:
        """Whether a loop with so many turns may have many."""
        if isinstance(count, Number):
            return count.value > _FEW
        return not self._is_counted(count)

    def _is_counted(self, value: Expression) -> bool:
        match value:
            case Number(number):
                return not isinstance(number, complex | np.complexfloating) and number <= _FEW
            case Variable(name):
                return name in self._counted
            case Cast(of, _):
                return self._is_counted(of)
            case Apply("subtract", (one, _)):
                return self._is_counted(one)
            case Apply("minimum", (one, other)):
                return self._is_counted(one) or self._is_counted(other)
            case Apply("add" | "maximum", (one, other)):
                return self._is_counted(one) and self._is_counted(other)
            case Apply("select", (_, one, other)):
                return self._is_counted(one) and self._is_counted(other)
            case Apply(_, _, dtype):
                return dtype is bool_
        return False
