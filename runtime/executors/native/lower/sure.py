"""Hoists bounds checks out of counted loops: indices are checked once, before the loop.

::

                                            if 0 <= n - 1 and n - 1 < 51:
    while i < n:                                for i in range(n):
        if not (0 <= i and i < 51):                 y[i] = y[i] + 1
            fail                        ⇒   else:
        y[i] = y[i] + 1                         while i < n:
        i = i + 1                                   ...

An index is a sum of multiples of the numbers of turns and of numbers that the loop does not change, so its
least and its most are known from these. An index that is an element of an array is looked at in every turn. A
loop that counts from 0 becomes a `For`, which looks at signals now and then. One may also count down, or by
larger steps, or ask for more than that, as `while i >= 0 and x[i] > y` does, and every loop with a `break`.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import chain

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    Fail,
    For,
    Function,
    If,
    Number,
    Rows,
    Set,
    Statement,
    Try,
    Variable,
    While,
    add,
    multiply,
)
from runtime.executors.native.language.walking import (
    changed_in,
    changes_of,
    inside,
    kinds_in,
    numbers_in,
    size_of,
    units,
    with_blocks,
)
from runtime.executors.native.lower.counted import Counted
from runtime.executors.native.lower.counters import Steps, follow, steps_in
from runtime.executors.native.lower.sums import (
    LARGE,
    Fits,
    Said,
    Sum,
    Sums,
    inside_of,
    meaning_of,
    said_by,
    sum_of,
)

__all__ = ["sure"]

_MOST = 200
"""Statements of a loop that is not written twice."""
_MOST_SAID = 16
"""What tests have said last, as far as it is kept in mind."""
_FEW = 8
"""Terms of a sum that cannot wrap around where each is less than `LARGE` times a factor."""


def sure(function: Function) -> Function:
    """A function whose counted loops look at indices before they begin."""
    reads = Counter([name for each in inside(function.body) for name in numbers_in(each)])
    reads.update(each.name for each in function.results if isinstance(each, Variable))
    body = _Block(reads).statements(function.body, _Known())
    return function.with_body(body)


class _Known:
    """What numbers are before a statement, each a sum of others; a number that changes is in few of them.

    Of some only the least and the most are known, as branches have left them: these are `steps` from zero.
    What is not negative, tests and checks have said: `said`.
    """

    def __init__(self, steps: Steps | None = None) -> None:
        self.steps: Steps = ChainMap() if steps is None else steps
        self.sums: dict[str, Sum] = {}
        self.said: list[Said] = []
        self._of: dict[str, set[str]] = {}
        self._tests: dict[str, list[Said]] = {}

    def learn(self, name: str, now: Sum) -> None:
        """Says what a number is that was forgotten."""
        self.sums[name] = now
        for part, _ in now.terms:
            self._of.setdefault(part, set()).add(name)

    def test(self, name: str, value: Expression) -> None:
        """Says what a truth value says where it holds."""
        said = said_by(value, self.sums, self._tests)
        if said:
            self._tests[name] = said
        if len(self._tests) > _MOST_SAID:
            del self._tests[next(iter(self._tests))]

    def choose(self, branch: If) -> None:
        """Takes over a branch: a truth value that holds where its test does says what all have said."""
        match branch:
            case If(test, [*then, Set(found, last)], [Set(other, Number(False))]) if found == other:
                inner = self.where(test)
                for each in then:
                    match each:
                        case Set(variable, value):
                            inner.forget([variable.name])
                            inner.test(variable.name, value)
                        case If():
                            inner.choose(each)
                        case _:
                            inner.forget(changes_of(each))
                inner.hold(last)
                self.forget(changes_of(branch))
                self._tests[found.name] = inner.said
            case _:
                self.forget(changes_of(branch))

    def where(self, test: Expression) -> _Known:
        """The same, where a test holds."""
        found = self.without(())
        found.hold(test)
        return found

    def hold(self, test: Expression) -> None:
        """Says that a test holds."""
        self.said = [*self.said, *said_by(test, self.sums, self._tests)][-_MOST_SAID:]

    def forget(self, changed: Iterable[str]) -> None:
        """Takes out what is of numbers that have changed."""
        changed = frozenset(changed)
        if not all(each.stays(changed) for each in self.said):
            self.said = [each for each in self.said if each.stays(changed)]
        gone = [
            name
            for name, said in self._tests.items()
            if name in changed or not all(each.stays(changed) for each in said)
        ]
        for name in gone:
            del self._tests[name]
        for name in changed:
            for each in [name, *self._of.get(name, ())]:
                for part, _ in self.sums.pop(each, Sum()).terms:
                    self._of[part].discard(each)

    def without(self, changed: Iterable[str]) -> _Known:
        """The same, but for what is of some numbers."""
        found = _Known(self.steps.new_child(dict.fromkeys(changed)))
        found.sums, found._of = dict(self.sums), {part: set(names) for part, names in self._of.items()}
        found.said, found._tests = self.said, dict(self._tests)
        found.forget(changed)
        return found


class _Block:
    """Blocks of statements outside of loops that are written anew; `known` are numbers before a block."""

    def __init__(self, reads: Counter[str]) -> None:
        self._reads = reads

    def statements(self, statements: Sequence[Statement], known: _Known) -> list[Statement]:
        """A block."""
        found: list[Statement] = []
        for each in units(statements):
            match each:
                case [While() as loop]:
                    found += self._loop(loop, known)
                case [For() as loop]:
                    found += self._quick(each, known) or [self._with_turns(loop, known)]
                case [Rows(), While()]:
                    found += self._quick(each, known) or each
                case [If() as branches] if _has_loops(each):
                    found.append(self._with_inner(branches, known))
                case [Try() as attempt]:
                    found.append(with_blocks(attempt, lambda block: self.statements(block, _Known())))
                case _:
                    found += each
            match each:
                case [Set(variable, value)]:
                    now = sum_of(value, known.sums)
                    known.forget([variable.name])
                    if now is not None and variable.name not in dict(now.terms):
                        known.learn(variable.name, now)
                    elif variable.dtype is bool_:
                        known.test(variable.name, value)
                case [If(Apply("logical_not", (test,)), [Fail()], [])]:
                    known.hold(test)
                case [If() as branch]:
                    known.choose(branch)
                case _:
                    known.forget(changed_in(each))
            follow(each, known.steps)
        return found

    def _loop(self, loop: While, known: _Known) -> list[Statement]:
        """A loop in two forms, where that gains something, and else with such loops inside."""
        quick = self._quick([loop], known)
        if quick is not None:
            return quick
        return [self._with_turns(loop, known)]

    def _with_turns(self, loop: Statement, known: _Known) -> Statement:
        """A loop with such loops inside."""
        if not isinstance(loop, For | While):
            return loop
        if not _has_loops(loop.body) and not (isinstance(loop, While) and _has_loops(loop.before)):
            return loop
        inner = known.without(changes_of(loop))
        if isinstance(loop, For):
            return self._with_inner(loop, inner)
        before = self.statements(loop.before, inner)  # what is known behind it is known in the turn
        body = self.statements(loop.body, inner.where(loop.test))
        return While(before, loop.test, body, loop.most)

    def _with_inner(self, statement: Statement, known: _Known) -> Statement:
        """A statement with such blocks inside, before each of which numbers are `known`."""
        if isinstance(statement, If):
            then = self.statements(statement.then, known.where(statement.test))
            orelse = self.statements(statement.orelse, known.without(()))
            return If(statement.test, then, orelse, is_rare=statement.is_rare)
        return with_blocks(statement, lambda block: self.statements(block, known.without(())))

    def _quick(self, loop: Sequence[Statement], known: _Known) -> list[Statement] | None:
        """A loop in a form that looks less, or in two; None where there is none. Its rows are before it."""
        if size_of(loop[-1:]) > _MOST:
            return None
        walk, changed = _Walk(self._reads), changed_in(loop)
        walk.said = [each for each in known.said if each.stays(changed)]
        begin = {
            name: each
            for name, each in known.sums.items()
            if changed.isdisjoint(part for part, _ in each.terms)
        }
        read = {*changed, *chain.from_iterable(map(numbers_in, inside(loop)))}
        parts = {part for name in read for part, _ in begin.get(name, Sum(((name, 1),))).terms}
        for name in sorted(parts - changed):
            step = known.steps.get(name)
            if step is not None and step.least < step.most:
                walk.ranges[name] = Sum((), step.least), Sum((), step.most)
        fast = walk.block(loop, {**dict.fromkeys(changed), **begin})
        if not walk.gained:
            return None
        walk.small |= walk.beside
        fast = [self._with_turns(each, known) for each in _without(fast, walk.plain)]
        slow = [self._with_turns(each, known) for each in loop] if walk.counts else list(loop)
        return _tests(walk, fast, slow) if walk.needed or walk.small else fast


def _has_loops(statements: Sequence[Statement]) -> bool:
    return not kinds_in(statements).isdisjoint({While, For})


@dataclass
class _Walk:
    """A loop written anew.

    Attributes
    ----------
    needed : dict of Sum to None
        What must not be negative for this to be right.
    small : set of str
        Numbers that must not be large.
    plain : set of str
        Numbers that count from the end where they are negative, which they are not.
    gained : bool
        Whether anything is looked at no more.
    counters : set of str
        Numbers that turns move by a few.
    counts : bool
        Whether what is needed is more than turns may need: a number may stay where it is in many.
    """

    reads: Counter[str]
    needed: dict[Sum, None] = field(default_factory=dict)
    small: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    gained: bool = False
    counters: set[str] = field(default_factory=set)
    counts: bool = False
    ranges: dict[str, tuple[Sum, Sum]] = field(default_factory=dict)
    """The least and the most of numbers of turns."""
    strides: dict[str, Sum] = field(default_factory=dict)
    """What is added to these in a turn, and has to be more than 0."""
    beside: frozenset[str] = frozenset()
    """Numbers that loops compare together with their indices."""
    in_rows: bool = False
    """Whether statements are of rows, in which each loop is a `While`."""
    turning: list[tuple[Sum, bool]] = field(default_factory=list)
    """What is not negative in a turn of the loops around, and whether it cannot wrap around."""
    said: Sequence[Said] = ()
    """What tests have said before the loop."""

    def rows(self, rows: Rows, loop: While, sums: Sums) -> list[Statement]:
        """Rows, and the loop that goes on where they end."""
        counted = Counted.of(loop, sums)
        if counted is None:
            return [rows, *self.loop(loop, {**sums, **dict.fromkeys(changes_of(rows))})]
        index = counted.index.name
        self.ranges[index] = counted.least, counted.most
        inner = {**sums, **dict.fromkeys(changed_in([rows, loop])), index: Sum(((index, 1),))}
        self.in_rows = True
        with self._turn(counted.least, counted.most):
            body = self.block(rows.body, inner)
            self.in_rows = False
            quick = Rows(rows.index, rows.count, body, self.block(rows.after, inner))
        return [quick, *self.loop(loop, sums, is_rest=True)]

    def loop(self, loop: While, sums: Sums, *, is_rest: bool = False) -> list[Statement]:
        """A loop, before which numbers are some sums; it may be the rest of one."""
        counted = Counted.of(loop, sums)
        inner = {**sums, **dict.fromkeys(changes_of(loop))}
        if counted is None:
            before = self.block(loop.before, inner)
            return [While(before, loop.test, self.block(loop.body, inner), loop.most)]
        index = counted.index
        if counted.stride is not None:
            self.strides[index.name] = counted.stride
        self.ranges[index.name] = counted.least, counted.most
        inner[index.name] = Sum(((index.name, 1),))
        self.beside |= counted.beside
        if changed_in(loop.before).isdisjoint(changed_in(loop.body)):
            self._count(loop.body, counted.most.plus(counted.least, -1), sums, inner)
        before = list[Statement]()
        with self._turn(counted.least, counted.most):
            for each in loop.before:
                if isinstance(each, Set):
                    inner[each.variable.name] = meaning_of(each.value, inner)
                before.append(self._more(each, inner) if isinstance(each, If) else each)
            body = self.block(loop.body, inner)
        steps = [place for place, each in enumerate(body) if isinstance(each, Set) and each.variable == index]
        last = steps[-1]
        is_asked = any(index.name in numbers_in(each) for each in inside(body[last + 1 :]))
        is_for = counted.count is not None and counted.least == Sum() and self.reads[counted.test.name] == 1
        is_for = is_for and not is_rest and not self.in_rows and not is_asked
        is_for = is_for and self._is_read_alone(loop.before, counted.test)
        if counted.count is not None and is_for:
            return [For(index, counted.count, [*body[:last], *body[last + 1 :]])]
        return [While(before, loop.test, body, loop.most)]

    def _is_read_alone(self, before: Sequence[Statement], test: Variable) -> bool:
        """Whether nothing but a loop's test reads what is computed for that."""
        reads = Counter([name for each in inside(before) for name in numbers_in(each)])
        return all(self.reads[name] == reads[name] for name in changed_in(before) - {test.name})

    @contextmanager
    def _turn(self, least: Sum, most: Sum | None) -> Iterator[None]:
        """A turn of a loop whose index is between two numbers, which are in order then."""
        around = list(self.turning)
        apart = None if most is None else most.plus(least, -1)
        self.turning += [] if apart is None else [(apart, not least.terms and least.known >= 0)]
        yield
        self.turning[:] = around

    def _count(self, turn: Sequence[Statement], last: Sum | None, before: Sums, inner: Sums) -> None:
        """Says how far numbers are that turns move by a few, when the `last` of these begins at most."""
        if last is None:
            return
        for name, step in steps_in(turn).items():
            start = before.get(name)
            if not isinstance(start, Sum) or inner[name] is not None or step.least < 0 < step.most:
                continue
            least, most = start.plus(last, min(step.least, 0)), start.plus(last, max(step.most, 0))
            if least is not None and most is not None:
                self.ranges.pop(name, None)
                self.ranges[name] = least, most
                inner[name] = Sum(((name, 1),))
                self.counters.add(name)

    def _more(self, asks: If, sums: Sums) -> If:
        """What a loop asks of a turn in which its index is as it has to be."""
        return If(asks.test, self.block(asks.then, dict(sums)), asks.orelse)

    def block(self, statements: Sequence[Statement], sums: Sums) -> list[Statement]:
        """A block, before which numbers are some sums; it says what they are after it."""
        found: list[Statement] = []
        for unit in units(statements):
            statement = unit[0]
            match statement:
                case Rows():
                    loop = unit[-1]
                    assert isinstance(loop, While), "rows stand before the loop that does the rest"
                    found += self.rows(statement, loop, sums)
                case Set(variable, value):
                    sums[variable.name] = meaning_of(value, sums)
                    found.append(statement)
                    continue
                case If(Apply("logical_not", (test,)), [Fail()], []) if self._holds(test, sums):
                    self.gained = True
                    continue
                case If(test, then, orelse):
                    found.append(If(test, self.block(then, dict(sums)), self.block(orelse, dict(sums))))
                case For(index, count, body):
                    limit = sum_of(count, sums)
                    most = None if limit is None else limit.plus(Sum((), -1))
                    inner = {**sums, **dict.fromkeys(changes_of(statement))}
                    if most is not None:
                        self.ranges[index.name] = Sum(), most
                        inner[index.name] = Sum(((index.name, 1),))
                        self._count(body, most, sums, inner)
                    with self._turn(Sum(), most):
                        found.append(For(index, count, self.block(body, inner)))
                case While():
                    found += self.loop(statement, sums)
                case Try(body, error, handler):
                    after = {**sums, **dict.fromkeys(changes_of(statement))}
                    found.append(Try(self.block(body, dict(sums)), error, self.block(handler, after)))
                case _:
                    found.append(statement)
            for name in changed_in(unit):
                sums[name] = None
        return found

    def _holds(self, test: Expression, sums: Sums) -> bool:
        """Whether a test is sure to hold, once what that needs does."""
        if isinstance(test, Variable) and isinstance(known := sums.get(test.name), Fits):
            return self._fits(known.sum)
        found = inside_of(test, sums)
        if found is None:
            return False
        room, bent = found.limit.plus(found.place, -1), set[str]()
        room = None if room is None else room.plus(Sum((), -1))
        least, left = self._least(found.place, bent), self._least(room, bent)
        if least is None or left is None or any(not each.terms and each.known < 0 for each in (least, left)):
            return False
        strides = self._strides()
        if strides is None:
            return False
        needed = {each: None for each in (least, left, *strides) if each.terms}
        if any(_are_seldom_both(one, other) for one in needed for other in (*self.needed, *needed)):
            return False
        self.needed.update(needed)
        self.small |= bent
        self.plain.add(found.wraps)
        self.counts = self.counts or bool(needed and self.counters & {name for name, _ in found.place.terms})
        return True

    def _fits(self, found: Sum) -> bool:
        """Whether a sum is sure not to wrap around, once numbers are small: it is a few of them."""
        ends, strides = [self._end(found, most=most) for most in (False, True)], self._strides()
        known = [each for each in ends if each is not None]
        if len(known) < len(ends) or strides is None or any(len(each.terms) > _FEW for each in known):
            return False
        self.needed.update(dict.fromkeys(each for each in strides if each.terms))
        self.small.update(name for each in known for name, _ in each.terms)
        return True

    def _strides(self) -> list[Sum] | None:
        """One less than what turns add to numbers, which must not be negative; None where it is."""
        found: list[Sum] = []
        for stride in self.strides.values():
            least = self._end(stride, most=False)
            less = None if least is None else least.plus(Sum((), -1))
            if less is None or (not less.terms and less.known < 0):
                return None
            found.append(less)
        return found

    def _least(self, value: Sum | None, bent: set[str]) -> Sum | None:
        """The least of a number, as `_end`, but for what a turn says by itself.

        The index of a loop is compared as it is, and a number that differs from it by what is known cannot
        have wrapped around. Sums of several indices, and multiples, can: `bent` gets what has to be small.
        """
        names: set[str] = set()
        is_bent = has_sums = False
        for name in [*reversed(self.ranges), ""]:
            if value is None:
                return None
            factors = dict(value.terms)
            names |= factors.keys() - self.ranges.keys()
            indices = factors.keys() & self.ranges.keys()
            said = self._said(value, has_sums=has_sums)
            if said is False or (said and not indices):
                value, is_bent = Sum(), is_bent or said
                break
            is_bent |= len(indices) > 1
            is_bent |= any(abs(each) > 1 for each in factors.values())
            factor = factors.pop(name, 0)
            if factor:
                rest, end = Sum(tuple(sorted(factors.items())), value.known), self.ranges[name][factor < 0]
                has_sums |= len(end.terms) > 1 or any(abs(each) > 1 for _, each in end.terms)
                value = rest.plus(end, factor)
        bent.update(names if is_bent else ())
        return value

    def _said(self, value: Sum, *, has_sums: bool) -> bool | None:
        """Whether only of small numbers is said that one is not negative; None where nobody says so.

        What was said before the loop holds of sums, which may wrap around, where the loop ends at such.
        """
        for each in self.said:
            more = value.plus(each.sum, -1)
            if more is not None and not more.terms and more.known >= 0:
                return has_sums or not each.is_exact
        for apart, is_plain in self.turning:
            more = value.plus(apart, -1)
            if more is not None and not more.terms and more.known >= 0:
                return not is_plain
        return None

    def _end(self, value: Sum, *, most: bool) -> Sum | None:
        """The most, or the least, of a number: in numbers that the loop does not change.

        Inner loops first: how far they go may depend on the turn of an outer one, as the number may.
        """
        found: Sum | None = value
        for name in reversed(self.ranges):
            factor = 0 if found is None else dict(found.terms).get(name, 0)
            if found is not None and factor:
                rest = Sum(tuple([each for each in found.terms if each[0] != name]), found.known)
                found = rest.plus(self.ranges[name][most is (factor > 0)], factor)
        return found


