"""`tf.TensorShape`: a shape as an object. Tensors themselves have a tuple, or None for an unknown rank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.core import shapes
from runtime.core.shapes import Written, written
from runtime.core.spec import as_shape
from runtime.errors import InvalidValue, ShapeError

__all__ = ["TensorShape"]


class TensorShape:
    """`tf.TensorShape`.

    Parameters
    ----------
    dims : sequence of int or None, int, TensorShape, or None
        None for an unknown rank.

    Attributes
    ----------
    dims : tuple of int or None, or None
        The shape as the rest of the project has it.

    Examples
    --------
    >>> TensorShape([None, 2]).as_list()
    [None, 2]
    >>> TensorShape([None, 2]) == (None, 2)
    True
    """

    __slots__ = ("dims",)

    def __init__(self, dims: Any) -> None:
        self.dims: Written = written(as_shape(dims))

    @property
    def rank(self) -> int | None:
        """The number of axes, None where it is unknown."""
        return None if self.dims is None else len(self.dims)

    @property
    def ndims(self) -> int | None:
        """As `rank`."""
        return self.rank

    def as_list(self) -> list[int | None]:
        """The dims as a list."""
        return list(self._known())

    def is_fully_defined(self) -> bool:
        """Whether the rank and every dim are known."""
        return self.dims is not None and None not in self.dims

    def num_elements(self) -> int | None:
        """The number of elements, None where it is unknown."""
        return shapes.size(as_shape(self.dims))

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some tensor has both shapes."""
        return shapes.compatible(as_shape(self.dims), as_shape(other))

    def merge_with(self, other: Any) -> TensorShape:
        """What is known from both.

        Raises
        ------
        ShapeError
            When no tensor has both shapes.
        """
        theirs = written(as_shape(other))
        if not shapes.compatible(as_shape(self.dims), as_shape(theirs)):
            raise ShapeError(
                f"shapes {self} and {TensorShape(theirs)} are not compatible",
                why="No tensor has both.",
                way_out="Give None for a length that may be any.",
            )
        if self.dims is None or theirs is None:
            return TensorShape(theirs if self.dims is None else self.dims)
        return TensorShape([b if a is None else a for a, b in zip(self.dims, theirs, strict=True)])

    def concatenate(self, other: Any) -> TensorShape:
        """The dims of this shape and then those of another."""
        theirs = written(as_shape(other))
        return TensorShape(None if self.dims is None or theirs is None else (*self.dims, *theirs))

    def with_rank(self, rank: int) -> TensorShape:
        """The shape, which must have so many axes.

        Raises
        ------
        ShapeError
            When it has not.
        """
        return self.merge_with([None] * rank)

    def _known(self) -> tuple[int | None, ...]:
        if self.dims is None:
            raise InvalidValue(
                "the dims of a shape of unknown rank were asked for",
                why="How many axes there are is only known when the graph runs.",
                way_out="Test `shape.rank is not None` first, or use `tf.shape(x)`.",
            )
        return self.dims

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return self.dims is not None

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known())

    def __getitem__(self, index: Any) -> Any:
        found = self._known()[index]
        return TensorShape(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __eq__(self, other: object) -> bool:
        try:
            return self.dims == written(as_shape(other))
        except ShapeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.dims)

    def __str__(self) -> str:
        return "<unknown>" if self.dims is None else str(self.dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self.dims is None else list(self.dims)})"
