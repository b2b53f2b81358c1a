"""Shapes with parts that only a run knows.

A shape is a tuple of dims: numbers, and symbolic dims (`runtime.core.dims`). An unknown rank makes the whole
shape None. What users write and read has None for each dim that is no number.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import SupportsIndex, TypeAlias

from runtime.core import dims
from runtime.core.dims import UNKNOWN, Dim
from runtime.errors import AxisError, DTypeError, Error, ShapeError

__all__ = [
    "UNKNOWN",
    "Dim",
    "Shape",
    "Written",
    "all_known",
    "as_axis",
    "broadcast",
    "broadcasts_surely",
    "compatible",
    "contains",
    "elements",
    "is_known",
    "join",
    "known_of",
    "match",
    "normalise_axes",
    "normalise_axis",
    "size",
    "smallest",
    "substitute",
    "text",
    "times",
    "written",
]

Shape: TypeAlias = tuple[Dim, ...] | None
Written: TypeAlias = tuple[int | None, ...] | None
"""A shape as users write and read it."""


def all_known(dims: Iterable[Dim]) -> bool:
    """Whether all of these dims are numbers."""
    return all(isinstance(dim, int) for dim in dims)


def is_known(shape: Shape) -> bool:
    """Whether rank and every dim are known."""
    return shape is not None and all_known(shape)


def size(shape: Shape) -> int | None:
    """The number of elements, or None where it is not known."""
    count = elements(shape)
    return count if isinstance(count, int) else None


def elements(shape: Shape) -> Dim:
    """The number of elements.

    >>> elements((2, dims.named("n"), 3)), elements((dims.named("n"), 0)), elements(None)
    (6*n, 0, ?)
    """
    count: Dim = UNKNOWN if shape is None else 1
    for dim in shape or ():
        count = count * dim
    return count


def smallest(shape: Shape) -> tuple[int, ...]:
    """Numbers for a shape: none of what only a run knows."""
    return tuple([dim if isinstance(dim, int) else 0 for dim in shape or ()])


def written(shape: Shape) -> Written:
    """A shape as users read it, with None for each dim that is no number."""
    return None if shape is None else tuple([dim if isinstance(dim, int) else None for dim in shape])


def text(shape: Shape) -> str:
    """How a shape is printed for users: ``()``, ``(2,)``, ``(None, 3)``, ``<unknown>``."""
    return "<unknown>" if shape is None else str(written(shape))


def broadcast(*shapes: Shape) -> Shape:
    """The shape that these broadcast to, by NumPy's rule.

    >>> broadcast((3, 1), (dims.named("n"),)), broadcast((2, 3), None)
    ((3, n), None)

    Raises
    ------
    ShapeError
        When two known dims differ and neither is 1.
    """
    if len(shapes) == 2:  # the usual case: numbers, and arrays of one shape
        left, right = shapes
        if left is right or right == ():
            return left
        if left == ():
            return right
    if None in shapes:
        return None
    known = [shape for shape in shapes if shape is not None]
    if len(set(known)) == 1:
        return known[0]
    rank = max(map(len, known), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in known]
    found = [dims.broadcast(*column) for column in zip(*padded, strict=True)]
    result = tuple([dim for dim in found if dim is not None])
    if len(result) == rank:
        return result
    listed = " and ".join(text(shape) for shape in known)
    raise ShapeError(
        f"shapes {listed} do not broadcast together",
        why="Counted from the right, dims must be equal or 1.",
        way_out="Reshape one of them, or give it an axis of length 1 with `rt.expand_dims`.",
    )


def broadcasts_surely(*shapes: Shape) -> bool:
    """Whether these broadcast whatever is not known of them, given that they do by what is known.

    >>> n, m = dims.named("n"), dims.named("m")
    >>> broadcasts_surely((n, 3), (3,)), broadcasts_surely((n,), (n,)), broadcasts_surely((n,), (m,))
    (True, True, False)
    """
    with_axes = [shape for shape in shapes if shape != ()]
    if len(with_axes) < 2 or all(map(is_known, with_axes)):
        return True
    known = [shape for shape in with_axes if shape is not None]
    if len(known) < len(with_axes):
        return False
    rank = max(map(len, known))
    padded = [(1,) * (rank - len(shape)) + shape for shape in known]
    return all(map(_is_sure, zip(*padded, strict=True)))


def _is_sure(column: Sequence[Dim]) -> bool:
    """Whether axes of these lengths broadcast, whatever is not known of them."""
    long = {dim for dim in column if dim != 1}
    return all_known(long) or (len(long) == 1 and (UNKNOWN not in long or column.count(UNKNOWN) == 1))


def join(left: Shape, right: Shape) -> Shape:
    """The most exact shape that holds both: dims that differ become unknown, and so do ranks.

    >>> join((2, 3), (5, 3)), join((2,), (2, 2))
    ((?, 3), None)
    """
    if left == right:
        return left
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(a if a == b else UNKNOWN for a, b in zip(left, right, strict=True))


def known_of(left: Dim, right: Dim) -> Dim:
    """The length of two axes that are equally long: the more exact of what is known of each.

    >>> known_of(dims.named("n"), 3), known_of(UNKNOWN, dims.named("n"))
    (3, n)
    """
    return left if isinstance(left, int) or right is UNKNOWN else right


def times(dim: Dim, count: int) -> Dim:
    """The length of an axis repeated so often."""
    return dim * count


def contains(general: Shape, specific: Shape) -> bool:
    """Whether every array of shape `specific` is one of shape `general`: an unknown dim may be any."""
    if general is None or general == specific:
        return True
    if specific is None or len(general) != len(specific):
        return False
    return all(a is UNKNOWN or a == b for a, b in zip(general, specific, strict=True))


def compatible(left: Shape, right: Shape) -> bool:
    """Whether some array has both shapes."""
    if left is None or right is None:
        return True
    return len(left) == len(right) and all(map(_may_be_equal, left, right))


def _may_be_equal(left: Dim, right: Dim) -> bool:
    """Whether two lengths are not known to differ."""
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    apart = left - right
    return not (dims.at_least(apart, 1) or dims.at_most(apart, -1)) or UNKNOWN in (left, right)


# ── names ──


def substitute(shape: Shape, meanings: Mapping[str, Dim]) -> Shape:
    """A shape with other dims in the place of names."""
    return None if shape is None else tuple([dims.substitute(dim, meanings) for dim in shape])


def match(patterns: Sequence[Shape], given: Sequence[Shape]) -> dict[str, Dim] | None:
    """What the names of `patterns` mean where these shapes are `given`; None where they cannot be.

    A name for which nothing is found means `UNKNOWN`.

    >>> n, m = dims.named("n"), dims.named("m")
    >>> match([(n,), (2 * n + m,)], [(3,), (10,)]), match([(n,), (n,)], [(3,), (4,)])
    ({'n': 3, 'm': 4}, None)
    """
    pairs: list[tuple[Dim, Dim]] = []
    for pattern, shape in zip(patterns, given, strict=True):
        if pattern is None:
            continue
        if shape is None or len(pattern) != len(shape):
            return None
        for dim, now in zip(pattern, shape, strict=True):
            if isinstance(dim, int):
                if dim != now:
                    return None
            elif dim is not UNKNOWN:
                pairs.append((dim, now))
    if not pairs:
        return {}
    meanings: dict[str, Dim] = {}
    left = pairs
    while left:  # what was learnt may leave one unknown name in others
        rest = [pair for pair in left if not _learn(pair, meanings)]
        if len(rest) == len(left):
            break
        left = rest
    free = {name for pattern, _ in left for name in dims.names_in(pattern)} - meanings.keys()
    same = {name for a, b in left if a == b for name in dims.names_in(a)}
    meanings |= {name: dims.named(name) if name in same else UNKNOWN for name in free}
    fits = all(dims.substitute(a, meanings) in (b, UNKNOWN) for a, b in pairs)
    return meanings if fits else None


def _learn(pair: tuple[Dim, Dim], meanings: dict[str, Dim]) -> bool:
    """Notes what a name must mean for a pattern to be a dim; whether nothing is left to be learnt from it."""
    dim = pair[1]
    pattern = dims.substitute(pair[0], meanings)
    free = dims.names_in(pair[0]) - meanings.keys()
    found = dims.solve(pattern, dim, free)
    if found is not None:
        meanings[found[0]] = found[1]
    return found is not None or not free


def as_axis(axis: SupportsIndex) -> int:
    """`axis` as a Python integer.

    Raises
    ------
    DTypeError
        When it is no integer, or a truth value.
    """
    if not isinstance(axis, bool):
        try:
            return operator.index(axis)
        except Error:  # a tensor says itself why it is no integer of Python
            raise
        except TypeError:
            pass
    raise DTypeError(
        f"an axis is {axis!r}",
        why="The axes of a tensor are counted: an axis is an integer.",
        way_out="Give one, or a tuple of integers where a function takes several axes.",
    )


def normalise_axis(axis: SupportsIndex, rank: int) -> int:
    """`axis` counted from the front.

    Raises
    ------
    AxisError
        When it is outside ``-rank <= axis < rank``.
    DTypeError
        When it is no integer.
    """
    axis = as_axis(axis)
    if not -rank <= axis < rank:
        raise AxisError(
            f"axis {axis} is out of range for a tensor of rank {rank}",
            way_out=f"Give one from {-rank} to {rank - 1}." if rank else "Leave out the axis: there is none.",
            axis=axis,
            ndim=rank,
        )
    return axis % rank


def normalise_axes(axes: SupportsIndex | Sequence[SupportsIndex] | None, rank: int) -> tuple[int, ...]:
    """`axes` counted from the front, in order; None means all.

    Raises
    ------
    AxisError
        When one is out of range.
    ShapeError
        When one is named twice.
    """
    if axes is None:
        return tuple(range(rank))
    listed = axes if isinstance(axes, Sequence) else (axes,)
    result = tuple(sorted(normalise_axis(axis, rank) for axis in listed))
    if len(set(result)) != len(result):
        raise ShapeError(
            f"an axis is named twice in {tuple(listed)}",
            why="Counted from the front or from the back, an axis can be named once.",
            way_out="Name each axis once.",
        )
    return result
