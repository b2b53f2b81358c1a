"""An array that one arm of a branch makes, and that is copied behind it, is copied in the other arm alone.

::

    if t:                                   if t:
        x = given                               y = memory(f64, 1000)
    else:                                       y[:] = given[:1000]
        made = memory(f64, 1000)        ⇒   else:
        ...                                     made = memory(f64, 1000)
        x = made                                ...
    y = memory(f64, 1000)                       y = made
    y[:] = x[:1000]

So it is where a loop writes into what it starts with, of which a first turn has already made a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Array,
    Call,
    Copy,
    Function,
    Host,
    If,
    Number,
    Release,
    Set,
    Share,
    Statement,
)
from runtime.executors.native.language.walking import (
    arrays_read,
    as_before,
    changed_by,
    having,
    inside,
    with_blocks,
)

__all__ = ["joining_memory"]


@having(Copy)
def joining_memory(function: Function) -> Function:
    """A function that copies what branches leave only where it has to."""
    facts = _Facts(function, list(inside(function.body)))
    body = list(facts.block(function.body))
    return function.with_body(body)


class _Facts:
    """How often names are read, and set, in a function.

    Attributes
    ----------
    reads, sets : Counter of str
    """

    def __init__(self, function: Function, statements: Sequence[Statement]) -> None:
        self.reads = Counter([name for each in statements for name in arrays_read(each)])
        self.reads.update(each.name for each in function.results)
        self.reads.update(kept.name for each in statements if isinstance(each, Release) for kept in each.keep)
        self.sets = Counter(changed_by(function.body))

    def block(self, statements: Sequence[Statement]) -> Sequence[Statement]:
        """Statements whose branches give memory of their own."""
        found = [with_blocks(each, lambda inner: as_before(self.block(inner), inner)) for each in statements]
        for copy in [each for each in found if isinstance(each, Copy)]:
            found = self._joined(found, copy)
        return found

    def _joined(self, statements: list[Statement], copy: Copy) -> list[Statement]:
        """Statements without a copy, which an arm of the branch before makes, if one has no need to."""
        made = Allocate(copy.array, copy.count)
        if copy.may_be_one or not isinstance(copy.count, Number) or self.reads[copy.of.name] != 1:
            return statements
        behind = next(place for place, each in enumerate(statements) if each is copy)
        place = next((at for at in range(behind - 1, -1, -1) if isinstance(statements[at], If)), behind)
        between, branch = statements[place + 1 : behind], statements[place]
        new = [each.array for each in between if isinstance(each, Allocate)]
        is_between = all(
            isinstance(each, Set | Allocate | Alias) or (isinstance(each, Copy) and each.array in new)
            for each in between
        )
        if not isinstance(branch, If) or made not in between or not is_between:
            return statements
        arms = [self._arm(block, copy) for block in (branch.then, branch.orelse)]
        then, orelse = [arm for arm, _ in arms]
        if then is None or orelse is None or not any(is_own for _, is_own in arms):
            return statements
        joined = If(branch.test, then, orelse, is_rare=branch.is_rare)
        rest = [each for each in statements[place + 1 :] if each is not copy and each != made]
        return [*statements[:place], joined, *rest]

    def _arm(self, block: Sequence[Statement], copy: Copy) -> tuple[list[Statement] | None, bool]:
        """An arm that makes the copy, and whether it has no need to; None where it leaves no array."""
        names = [each for each in block if isinstance(each, Alias) and each.array == copy.of]
        if len(names) != 1 or self.sets[copy.of.name] != _ARMS or not isinstance(names[0].of, Array):
            return None, False
        (name,), source = names, names[0].of
        rest = [each for each in block if each is not name]
        if self._is_alone(source, rest) and Allocate(source, copy.count) in block:
            return [*rest, Alias(copy.array, source)], True
        return [*rest, Allocate(copy.array, copy.count), Copy(copy.array, source, copy.count)], False

    def _is_alone(self, array: Array, statements: Sequence[Statement]) -> bool:
        """Whether memory has one name, which these statements alone use."""
        readers = [each for each in inside(statements) if array.name in arrays_read(each)]
        times = sum(arrays_read(each).count(array.name) for each in readers)
        is_here = times + 1 == self.reads[array.name]  # it is read for the name that it gets
        return is_here and not any(isinstance(each, Alias | Call | Host | Share) for each in readers)


_ARMS = 2
