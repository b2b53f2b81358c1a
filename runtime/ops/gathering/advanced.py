"""Any key of NumPy with tensors in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.shapes import Dim, Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import IndexOutOfRange, InvalidIndex
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Failures
from runtime.ops.core import gather, is_together, joined
from runtime.ops.facts import TABLE, Sample, misfits, sharing
from runtime.ops.families import IndexMap
from runtime.ops.gathering.along_axis import take
from runtime.ops.gathering.masks import BooleanMask, require_mask_fits, require_mask_shape
from runtime.ops.known import as_constant
from runtime.ops.slicing.cutting import cut
from runtime.ops.slicing.keys import parts_of, spread

__all__ = ["AdvancedIndex", "get_advanced"]


class AdvancedIndex(IndexMap):
    """NumPy's indexing by several tensors, also among slices: further inputs fill each "?" of the key.

    Slices are written as triples, so that the key is made of plain literals.
    """

    key: tuple[Any, ...]

    why_no_graphdef = "TensorFlow has no op for NumPy's mixed indexing"
    samples = (
        Sample((TABLE, np.array([0, 2]), np.array([1, 3])), {"key": ("?", "?")}),
        Sample((TABLE, np.array([[0], [2]])), {"key": ("?", (None, None, 2))}),
        Sample((TABLE[None], np.array([1, 2])), {"key": (0, (None, None, None), "?")}),
        Sample((TABLE, np.array([True, False, True]), np.array([1, 3])), {"key": ("?", "?")}),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec, *indices: ArraySpec) -> ArraySpec:
        return x.with_shape(advanced_shape(x.shape, self.key, indices))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs) | {InvalidIndex, IndexOutOfRange}

    def kernel(self, x: Array, *indices: Array) -> Any:
        return np.asarray(x)[array_key(self.key, indices)]

    def decompose(self, x: Tensor, *indices: Tensor) -> Tensor | None:
        found = located(x, self.key, indices)
        if found is None:
            return None
        rest = cut(x, found.sliced)
        if rest is None:
            return None
        picked = gather(rest, found.axes, *found.places)
        at = found.axes[0] if is_together(found.axes) else 0
        if at == found.at:
            return picked
        rank = max(place.ndim for place in found.places)
        others = [axis for axis in range(picked.ndim) if not at <= axis < at + rank]
        perm = [*others[: found.at], *range(at, at + rank), *others[found.at :]]
        return ops.transpose(picked, perm)


class Located(NamedTuple):
    """An index by tensors, taken apart."""

    sliced: list[Any]
    """The key with whole slices in the places of tensors and ints."""
    axes: list[int]
    """Which axes of what `sliced` selects the tensors index."""
    places: list[Tensor]
    """What they say: integers that broadcast together."""
    at: int
    """Where the axes of the places stand in the result."""


def located(x: Tensor, key: Sequence[Any], indices: Sequence[Tensor]) -> Located | None:
    """An index by tensors, taken apart; None where not enough is known of the ranks."""
    if x.static_shape is None or any(index.static_shape is None for index in indices):
        return None
    given = parts_of(key, indices)
    if any(_is_mask(part) and part.ndim == 0 for part in given):
        return None
    used = sum(
        part.ndim if _is_mask(part) else 1 for part in given if part is not None and part is not Ellipsis
    )
    sliced: list[Any] = []
    axes: list[int] = []
    places: list[Tensor] = []
    picks = [place for place, part in enumerate(given) if isinstance(part, (Tensor, int))]
    at, axis = 0, 0
    for part in spread(given, x.ndim, used):
        count = sum(each is not None for each in sliced)
        if isinstance(part, (Tensor, int)):
            at = at if places else axis
            columns = _columns(x, part, count)
            axes += range(axis, axis + len(columns))
            places += columns
            sliced += [slice(None)] * len(columns)
            axis += len(columns)
        else:
            sliced.append(part)
            axis += 1
    return Located(sliced, axes, places, at if picks[-1] - picks[0] == len(picks) - 1 else 0)


def _is_mask(part: Any) -> bool:
    return isinstance(part, Tensor) and part.dtype.is_bool


def _columns(x: Tensor, part: Tensor | int, axis: int) -> list[Tensor]:
    """The integers that an index means for each of the axes that it covers, from `axis` of `x` on."""
    if isinstance(part, int):
        return [as_constant(np.array(part))]
    if not part.dtype.is_bool:
        return [part]
    require_mask_fits(x, part, axis)
    return list(ops.nonzero(part))


def array_key(key: Sequence[Any], indices: Sequence[Array]) -> tuple[Any, ...]:
    """The NumPy index that `key` means, with `indices` in the places marked by "?"."""
    left = iter(indices)
    filled: list[Any] = []
    for part in key:
        if type(part) is tuple:
            filled.append(slice(*[int(next(left)) if end == "?" else end for end in part]))
        else:
            filled.append(next(left) if part == "?" else part)
    return tuple(filled)


def advanced_shape(shape: Shape, key: Sequence[Any], indices: Sequence[ArraySpec]) -> Shape:
    """The shape of ``x[key]``: the indices' own axes stand in their place, or first if they are apart."""
    ops.require_one_ellipsis(key)
    if shape is None or any(index.shape is None for index in indices):
        return None
    parts = list(_with_specs(key, indices))
    used = sum(_axes_used(part, spec) for part, spec in parts)
    ops.require_axes(shape, used)
    kept: list[Dim] = []
    picked: list[Shape] = []
    places: list[tuple[int, int]] = []
    axis = 0
    for count, (part, spec) in enumerate(parts):
        length = len(shape) - used if part is Ellipsis else _axes_used(part, spec)
        covered = shape[axis : axis + length]
        axis += length
        if part is None:
            kept.append(1)
        elif part is Ellipsis:
            kept.extend(covered)
        elif type(part) is tuple:
            kept.append(ops.slice_length(covered[0], part))
        else:
            picked.append(_own_axes(covered, spec))
            places.append((count, len(kept)))
    kept.extend(shape[axis:])
    together = places[-1][0] - places[0][0] == len(places) - 1
    at = places[0][1] if together else 0
    return (*kept[:at], *(joined(picked) or ()), *kept[at:])


