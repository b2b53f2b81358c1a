"""What the turns of a loop outdate that was there before: no turn may read it, as a former one may have run.

What a loop starts with has a copy in each turn. A turn that changes the copy outdates the former, under all
of its names; this shows at the end of the turn, when somebody may have read it already. So the body is traced
once more.

A loop that is traced again, because one around it starts anew, is spared that: it is expected to outdate what
it outdated before, and whoever reads that meanwhile is noted. Where nobody does, all has shown in one trace.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from autograph.backends.tensors.containers.other_names import Spot
from autograph.backends.tensors.containers.sharing import is_copy, outdated_by
from autograph.staging import heap, notes
from autograph.staging.context import staging

__all__ = ["Expected"]


class Expected:
    """What a turn is expected to outdate.

    Parameters
    ----------
    known : set of (hashable, Spot)
        Where containers that the loop starts with are which turns have outdated; it learns more.
    """

    def __init__(self, known: set[tuple[Hashable, Spot]]) -> None:
        self._known = known
        self._starts: Mapping[tuple[Hashable, Spot], Any] = {}
        self._entered: Collection[int] = ()
        self._begun = 0
        self._marked: set[int] = set()
        self._was_read = False
        self._settled = -1

    def refuse(self) -> None:
        """Notes that something is read, which would be refused if it was outdated."""
        self._was_read = True

    @contextmanager
    def noting(self, starts: Mapping[tuple[Hashable, Spot], Any], entered: Collection[int]) -> Iterator[None]:
        """Notes, while one turn is traced inside, the reads of what the turn is expected to outdate.

        `starts` are the containers that the loop starts with, and `entered` the ids of what the turn has in
        their places.
        """
        self._starts, self._entered, self._begun, self._was_read = starts, entered, notes.now(), False
        before = staging.outdated
        found = [staging.groups.get(id(each)) for place, each in starts.items() if place in self._known]
        members = [each for group in found if group is not None for each in group.members.values()]
        shown = [now for each in members if id(each) not in entered for now in outdated_by(each)]
        self._marked = {id(now) for now in shown}
        if shown:
            heap.outdate({**{id(now): (now, self) for now in shown}, **before})
        try:
            yield
        finally:
            heap.outdate(before)

    def without_marks(self, outdated: Mapping[int, Any]) -> dict[int, Any]:
        """Of what is outdated, what some path has outdated."""
        return {key: pair for key, pair in outdated.items() if pair[1] is not self}

    def is_news(self, outdated: Mapping[int, Any], carried: int) -> bool:
        """Whether the body has to be traced once more, for somebody may have read what the turn has outdated.

        `carried` says how much the loop carries: what turns have made themselves is new each time.
        """
        self._known |= {place for place, each in self._starts.items() if id(each) in outdated}
        if outdated.keys() <= staging.outdated.keys():
            return False
        heap.outdate({**staging.outdated, **outdated})
        settled, self._settled = self._settled, carried
        return settled != carried and not self._was_expected(outdated)

    def _was_expected(self, outdated: Mapping[int, Any]) -> bool:
        """Whether all of this was expected, and nobody has read any of it."""
        if self._was_read or not self._marked:
            return False
        return all(key in self._marked or self._is_new(*pair) for key, pair in outdated.items())

    def _is_new(self, value: Any, mark: Any) -> bool:
        """Whether the turn has made something: each turn makes another one."""
        member = getattr(mark, "value", value)
        if id(member) in self._entered:
            return True
        owner, met, is_made = staging.met.get(id(member), (None, 0, False))
        return owner is member and met >= self._begun and (is_made or is_copy(member))
