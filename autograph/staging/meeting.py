"""The age of objects in a trace: which existed before a statement, and which it has made."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.notes import write_back

if TYPE_CHECKING:
    from autograph.staging.journal import Journal

__all__ = ["forget", "is_made_since", "is_there", "meet", "note_existing", "note_made"]


def meet() -> None:
    """Notes the objects that were there before what is traced: a statement is about to be staged."""
    write_back()
    while staging.unmet:
        for owner in staging.unmet.pop()():
            note_existing(owner)


def note_existing(owner: Any, label: Hashable = None) -> None:
    """Remembers when an object was met first. Met again in another run of a path, it is older than that.

    `label` says where that was, if another trace meets it there, too.
    """
    known = staging.met.get(id(owner))
    if known is None:
        staging.met[id(owner)] = owner, staging.clock, False
        if label is not None:
            _name(owner, label)
        return
    _, met, is_made = known
    if not is_made:
        former = _given_up(met)
        if former is not None:
            staging.met[id(owner)] = owner, former.time_before, False


def note_made(owner: Any, label: Hashable = None) -> None:
    """Remembers that an object was made just now; `label` says where another trace makes it, too."""
    if staging.journal is not None:
        staging.met[id(owner)] = owner, staging.clock, True
        where: Any = type(owner) if label is None else label
        _name(owner, where)


def _name(owner: Any, label: Hashable) -> None:
    """Names an object by the path, and how many of this label came before it."""
    if staging.path is not None:
        name = staging.names[id(owner)] = staging.path.name_of(label)
        staging.named[name] = owner


def is_there(owner: Any) -> bool:
    """Whether an object that was met may be met again: no run that was given up has made it."""
    found = staging.met.get(id(owner))
    return found is not None and _given_up(found[1]) is None


def is_made_since(owner: Any, begun: int) -> bool:
    """Whether an object is known to be made, and not only met, at this time or later."""
    found, met, is_made = staging.met.get(id(owner), (None, 0, False))
    return found is owner and is_made and met >= begun


def _given_up(met: int) -> Journal | None:
    """The outermost path that is open, and that was given up and begun anew since this time."""
    found, journal = None, staging.journal
    while journal is not None:
        found = journal if journal.is_of_former_run(met) else found
        journal = journal.around
    return found


def forget() -> None:
    """Lets go of all that was met and moved: a trace is over."""
    staging.met.clear()
    staging.fresh.clear()
    staging.names.clear()
    staging.changed_by_loops.clear()
    staging.named.clear()
    staging.unmet.clear()
    staging.own_on_paths.clear()
    staging.dicts_of_owners.clear()
    staging.named_dicts.clear()
    staging.chosen = False
    staging.copies.clear()
    staging.taken.clear()
    staging.unwritten.clear()
    staging.tangled, staging.exchange = False, None
    staging.groups.clear()
    staging.origins.clear()
    staging.told_apart.clear()
    staging.arrays_made.clear()
    staging.iterators.clear()
    staging.generator_made = None
    heap.forget()