def _own_axes(covered: tuple[Dim, ...], spec: ArraySpec | None) -> Shape:
    """The axes that one index brings: a mask one, as long as it has truths."""
    if spec is None or not spec.dtype.is_bool:
        return () if spec is None else spec.shape
    require_mask_shape(covered, spec.shape)
    return (UNKNOWN,)


def _with_specs(key: Sequence[Any], indices: Sequence[ArraySpec]) -> Iterator[tuple[Any, ArraySpec | None]]:
    """Each part of a key, with the spec of the tensor that a "?" stands for."""
    left = iter(indices)
    for part in key:
        if type(part) is tuple:
            for end in part:
                if end == "?":
                    next(left)
            yield part, None
        else:
            yield part, next(left) if part == "?" else None


def _axes_used(part: Any, spec: ArraySpec | None) -> int:
    if part is None or part is Ellipsis:
        return 0
    return len(spec.shape) if spec is not None and spec.dtype.is_bool and spec.shape is not None else 1


def get_advanced(x: TensorLike, parts: Sequence[Any]) -> Tensor:
    """``x[parts]`` where some part is a tensor with axes, or a bool; `get_item` comes here."""
    x = as_tensor(x)
    arrays = [place for place, part in enumerate(parts) if isinstance(part, Tensor)]
    place = arrays[0]
    if len(arrays) == 1 and all(
        isinstance(part, slice) or part is Ellipsis for part in _others(parts, place)
    ):
        if len(parts) == 1 and parts[0].dtype.is_bool:
            if parts[0].static_shape != ():
                return bind(BooleanMask(), x, parts[0])
            return bind(BooleanMask(), ops.expand_dims(x, axis=0), ops.reshape(parts[0], (1,)))
        if Ellipsis not in parts[:place] and parts[place].dtype.is_integer:
            whole = all(part in (slice(None), Ellipsis) for part in _others(parts, place))
            ops.require_one_ellipsis(parts)
            if x.static_shape is not None:
                ops.require_axes(x.static_shape, place + 1)
            sliced = x if whole else ops.get_item(x, (*parts[:place], slice(None), *parts[place + 1 :]))
            return take(sliced, parts[place], axis=place)
    literal, operands = ops.split_key(parts)
    return bind(AdvancedIndex(literal), x, *operands)


def _others(parts: Sequence[Any], place: int) -> list[Any]:
    return [*parts[:place], *parts[place + 1 :]]