def _are_seldom_both(one: Sum, other: Sum) -> bool:
    """Whether of two sums at most one can be more than 0: one number more or less, and neither holds."""
    rest = one.plus(other)
    return rest is not None and not rest.terms and rest.known <= 0


def _without(statements: Sequence[Statement], plain: set[str]) -> list[Statement]:
    """Statements in which some numbers are never negative."""
    found: list[Statement] = []
    for each in statements:
        match each:
            case Set(variable, Apply("select", (_, _, same))) if variable.name in plain:
                found.append(Set(variable, same))
            case For(index, count, body):
                found.append(For(index, count, _without(body, plain)))
            case While(before, test, body, most):
                found.append(While(_without(before, plain), test, _without(body, plain), most))
            case Rows(index, count, body, after):
                found.append(Rows(index, count, _without(body, plain), _without(after, plain)))
            case If(test, then, orelse):
                found.append(If(test, _without(then, plain), _without(orelse, plain)))
            case Try(body, error, handler):
                found.append(Try(_without(body, plain), error, _without(handler, plain)))
            case _:
                found.append(each)
    return found


def _tests(walk: _Walk, fast: list[Statement], slow: list[Statement]) -> list[Statement]:
    """Some statements where all is as it is needed, and others elsewhere."""
    names = sorted({name for each in walk.needed for name, _ in each.terms} | walk.small)
    tests = [
        Apply(
            "logical_and",
            (_less(Number(-LARGE, int64), number), _less(number, Number(LARGE, int64))),
            bool_,
        )
        for number in [Variable(name, int64) for name in names]
    ]
    for each in walk.needed:
        terms = [multiply(Variable(name, int64), factor) for name, factor in each.terms]
        tests.append(_less(Number(-1, int64), add(*terms, each.known)))
    holds: Expression = tests[0]
    for test in tests[1:]:
        holds = Apply("logical_and", (holds, test), bool_)
    return [If(holds, fast, slow)]


def _less(one: Expression, other: Expression) -> Apply:
    return Apply("less", (one, other), bool_)
