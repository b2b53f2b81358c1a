"""Scopes of symbolic dims: which names a graph defines, renaming, and matching of specs.

A length that only a run knows is named after the place where the graph first meets it: ``x.0`` is the first
axis of the argument ``x``, ``where.0`` that of what a node ``Where`` gives. A graph inside of another one
sees the names around it; a function has its own, and a call says what they mean there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from runtime.core import shapes
from runtime.core.dims import UNKNOWN, Dim, SymbolicDim, name_of, named, names_in, substitute
from runtime.core.spec import ArraySpec, Spec

if TYPE_CHECKING:
    from runtime.graph.graph import Graph, Node, Value
    from runtime.graph.op import Op

__all__ = [
    "DimNames",
    "completed",
    "holds",
    "learn",
    "made_by",
    "made_in",
    "match_specs",
    "names_in_fields",
    "names_of",
    "names_of_specs",
    "substituted",
    "with_meanings",
]

SpecT = TypeVar("SpecT", bound=Spec)


class DimNames:
    """The names that are taken, by a graph and all graphs that are traced inside of it."""

    def __init__(self, taken: Iterable[str] = (), of: Graph | None = None) -> None:
        self._taken = set(taken)
        self._graph = of  # looked at when a name is wanted, which passes seldom do

    def copy(self) -> DimNames:
        """The same names, to which others may be added."""
        return DimNames(self._taken, self._graph)

    def forget(self, others: DimNames) -> None:
        """Goes back to a copy that was made before."""
        self._taken = set(others._taken)  # of this class

    def specified(self, spec: SpecT, owner: str | Op) -> SpecT:
        """`spec` with a name for each length of which nothing is known: of its owner and the axis.

        The owner is an input, by its label, or the op that gives the value.
        """
        if not isinstance(spec, ArraySpec) or spec.shape is None:
            return spec
        for dim in spec.shape:
            if dim is UNKNOWN:
                break
            if isinstance(dim, SymbolicDim):
                self._taken.update(name.partition(".")[0] for name in names_in(dim))
        else:
            return spec
        start = self._unused(owner if isinstance(owner, str) else of_op(owner.name))
        return replace(
            spec,
            shape=tuple(
                [named(f"{start}.{axis}") if dim is UNKNOWN else dim for axis, dim in enumerate(spec.shape)]
            ),
        )

    def fresh(self, names: Iterable[str]) -> dict[str, Dim]:
        """Names for what others call `names`, where these are taken here."""
        starts = {start: self._unused(start) for start in sorted({name.partition(".")[0] for name in names})}
        return {
            name: named(starts[name.partition(".")[0]] + name[len(name.partition(".")[0]) :])
            for name in names
        }

    def _unused(self, label: str) -> str:
        if self._graph is not None:
            names = names_of_specs(self._graph.input_specs).union(*map(_names_at, self._graph.nodes))
            self._taken |= {name.partition(".")[0] for name in names}
            self._graph = None
        wanted = re.sub(r"\W+", "_", label).strip("_") or "arg"
        start, number = wanted, 0
        while start in self._taken:
            number += 1
            start = f"{wanted}_{number}"
        self._taken.add(start)
        return start


def of_op(name: str) -> str:
    """What lengths are named after that an op makes: ``strided_slice`` for `StridedSlice`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


# ── which names there are ──


def _names_at(node: Node) -> set[str]:
    return names_of_specs(node.specs) | names_of(node.op)


def names_of_specs(specs: Iterable[Spec]) -> set[str]:
    """The names in the shapes of these specs; the elements of lists have none."""
    return {
        name
        for spec in specs
        if isinstance(spec, ArraySpec)
        for dim in spec.shape or ()
        for name in names_in(dim)
    }


def names_of(op: Op) -> set[str]:
    """The names that an op speaks of in its fields, and that the graphs inside of it speak of."""
    found = set(names_in_fields(op))
    for graph in op.graphs:
        found |= names_of_specs(graph.input_specs)
        for node in graph.nodes:
            found |= names_of_specs(node.specs)
            found |= names_of(node.op)
    return found


def names_in_fields(op: Op) -> Iterator[str]:
    """The names that an op speaks of in its fields."""
    if op.callee is not None:  # what it says of a function is in the names of that
        return iter(())
    return _names_in_field(tuple(op.attributes().values()))


