"""The check in front of a value that may be missing: a variable without a value, or None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import StateDisagrees
from runtime.graph.build import bind_all
from runtime.graph.op import Effects, Failures, Op
from runtime.ops.core import check, escaped
from runtime.ops.facts import STRING, GraphDefBuilder, GraphDefTensor, Sample

__all__: list[str] = []  # for backends of AutoGraph, and no part of the namespace

ERRORS: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        *(AttributeError, IndexError, NameError, TypeError, UnboundLocalError, ValueError),
        StateDisagrees,
    )
}
"""What is raised when a value is used that is missing; `StateDisagrees` where Python would have it."""


class Require(Op):
    """Raises unless its input is true: a value that is about to be used is missing."""

    error: str
    message: str
    input_names: ClassVar[tuple[str, ...]] = ("valid",)
    samples = (
        Sample((np.array(True),), {"error": "TypeError", "message": "x is None"}),
        Sample((np.array(False),), {"error": "NameError", "message": "x has no value"}, NameError),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, valid: ArraySpec) -> tuple[ArraySpec, ...]:
        del valid
        return ()

    def raises(self, *specs: ArraySpec) -> Failures:
        failures: Failures = frozenset([ERRORS[self.error]])
        return failures if specs[0].shape == () else failures | {ValueError}

    def kernel(self, valid: Any) -> tuple[Array, ...]:
        if not valid:
            raise ERRORS[self.error](self.message)
        return ()

    def decompose(self, valid: Tensor) -> tuple[Tensor, ...]:
        check(valid, self.error, escaped(self.message))
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del specs
        builder.effect("Assert", [*inputs, builder.text(self.message)], T=[STRING], summarize=-1)
        return []


def require(valid: TensorLike, error: type[Exception], message: str) -> None:
    """Raises `error` where `valid` is false; in a graph, whenever it runs.

    Parameters
    ----------
    valid : Tensor of one bool
    error : AttributeError, IndexError, NameError, StateDisagrees, TypeError, UnboundLocalError or ValueError
    message : str

    Notes
    -----
    Never pruned from a graph. GraphDef "Assert".

    Examples
    --------
    >>> import runtime as rt
    >>> require(rt.asarray(True), NameError, "name 'x' is not defined")
    """
    bind_all(Require(error.__name__, message), valid)
