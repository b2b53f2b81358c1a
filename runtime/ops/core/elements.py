"""`Map`: a scalar expression computed for each element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import GraphError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import FRESH, NOTHING, Aliases, Failures
from runtime.ops.core.expression import (
    Apply,
    Expression,
    dtype_of,
    evaluate,
    functions_in,
    is_quiet,
    operands_of,
    parse,
    to_text,
)
from runtime.ops.facts import Sample, misfits
from runtime.ops.families import Family

__all__ = ["Map", "scalar_map"]

_TABLE = np.arange(12.0, dtype=np.float32).reshape(3, 4)


class Map(Family):
    """A scalar expression of the elements of operands that broadcast together."""

    of: str
    """The expression: `runtime.ops.core.expression` says how it is written."""

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (
        Sample((_TABLE,), {"of": "exp(-x0)"}),
        Sample((_TABLE, _TABLE[0]), {"of": "select(x0 > x1, f32(0.5) * x0, x1)"}),
        Sample((np.array(3), _TABLE), {"of": "f32(x0 + i64(1)) ** x1"}),
        Sample((np.zeros((0, 3)),), {"of": "~isnan(x0)"}),
    )

    @property
    def expression(self) -> Expression:
        """The expression as a tree."""
        return parse(self.of)

    def infer(self, *operands: ArraySpec) -> ArraySpec:
        if operands_of(self.expression) != set(range(len(operands))):
            raise GraphError(f"{self.of!r} does not read each of {len(operands)} operands")
        dtype = dtype_of(self.expression, tuple([spec.dtype for spec in operands]))
        return ArraySpec(shapes.broadcast(*[spec.shape for spec in operands]), dtype)

    def raises(self, *specs: ArraySpec) -> Failures:
        failures = NOTHING if shapes.broadcasts_surely(*[spec.shape for spec in specs]) else misfits(*specs)
        return failures | {ValueError} if "power" in functions_in(self.expression) else failures

    def aliases(self, *specs: ArraySpec) -> Aliases:
        is_new = isinstance(self.expression, Apply) and self.expression.function not in {"real", "imag"}
        return FRESH if is_new else frozenset(range(len(specs)))

    def may_run_early(self, *specs: ArraySpec) -> bool:
        dtypes = tuple([spec.dtype for spec in specs])
        return not self.raises(*specs) and is_quiet(self.expression, dtypes)

    def kernel(self, *operands: Array) -> Any:
        return evaluate(self.expression, operands)


def scalar_map(text: str, *operands: TensorLike, generic: DType | None = None) -> Tensor:
    """A `Map` of an expression in which ``T`` is the dtype of the first operand, or another one."""
    tensors = [as_tensor(each) for each in operands]
    expression = parse(text, generic or tensors[0].dtype)
    return bind(Map(to_text(expression)), *tensors)
