"""LLVM IR of loops with sums inside, as vectors of the turns outside: LLVM makes such of inner loops alone.

::

    for j in range(64):                     sums of 64 turns are a few registers; of each k,
        sum = 0.0                           one number of x meets 64 of y, which lie together
        for k in range(n):           ⇒
            sum += x[k] * y[k, j]
        z[j] = sum

Where each turn reads elements that lie next to those of the turn before, or the same, the sums of many turns
go side by side, each in an order of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.intrinsics import FUSED
from runtime.executors.native.language.expressions import linear
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Fold,
    For,
    Load,
    Number,
    Rows,
    Set,
    Statement,
    Store,
    Variable,
    While,
    add,
)
from runtime.executors.native.language.row_facts import Kind, Kinds, Names, applied_kind
from runtime.executors.native.language.walking import (
    changed_by,
    exposed_in,
    expressions_in,
    inside,
    kinds_in,
    numbers_in,
    parts_of,
    with_parts,
)
from runtime.executors.native.llvm import emit_wide
from runtime.executors.native.llvm.emit_rows import Around, RowsEmitter
from runtime.executors.native.llvm.polling import turn_of

__all__ = ["Nest", "nest_of"]

_MOST_STEPS = 120
"""Statements that are worth it: each is written for several registers."""
_LONGEST = 1 << 16
"""Turns of a loop inside: nobody looks at signals meanwhile."""
_REGISTER = 64
"""Bytes of the widest register."""
_SUMS = 8
"""Registers of sums that keep a processor busy: each addition waits for the one before."""
_LEAST = 32
"""Bytes of a number of all turns: fewer are no vector."""


class Nest:
    """A loop that is done in groups of turns, with loops inside.

    Parameters
    ----------
    loop : For
    width : int
        Turns of a group.
    body : sequence of Statement
        Of a turn, in words of `Rows`.
    """

    def __init__(self, loop: For, width: int, body: Sequence[Statement]) -> None:
        self.loop, self.width, self._body = loop, width, body

    def emit(self, around: Around) -> None:
        """Writes all turns; the last group begins with some that were done, and stores the same once more."""
        code, slot, loop = around.code, around.slot(self.loop.index), self.loop
        rows = RowsEmitter(around, Rows(loop.index, loop.count, self._body, []), self.width, counts=False)
        last = code.value(f"sub i64 {around.expression(loop.count).text}, {self.width}")
        head, after = map(code.label, ("groups", "after"))
        code.add(f"store i64 0, ptr {slot}")
        start = rows.begin_group(last, head, after)
        rows.group(self._body)
        code.add(f"store i64 {code.value(f'add nuw nsw i64 {start}, {self.width}')}, ptr {slot}")
        around.worked(str(self._work()))
        code.add(f"br label %{head}")
        code.begin(after)
        code.add(f"store i64 {around.expression(loop.count).text}, ptr {slot}")

    def _work(self) -> int:
        """The units of a group: its loops are no longer than what is known."""
        work = 0
        for each in self.loop.body:
            turns = int(each.count.value) if isinstance(each, For) and isinstance(each.count, Number) else 1
            work += turns * (turn_of(each) if isinstance(each, For) else 1)
        return self.width * work


def nest_of(loop: For, fresh: Collection[str], reads: Mapping[str, int]) -> Nest | None:
    """A loop as a nest; None for one that is LLVM's.

    Parameters
    ----------
    loop : For
    fresh : collection of str
        Arrays that were made since anything else got a name.
    reads : mapping of str to int
        How often the function reads each number.
    """
    kinds = kinds_in(loop.body)
    if For not in kinds or not kinds <= {Set, Fold, Store, For} or not isinstance(loop.count, Number):
        return None
    inner = [each for each in loop.body if isinstance(each, For)]
    lengths = [each.count for each in inner]
    if any(For in kinds_in(each.body) or Store in kinds_in(each.body) for each in inner):
        return None
    if not all(isinstance(each, Number) and 0 < each.value <= _LONGEST for each in lengths):
        return None
    body = _read_as_written(list(_as_rows(loop.body)))
    turns = int(loop.count.value)
    if len(list(inside(body))) > _MOST_STEPS or not _may_go_side_by_side(loop, turns, body, fresh, reads):
        return None
    width = _width(loop, turns)
    return None if width == 0 else Nest(loop, width, body)


def _may_go_side_by_side(
    loop: For, turns: int, body: Sequence[Statement], fresh: Collection[str], reads: Mapping[str, int]
) -> bool:
    """Whether no turn needs another, all its steps have vectors, and its elements lie together."""
    expressions = [expression for each in inside(body) for expression in expressions_in(each)]
    parts = [part for each in expressions for part in parts_of(each)]
    written = {each.array.name for each in inside(body) if isinstance(each, Store)}
    if not written or not written <= set(fresh):
        return False
    if any(isinstance(part, Load) and part.array.name in written for part in parts):
        return False
    if not all(map(emit_wide.has_vector_of, parts)):
        return False
    names = set(changed_by(body))
    if exposed_in(body, {loop.index.name}) & names or loop.index.name in names:
        return False
    within = Counter([name for each in inside(loop.body) for name in numbers_in(each)])
    if any(reads.get(name, 0) != within[name] for name in changed_by([loop])):
        return False  # it is asked for when the loop is over
    kinds = Kinds(Rows(loop.index, loop.count, body, []), Names(body, ()), ())
    stores = [each for each in inside(body) if isinstance(each, Store)]
    is_next = all(_kind(each.place, kinds, loop.index) is Kind.NEXT for each in stores)
    return is_next and kinds.reads is not Kind.EACH and _are_apart(stores, turns)


def _are_apart(stores: Sequence[Store], turns: int) -> bool:
    """Whether no turn stores where another does: what is stored next to one another may be stored at once."""
    places: dict[str, list[tuple[object, int]]] = {}
    for each in stores:
        known = linear(each.place)
        own: tuple[object, int] = (
            (each.place, 0) if known is None else (frozenset(known[0].items()), known[1])
        )
        others = places.setdefault(each.array.name, [])
        if any(own[0] != other[0] or 0 < abs(own[1] - other[1]) < turns for other in others):
            return False
        others.append(own)
    return True


def _kind(place: Expression, kinds: Kinds, index: Variable) -> Kind:
    match place:
        case Variable(name):
            return Kind.NEXT if place == index else kinds.of(name)
        case Apply(function, arguments, dtype):
            return applied_kind(function, [_kind(each, kinds, index) for each in arguments], dtype)
        case Number():
            return Kind.SAME
    return Kind.EACH


def _width(loop: For, turns: int) -> int:
    """Turns of a group: so many that sums need not wait; 0 where they are too few for a vector."""
    folds = [each for each in inside(loop.body) if isinstance(each, Fold)]
    sums = {each.variable.name: each.variable.dtype.itemsize for each in folds}
    stored = [each.array.dtype.itemsize for each in loop.body if isinstance(each, Store)]
    widest = max([*sums.values(), *stored])
    if turns * widest < _LEAST or not sums:
        return 0
    inner = [each.body for each in loop.body if isinstance(each, For)]
    at_once = max(1, *[sum(isinstance(each, Fold) for each in body) for body in inner])

    def cost(width: int) -> tuple[int, int]:
        registers = max(1, width * widest // _REGISTER) * at_once
        return -(-turns // width) * max(registers, _SUMS // 2), -width

    most = min(turns, max(_REGISTER, _SUMS // at_once * _REGISTER) // widest)
    return min([1 << power for power in range(2, most.bit_length())], key=cost)


def _read_as_written(statements: Sequence[Statement]) -> list[Statement]:
    """Statements of a turn that read no element which the turn has written: its value has a name."""
    known: dict[tuple[str, Expression], Variable] = {}
    found: list[Statement] = []
    sets = Counter(changed_by(statements))

    def stays(place: Expression) -> bool:
        return all(sets[part.name] < 2 for part in parts_of(place) if isinstance(part, Variable))

    def read(expression: Expression) -> Expression:
        if isinstance(expression, Load) and (expression.array.name, expression.place) in known:
            return known[expression.array.name, expression.place]
        return with_parts(expression, read)

    for each in statements:
        match each:
            case Set(variable, value):
                found.append(Set(variable, read(value)))
            case Store(array, place, value):
                kept = Variable(f"{array.name}.{len(found)}", array.dtype)
                if stays(place):
                    known[array.name, place] = kept
                found += [Set(kept, read(value)), Store(array, place, kept)]
            case _:
                found.append(each)
    return found


def _as_rows(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements in the words that rows have: loops that count, and sums in turn."""
    for each in statements:
        match each:
            case For(index, count, body):
                test = Variable(f"{index.name}.goes", bool_)
                yield Set(index, Number(0, int64))
                asked = Set(test, Apply("less", (index, count), bool_))
                yield While([asked], test, [*_as_rows(body), Set(index, add(index, 1))])
            case Fold(total, "add", Apply("multiply", (one, other), dtype)) if dtype.is_floating:
                yield Set(total, Apply(FUSED, (one, other, total), dtype))
            case Fold(total, function, value):
                yield Set(total, Apply(function, (total, value), total.dtype))
            case _:
                yield each
