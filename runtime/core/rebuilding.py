"""Nests that are put together again and again: `unflatten` for one structure, written as an expression.

A call of a graph gives a nest of tensors. Its structure is known, so what makes it is one line of Python::

    [leaf 0, (leaf 1, leaf 2)]   ⇒   lambda given: [tensor(given[0]), (tensor(given[1]), tensor(given[2]),)]

What the graph has in the place of a list, a dict or a text says itself how it is made, of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from autograph_base.named_tuple import NamedTuple
from runtime.core.containers import Boxes, finish_of
from runtime.core.structure import Level, Structure, unflattening
from runtime.core.written import as_written

__all__ = ["Leaf", "named", "rebuilding", "rows_of"]

_MOST = 1000
"""Leaves up to which an expression is written: to compile one takes as long as a few hundred calls gain."""


class Leaf(NamedTuple):
    """An expression, over `given` and names.

    Attributes
    ----------
    text : str
    is_given : bool
        Whether it is what a run gives, of which a tensor is made; else it is an object as it is.
    """

    text: str
    is_given: bool


def rebuilding(
    structure: Structure, leaves: Sequence[Leaf], names: dict[str, Any], boxes: Boxes
) -> Callable[[Any], Any] | None:
    """What makes a nest of this structure; None where nothing is gained.

    Parameters
    ----------
    structure : Structure
    leaves : sequence of Leaf
    names : dict of str to object
        More are added, which begin with an underscore.
    boxes : Boxes
    """
    if len(leaves) > _MOST or structure.shares:
        return None
    names["tensor"] = boxes.one
    text = _text(structure, iter(leaves), names, boxes)
    return as_written("built", f"def built(given): return {text}", "<results>", names)


def _text(structure: Structure, leaves: Iterator[Leaf], names: dict[str, Any], boxes: Boxes) -> str:
    kind = structure.kind
    if kind is None:
        leaf = next(leaves)
        return f"tensor({leaf.text})" if leaf.is_given else leaf.text
    finish = finish_of(kind)
    if finish is not None:
        names["within"] = _within
        own = islice(leaves, structure.leaf_count)
        inside = [leaf.text if leaf.text.startswith("given") else f"within({leaf.text})" for leaf in own]
        return f"{named(names, finish.one(structure, boxes))}(({''.join([f'{each}, ' for each in inside])}))"
    inside = [_text(child, leaves, names, boxes) for child in structure.children]
    if kind is list:
        return f"[{', '.join(inside)}]"
    if kind is tuple:
        return f"({', '.join(inside)}{',' * (len(inside) == 1)})"
    if kind is dict:
        keys = [named(names, key) for key in structure.keys]
        return f"{{{', '.join(f'{key}: {each}' for key, each in zip(keys, inside, strict=True))}}}"
    build = named(names, Level(kind, structure.keys, structure.extra).building())
    return f"{build}([{', '.join(inside)}])"


def _within(leaf: Any) -> Any:
    """What a run would give for an object of which the trace knew what it is."""
    return getattr(leaf, "_array", leaf)


def named(names: dict[str, Any], value: Any) -> str:
    """A new name for something that is known."""
    name = f"_{len(names)}"
    names[name] = value
    return name


def rows_of(
    form: Structure, boxes: Boxes, leaf: Callable[[Any], list[Any]] | None = None
) -> Callable[[Sequence[Any]], list[Any]]:
    """What makes the elements of a list that a run gives as columns, each of one part of all elements.

    Parameters
    ----------
    form : Structure
        Of an element.
    boxes : Boxes
    leaf : callable, optional
        Gives the parts in a column as they are wanted; by default, tensors of them.
    """
    each = leaf or boxes.each
    if form.kind is None:
        return lambda columns: each(columns[0])
    leaves = [Leaf(f"given[{place}]", is_given=False) for place in range(form.leaf_count)]
    finish = finish_of(form.kind)
    if finish is not None and finish.rows is not None:
        return finish.rows(form, boxes)
    row = rebuilding(form, leaves, {}, boxes)
    if row is None:
        build = unflattening(form)
        return lambda columns: list(map(build, zip(*map(each, columns), strict=True)))
    if form.kind is tuple and all(child.kind is None for child in form.children):
        return lambda columns: list(zip(*map(each, columns), strict=True))
    made = list(_are_made(form))

    def rows(columns: Sequence[Any]) -> list[Any]:
        parts = [each(one) if is_made else one.values() for one, is_made in zip(columns, made, strict=True)]
        return list(map(row, zip(*parts, strict=True)))

    return rows


def _are_made(form: Structure) -> Iterator[bool]:
    """Whether each leaf is made before what it is in: not what the graph has in the place of an object."""
    if form.kind is None:
        yield True
    elif finish_of(form.kind) is not None:
        yield from [False] * form.leaf_count
    else:
        for child in form.children:
            yield from _are_made(child)