def _names_in_field(value: Any) -> Iterator[str]:
    if isinstance(value, SymbolicDim):
        yield from names_in(value)
    elif isinstance(value, Spec):
        yield from names_of_specs([value])
    elif isinstance(value, tuple):
        for each in value:
            yield from _names_in_field(each)


def made_by(node: Node) -> set[str]:
    """The names that a node gives to lengths of its results: not those that come in, or that its op has."""
    own = names_of_specs(node.specs)
    if own:
        own -= names_of_specs([value.spec for value in node.inputs])
    return own - names_of(node.op) if own else own


def made_in(graph: Graph) -> set[str]:
    """The names that the nodes of a graph give, which mean nothing outside of it."""
    return {name for node in graph.nodes for name in made_by(node)}


# ── what names mean elsewhere ──


def match_specs(patterns: Sequence[Spec], given: Sequence[Spec]) -> dict[str, Dim] | None:
    """What the names of `patterns` mean for values of these specs; None where those do not fit."""
    if len(patterns) != len(given):
        return None
    left: list[shapes.Shape] = []
    right: list[shapes.Shape] = []
    for pattern, spec in zip(patterns, given, strict=True):
        if pattern is spec and isinstance(pattern, ArraySpec) and not pattern.shape:
            continue  # as most are
        if not isinstance(pattern, ArraySpec) or not isinstance(spec, ArraySpec):
            if not pattern.contains(spec):
                return None
        elif pattern.dtype is not spec.dtype:
            return None
        else:
            left.append(pattern.shape)
            right.append(spec.shape)
    return shapes.match(left, right)


def with_meanings(spec: SpecT, meanings: Mapping[str, Dim]) -> SpecT:
    """`spec` with other dims in the place of names."""
    if not meanings or not isinstance(spec, ArraySpec) or names_of_specs([spec]).isdisjoint(meanings):
        return spec
    return replace(spec, shape=shapes.substitute(spec.shape, meanings))


def learn(meanings: dict[str, Dim], node: Node, value: Value, spec: Spec) -> None:
    """Notes what the names mean that `node` gives to lengths of `value`, which has turned out as `spec`."""
    before = value.spec
    if before is spec or not isinstance(before, ArraySpec) or not isinstance(spec, ArraySpec):
        return
    own: set[str] | None = None
    for old, new in zip(before.shape or (), spec.shape or (), strict=False):
        name = None if old == new or new is UNKNOWN else name_of(old)
        if name is not None:
            own = made_by(node) if own is None else own
            if name in own:
                meanings.setdefault(name, new)


def holds(node: Node, inferred: Sequence[Spec]) -> bool:
    """Whether what a node says of its results holds what its op infers: less, where the name is its own."""
    if len(inferred) != len(node.specs):
        return False
    if all(spec.contains(other) for spec, other in zip(node.specs, inferred, strict=True)):
        return True
    wanted = completed(inferred, node.specs)
    meanings = match_specs(node.specs, wanted)
    if meanings is None:
        return False
    changed = {name for name, dim in meanings.items() if dim != named(name)}
    return changed <= made_by(node)


def completed(specs: Sequence[Spec], known: Sequence[Spec]) -> tuple[Spec, ...]:
    """`specs` with the lengths that are `known` in the place of those of which nothing is known."""
    return tuple([_completed(spec, other) for spec, other in zip(specs, known, strict=True)])


def _completed(spec: Spec, known: Spec) -> Spec:
    if not isinstance(spec, ArraySpec) or not isinstance(known, ArraySpec):
        return spec
    if spec.shape is None or known.shape is None or UNKNOWN not in spec.shape:
        return spec
    if len(spec.shape) != len(known.shape):
        return spec
    dims = [b if a is UNKNOWN else a for a, b in zip(spec.shape, known.shape, strict=True)]
    return replace(spec, shape=tuple(dims))


def substituted(value: Any, meanings: Mapping[str, Dim]) -> Any:
    """A field of an op with other dims in the place of names; the same object where it has none of them."""
    if isinstance(value, SymbolicDim):
        return substitute(value, meanings)
    if isinstance(value, Spec):
        return with_meanings(value, meanings)
    if isinstance(value, tuple):
        items = [substituted(each, meanings) for each in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return tuple(items) if type(value) is tuple else type(value)(items)
    return value
