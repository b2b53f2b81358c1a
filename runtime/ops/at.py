"""`x.at[key]`: a part of a tensor, and the tensors that the whole becomes when the part changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import ops
from runtime.core.tensor import Operators, Tensor, TensorLike
from runtime.graph.build import as_tensor
from runtime.ops import updating

__all__ = ["At", "Part"]


class Part:
    """A part of a tensor: what ``x.at[key]`` gives.

    Each method returns a new tensor of the shape and dtype of the whole; `x` does not change. Where the key
    names a place repeatedly, through arrays of integers, `set` keeps the last value, and `add`, `subtract`,
    `multiply`, `divide`, `power`, `min` and `max` compute with the place as often as it is named.

    Notes
    -----
    Semantics: `jax.numpy.ndarray.at`, with NumPy's rules for what is stored: `set` casts as an assignment to
    an item does, the others only within a kind. An index out of range is an error.

    Examples
    --------
    >>> import runtime as rt
    >>> x = rt.asarray([1, 2, 3])
    >>> x.at[0].set(10)
    <Tensor: shape=(3,), dtype=int64, numpy=array([10,  2,  3])>
    >>> x.at[[0, 0, 2]].add(1)
    <Tensor: shape=(3,), dtype=int64, numpy=array([3, 2, 4])>
    >>> x.at[x > 1].multiply(-1)
    <Tensor: shape=(3,), dtype=int64, numpy=array([ 1, -2, -3])>
    """

    __slots__ = ("_key", "_whole")

    def __init__(self, whole: Tensor, key: Any) -> None:
        self._whole = whole
        self._key = key

    def __repr__(self) -> str:
        return f"<part {self._key!r} of {self._whole!r}>"

    def get(self) -> Tensor:
        """The part itself: ``x[key]``."""
        return ops.get_item(self._whole, self._key)

    def set(self, value: TensorLike, /) -> Tensor:
        """The whole with the part replaced: ``x[key] = value``."""
        return ops.set_item(self._whole, self._key, value)

    def add(self, value: TensorLike, /) -> Tensor:
        """The whole with `value` added to the part."""
        return self._combined(updating.AdvancedAdd, ops.add, value)

    def subtract(self, value: TensorLike, /) -> Tensor:
        """The whole with `value` subtracted from the part."""
        return self._combined(updating.AdvancedSubtract, ops.subtract, value)

    def multiply(self, value: TensorLike, /) -> Tensor:
        """The whole with the part multiplied by `value`."""
        return self._combined(updating.AdvancedMultiply, ops.multiply, value)

    def divide(self, value: TensorLike, /) -> Tensor:
        """The whole with the part divided by `value`; integers are refused, as in NumPy."""
        return self._combined(updating.AdvancedDivide, ops.divide, value)

    def power(self, value: TensorLike, /) -> Tensor:
        """The whole with the part raised to `value`."""
        return self._combined(updating.AdvancedPower, ops.pow, value)

    def min(self, value: TensorLike, /) -> Tensor:
        """The whole with the lesser of part and `value` in the place of the part."""
        return self._combined(updating.AdvancedMinimum, ops.minimum, value)

    def max(self, value: TensorLike, /) -> Tensor:
        """The whole with the greater of part and `value` in the place of the part."""
        return self._combined(updating.AdvancedMaximum, ops.maximum, value)

    def apply(self, function: Callable[[Tensor], TensorLike], /) -> Tensor:
        """The whole with ``function(x[key])`` in the place of the part, called once with all of it."""
        return self.set(function(self.get()))

    def _combined(
        self,
        kind: type[updating.AdvancedCombine],
        function: Callable[[TensorLike, TensorLike], Tensor],
        value: TensorLike,
    ) -> Tensor:
        return updating.combine_item(kind, function, self._whole, self._key, value)


class At:
    """The parts of a tensor: ``x.at[key]`` is a `Part`."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Operators) -> None:
        self._whole = as_tensor(whole)

    def __getitem__(self, key: Any) -> Part:
        return Part(self._whole, key)

    def __repr__(self) -> str:
        return f"<parts of {self._whole!r}>"
