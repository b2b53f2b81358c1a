"""Ufuncs of other libraries: `scipy.special.stdtr(tensor)` makes the op, which knows the function by name."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.errors import GraphError
from runtime.ops.facts import NUMERIC, Sample, sharing
from runtime.ops.families import Family
from runtime.ops.promotion import cast_operand, computing_dtypes, promotion_kinds

__all__ = ["ForeignUfunc", "foreign_ufunc"]


class ForeignUfunc(Family):
    """A function of each element that another library wrote for NumPy, found by its name in a module."""

    module: str
    function: str

    accepts = NUMERIC
    samples = (
        Sample((np.array([-8.0, 0.5]),), {"module": "numpy", "function": "cbrt"}),
        Sample((np.array([[1.0, 2.0]]), np.array([3, 4])), {"module": "numpy", "function": "hypot"}),
        Sample((np.array([7, -2]), np.array(3)), {"module": "numpy", "function": "divmod"}),
    )
    why_no_graphdef = "TensorFlow knows no functions of other libraries"
    aliases = sharing()

    @property
    def ufunc(self) -> np.ufunc:
        """The function itself."""
        found = getattr(sys.modules.get(self.module), self.function, None)
        if isinstance(found, np.ufunc):
            return found
        raise GraphError(
            f"`{self.module}.{self.function}` is no function of elements that the program has loaded",
            why="A graph knows a function of another library by its name.",
            way_out=f"Import {self.module} before.",
        )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        dtypes = computing_dtypes(self.ufunc, promotion_kinds(operands))
        return [cast_operand(*pair) for pair in zip(operands, dtypes, strict=False)]

    def infer(self, *operands: ArraySpec) -> ArraySpec | tuple[ArraySpec, ...]:
        dtypes = computing_dtypes(self.ufunc, tuple([spec.dtype for spec in operands]))
        shape = shapes.broadcast(*[spec.shape for spec in operands])
        results = tuple([ArraySpec(shape, dtype) for dtype in dtypes[len(operands) :]])
        return results if len(results) > 1 else results[0]

    def kernel(self, *operands: Array) -> Any:
        return getattr(importlib.import_module(self.module), self.function)(*operands)


def foreign_ufunc(ufunc: np.ufunc) -> ForeignUfunc | None:
    """The op of a ufunc of another library; None where no module has it, or it is none of elements."""
    if ufunc.signature is not None or not any(set(loop) <= _NUMBERS for loop in ufunc.types):
        return None
    name = ufunc.__name__
    homes = [home for home, module in [*sys.modules.items()] if vars(module).get(name) is ufunc]
    return ForeignUfunc(min(homes, key=_by_privacy), name) if homes else None


_NUMBERS = {*"?bhilqBHILQefdgFDG", "-", ">"}
"""The letters of a loop over numbers, in `numpy.ufunc.types`."""


def _by_privacy(module: str) -> tuple[bool, int, str]:
    """Public modules before private ones, short names before long ones."""
    return any(part.startswith("_") for part in module.split(".")), len(module), module
