"""Which places outside of a function become inputs of its graph: each trace tells what the next one needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence

from runtime.core.circular import holds_itself
from runtime.core.structure import flatten
from runtime.functions.external_state import (
    Change,
    ExternalInput,
    Place,
    Seen,
    can_come_in,
    is_contents,
    is_number,
)
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol

__all__ = ["first_inputs", "mistaken", "revised", "shared"]


def first_inputs(
    seen: Seen,
    asked: Sequence[ExternalInput],
    pinned: Collection[Hashable],
    is_handed: Callable[[Place], bool],
) -> list[ExternalInput]:
    """The inputs that a function turns out to need, after the first trace, beside those asked for.

    Those in `pinned` are none, nor what is in a container among the arguments.
    """
    known = {each.place.key for each in asked}
    found = [
        ExternalInput(change.place, change.before)
        for change in {each.place.key: each for each in (*seen.where_called, *seen.changes)}.values()
        if change.place.key not in known
        and change.place.key not in pinned
        and not is_handed(change.place)
        and _comes_in(change, seen)
    ]
    return [each.anew() for each in asked] + found if found else []


def shared(entered: Sequence[ExternalInput], builder: Builder, seen: Seen) -> list[ExternalInput]:
    """The inputs with tensors that the function writes into, and that somebody else has, too.

    Whoever has one gets the tensor that holds what is written; as inputs they would be two.
    """
    came_in = [id(leaf) for each in entered for leaf in each.leaves]
    written = [leaf for each in entered for leaf in each.written_tensors(builder)]
    others = {id(leaf) for leaf in written if max(came_in.count(id(leaf)), seen.times_held(leaf)) > 1}
    return [each for each in entered if not others.isdisjoint(map(id, each.leaves))]


def mistaken(entered: Sequence[ExternalInput], seen: Seen) -> list[ExternalInput]:
    """The inputs that were guessed, and that the function leaves as they came in."""
    changes = {change.place.key: change for change in seen.changes}
    guesses = [(each, changes.get(each.place.key)) for each in entered if each.is_guess]
    return [
        each
        for each, change in guesses
        if change is None or each.is_kept(change.now) or not _comes_in(change, seen)
    ]


def revised(entered: Sequence[ExternalInput], seen: Seen) -> list[ExternalInput]:
    """The inputs that a further trace needs instead; none when they are right as they are."""
    now = {change.place.key: change.now for change in seen.changes}
    wider = [each.widened(now[each.place.key]) if each.place.key in now else None for each in entered]
    if not any(wider):
        return []
    return [new or old.anew() for new, old in zip(wider, entered, strict=True)]


def _comes_in(change: Change, seen: Seen) -> bool:
    """Whether a place has to be an input: it held numbers, and is left with others, or with the graph's."""
    if change.is_new or change.place.key in seen.added:
        return False
    if holds_itself(change.now) or not can_come_in(change.before):
        return False
    now, structure = flatten(change.now)
    before, former = flatten(change.before)
    if structure != former or not all(map(is_number, now)):
        return False
    is_python = is_contents(change.place) and isinstance(change.now, list | dict)
    if is_python and any(child.kind not in {None, tuple} for child in structure.children):
        return False  # they would be other containers than those that somebody else may hold
    if any(isinstance(leaf, Symbol | Value) for leaf in (*before, *now)):
        return True
    return seen.are_stored and all(
        type(one) is type(other) and type(one) in {int, float} for one, other in zip(before, now, strict=True)
    )
