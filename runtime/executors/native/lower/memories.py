"""Which arrays of a function may be of one memory, which of these it makes, how often names are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Call,
    Cast,
    Expression,
    For,
    Function,
    Host,
    Load,
    Number,
    Release,
    Rows,
    Variable,
    While,
)
from runtime.executors.native.language.walking import arrays_read, changes_of, inside

__all__ = ["MadeMemories", "Memories", "uses_of"]

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


class MadeMemories(Memories):
    """Which of them the function makes itself, and how large these are."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._counts: dict[str, list[Expression]] = {}
        statements = list(inside(function.body))
        made = [each for each in statements if isinstance(each, Allocate)]
        for each in made:
            self._counts.setdefault(self.of(each.array.name), []).append(each.count)
        loops = [each for each in statements if isinstance(each, For | While | Rows)]
        self._of_turns = {name for loop in loops for name in changes_of(loop)}
        """Numbers that are others in other turns."""
        aliases = [each for each in statements if isinstance(each, Alias)]
        known = {each.array.name for each in aliases} | {each.array.name for each in made}
        self._others = {self.of(each.of.name) for each in aliases if each.of.name not in known}

    def is_own(self, array: str) -> bool:
        """Whether the function has made the memory that it is."""
        return self.of(array) in self._counts and self.of(array) not in self._others

    def has(self, array: str, count: Expression) -> bool:
        """Whether it has so many elements at least."""
        counts = self._counts.get(self.of(array), [])
        if isinstance(count, Number):
            return all(isinstance(each, Number) and each.value >= count.value for each in counts)
        is_one = isinstance(count, Variable) and count.name not in self._of_turns
        return is_one and all(each == count for each in counts)


def uses_of(function: Function) -> Counter[str]:
    """How often arrays and objects are asked for by name, what is written to included."""
    uses = Counter([name for each in inside(function.body) for name in arrays_read(each)])
    uses.update(each.name for each in function.results)
    kept = [each.keep for each in inside(function.body) if isinstance(each, Release)]
    uses.update(each.name for names in kept for each in names)
    return uses
