"""Which arrays of a function may lie in the memory of one, and how often each is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from runtime.executors.native.language.loops import (
    Alias,
    Apply,
    Call,
    Cast,
    Function,
    Host,
    Load,
    Number,
    Release,
    Variable,
)
from runtime.executors.native.language.walking import arrays_read, inside

__all__ = ["Memories", "uses_of"]

_NUMBERS = (Variable, Number, Load, Apply, Cast)


class Memories:
    """The memories of a function's arrays, each by one of the names that it may have at any time."""

    def __init__(self, function: Function) -> None:
        self._same: dict[str, str] = {}
        for each in inside(function.body):
            match each:
                case Alias(array, of):
                    self._join([array.name, of.name])
                case Call(_, arguments, results) | Host(_, arguments, results):
                    arrays = [*arguments, *results]
                    self._join([one.name for one in arrays if not isinstance(one, _NUMBERS)])

    def of(self, name: str) -> str:
        """What stands for all arrays that may lie in the memory of one."""
        while name in self._same:
            name = self._same[name]
        return name

    def _join(self, names: Sequence[str]) -> None:
        for name in names[1:]:
            one, other = self.of(names[0]), self.of(name)
            if one != other:
                self._same[one] = other


def uses_of(function: Function) -> Counter[str]:
    """How often arrays and objects are asked for by name, what is written to included."""
    uses = Counter([name for each in inside(function.body) for name in arrays_read(each)])
    uses.update(each.name for each in function.results)
    kept = [each.keep for each in inside(function.body) if isinstance(each, Release)]
    uses.update(each.name for names in kept for each in names)
    return uses
