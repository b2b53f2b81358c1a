"""Checks that raise when the graph runs."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from runtime.core.spec import Spec
from runtime.core.tensor import Array, TensorLike
from runtime.errors import CheckFailed
from runtime.graph.build import bind
from runtime.graph.op import Effects, Op

__all__ = ["Assert", "check"]


class Assert(Op):
    """Raises unless every element of its first input is true."""

    message: str
    input_names: ClassVar[tuple[str, ...]] = ("condition", "data")

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, condition: Spec, *data: Spec) -> tuple[Spec, ...]:
        del condition, data
        return ()

    def kernel(self, condition: Any, *data: Any) -> tuple[Array, ...]:
        if not np.all(condition):
            shown = "".join(f"\n  {value}" for value in data)
            raise CheckFailed(f"{self.message}{shown}")
        return ()


def check(condition: TensorLike, message: str = "", *data: TensorLike) -> None:
    """Raises unless every element of `condition` is true; in a graph, whenever it runs.

    Parameters
    ----------
    condition : Tensor of bool, any shape
    message : str
    *data : Tensor
        Values that the error shows below the message.

    Raises
    ------
    CheckFailed
        Which is an `AssertionError`.

    Notes
    -----
    GraphDef "Assert". Never pruned from a graph.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.check(rt.asarray([1, 2]) > 0, "must be positive")
    """
    bind(Assert(message), condition, *data)
