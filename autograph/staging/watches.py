"""`LoopWatch`: what a loop asks about the container that it goes through."""

from __future__ import annotations

from typing import Any, Protocol, Self

__all__ = ["LoopWatch"]


class LoopWatch(Protocol):
    """A loop over a container that must not change under it: as a context, while the loop runs."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def items(self) -> Any:
        """What the loop goes through."""

    @property
    def asks(self) -> bool:
        """Whether there is anything to ask by now."""

    def ask(self) -> None:
        """Raises, or has a backend raise, where the container has changed."""
