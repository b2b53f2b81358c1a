"""What a trace goes back to where something was tried in vain, and the program is traced in another way."""

from __future__ import annotations

from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.notes import write_back
from runtime.graph.build import builder_in_use
from runtime.graph.refusals import forget_since, refusals, require_heard

__all__ = ["Savepoint"]


class Savepoint:
    """A time of a trace: its nodes, what had given way or was a copy by then, and what was refused.

    Variables are not part of it (`restored_on_error`).
    """

    def __init__(self) -> None:
        write_back()  # else it would happen in what is tried
        self._go_back = builder_in_use().checkpoint()
        self._moved = set(staging.moves)
        self._refusals = refusals()
        self._copies, self._tangled = dict(staging.copies), staging.tangled

    def require_heard(self) -> None:
        """Sees to it that code of the user's has caught no refusal since then."""
        require_heard(self._refusals)

    def go_back(self) -> None:
        """Has nothing happened since then. To be called once."""
        forget_since(self._refusals)
        staging.copies, staging.tangled = self._copies, self._tangled
        for move in [each for key, each in reversed(staging.moves.items()) if key not in self._moved]:
            heap.take_back(move.old)
        self._go_back()
