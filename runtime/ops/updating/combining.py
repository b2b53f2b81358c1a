"""Elements at some places combined with others: `x.at[key].add(value)` and its like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from runtime.core.dtypes import DType, as_dtype
from runtime.core.tensor import Array
from runtime.errors import DTypeError
from runtime.graph.build import array_spec_of, as_tensor
from runtime.ops.facts import TABLE, Sample, raising
from runtime.ops.gathering.advanced import array_key
from runtime.ops.promotion import cast_operand
from runtime.ops.updating.replacing import Advanced, Scattered

__all__ = [
    "AdvancedAdd",
    "AdvancedCombine",
    "AdvancedDivide",
    "AdvancedMaximum",
    "AdvancedMinimum",
    "AdvancedMultiply",
    "AdvancedPower",
    "AdvancedSubtract",
    "Casting",
    "kinds_up_to",
    "require_castable",
]

Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
"""NumPy's rules of which dtypes may become which others."""


class AdvancedCombine(Advanced, abstract=True):
    """A tensor computed with where an `AdvancedIndex` selects, as often as a place is named."""

    ufunc: ClassVar[np.ufunc]

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        x, value, *indices = operands
        x = as_tensor(x)
        weak = isinstance(value, (bool, int, float, complex))
        if weak and array_spec_of(value).dtype.kind in kinds_up_to(x.dtype):
            value = cast_operand(value, x.dtype)
        value = as_tensor(value)
        self._require_kind(x.dtype, value.dtype)
        return [x, value, *indices]

    def _require_kind(self, x: DType, value: DType) -> None:
        try:
            found = self.ufunc.resolve_dtypes((x.numpy, value.numpy, None))[-1]
        except TypeError:
            name = self.ufunc.__name__
            raise DTypeError(f"`{name}` is not defined for {x.name} and {value.name}") from None
        require_castable(self.ufunc.__name__, as_dtype(found), x)

    def kernel(self, x: Array, value: Array, *indices: Array) -> Any:
        result = np.array(x)
        self.ufunc.at(result, array_key(self.key, indices), value)
        return result


def kinds_up_to(dtype: DType) -> str:
    """The kinds of Python numbers that take the dtype of a tensor beside them."""
    return {"b": "b", "i": "biu", "u": "biu", "f": "biuf"}.get(dtype.kind, "biufc")


def require_castable(name: str, found: DType, kept: DType, casting: Casting = "same_kind") -> None:
    """Refuses a result that cannot go into the tensor that shall hold it.

    Raises
    ------
    DTypeError
        When the rule of casting, as in NumPy, does not let one in: a float into integers, say.
    """
    if not np.can_cast(found.numpy, kept.numpy, casting):
        rule = "" if casting == "same_kind" else f" under the rule {casting!r}"
        raise DTypeError(
            f"`{name}` gives {found.name}, which cannot be stored in a tensor of {kept.name}{rule}",
            why="A tensor keeps its dtype when a part of it is computed anew.",
            way_out=f"Cast the tensor first: `x = rt.astype(x, rt.{found.name})`.",
        )


_REPEATED = (
    Sample((TABLE, np.array(2.0), np.array([0, 2, 0]), np.array([1, 3, 1])), {"key": ("?", "?")}),
    Sample((TABLE, np.array([2.0, 3.0]), np.array([1, 1])), {"key": (0, "?")}),
)

_WHOLE = (Sample((np.arange(4), np.array([1, 2, 3]), np.array([0, 1, 0])), {"key": ("?",)}),)


class AdvancedAdd(Scattered, AdvancedCombine):
    """The second input added where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "add"

    ufunc = np.add
    scatter = "TensorScatterAdd"
    samples = _REPEATED + _WHOLE


class AdvancedSubtract(Scattered, AdvancedCombine):
    """The second input subtracted where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "subtract"

    ufunc = np.subtract
    scatter = "TensorScatterSub"
    samples = _REPEATED + _WHOLE


class AdvancedMultiply(AdvancedCombine):
    """Multiplied by the second input where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "multiply"

    ufunc = np.multiply
    samples = _REPEATED + _WHOLE


class AdvancedDivide(AdvancedCombine):
    """Divided by the second input where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "divide"

    ufunc = np.divide
    samples = _REPEATED


class AdvancedPower(AdvancedCombine):
    """Raised to the second input where an `AdvancedIndex` selects, as often as a place is named."""

    combine = "power"

    ufunc = np.power
    samples = _REPEATED + _WHOLE
    raises = raising(Exception)


class AdvancedMinimum(Scattered, AdvancedCombine):
    """The lesser of old element and second input where an `AdvancedIndex` selects."""

    combine = "minimum"

    ufunc = np.minimum
    scatter = "TensorScatterMin"
    samples = _REPEATED + _WHOLE


class AdvancedMaximum(Scattered, AdvancedCombine):
    """The greater of old element and second input where an `AdvancedIndex` selects."""

    combine = "maximum"

    ufunc = np.maximum
    scatter = "TensorScatterMax"
    samples = _REPEATED + _WHOLE
