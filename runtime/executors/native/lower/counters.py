"""How far a turn of a loop moves the numbers that it counts with, whichever of its branches it takes.

::

    for i in range(n):
        if keep[i]:
            out[count] = x[i]           # count goes up by 0 or 1
            count += 1

So in a turn, such a number is no farther from where it began than the turns before it can have moved it.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import int64
from runtime.executors.native.language.loops import Apply, Expression, If, Number, Set, Statement, Variable
from runtime.executors.native.language.walking import changed_in, changes_of

__all__ = ["Step", "Steps", "follow", "steps_in"]

_MOST = 1 << 15
"""The farthest that a number is moved."""


@dataclass(frozen=True)
class Step:
    """A number as what another one was before, and what has been added to it.

    Attributes
    ----------
    name : str
        The other one; of known numbers, none.
    least, most : int
    """

    name: str
    least: int = 0
    most: int = 0

    def plus(self, other: Step | None, sign: int = 1) -> Step | None:
        """More added: known numbers."""
        if other is None or other.name:
            return None
        ends = sorted((sign * other.least, sign * other.most))
        return Step(self.name, self.least + ends[0], self.most + ends[1]).if_short()

    def joined(self, other: Step | None) -> Step | None:
        """One or the other."""
        if other is None or other.name != self.name:
            return None
        return Step(self.name, min(self.least, other.least), max(self.most, other.most))

    def if_short(self) -> Step | None:
        """The same, unless it is a long one."""
        return self if max(abs(self.least), abs(self.most)) <= _MOST else None


Steps = ChainMap[str, Step | None]
"""What numbers are now; None for what is nothing of this."""


def steps_in(turn: Sequence[Statement]) -> dict[str, Step]:
    """How far a turn moves each number of which that is known."""
    steps: Steps = ChainMap({name: Step(name) for name in changed_in(turn)})
    follow(turn, steps)
    return {name: step for name, step in steps.items() if step is not None and step.name == name}


def follow(statements: Sequence[Statement], steps: Steps) -> None:
    """Has steps say what numbers are behind some statements."""
    for each in statements:
        match each:
            case Set(variable, value):
                steps[variable.name] = _step_of(value, steps) if variable.dtype is int64 else None
            case If(_, then, orelse):
                one, other = steps.new_child(), steps.new_child()
                follow(then, one)
                follow(orelse, other)
                for name in {**one.maps[0], **other.maps[0]}:
                    found = one.get(name)
                    steps[name] = None if found is None else found.joined(other.get(name))
            case _:
                steps.update(dict.fromkeys(changes_of(each)))


def _step_of(value: Expression, steps: Steps) -> Step | None:
    match value:
        case Number(number, dtype) if dtype is int64:
            return Step("", int(number), int(number)).if_short()
        case Variable(name):
            return steps.get(name)
        case Apply("add" | "subtract" as function, (one, other)):
            first, second = _step_of(one, steps), _step_of(other, steps)
            if first is None or second is None:
                return None
            if function == "subtract":
                return first.plus(second, -1)
            return first.plus(second) or second.plus(first)
        case Apply("select", (_, one, other)):
            found = _step_of(one, steps)
            return None if found is None else found.joined(_step_of(other, steps))
    return None
