"""LLVM IR of loops: those over arrays, whose turns LLVM makes vectors of, and `while` loops.

Each counts its work, and looks at signals when that was enough: a loop of known turns in chunks, another in
every turn. A turn that branches is written once, unless a processor foresees the ways of several copies as
well as those of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Protocol

from runtime.core.dtypes import bool_
from runtime.executors.native.language.loops import (
    Alias,
    Array,
    Break,
    Fail,
    Fold,
    For,
    Function,
    If,
    Load,
    Number,
    Rows,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.turns import Turns
from runtime.executors.native.language.walking import inside, numbers_in
from runtime.executors.native.llvm import emit_wide as emit_wide_
from runtime.executors.native.llvm.arms import with_tests_in_arms
from runtime.executors.native.llvm.code import LONG, SHORT, Code, Lanes, Vectors
from runtime.executors.native.llvm.emit_entry import type_of
from runtime.executors.native.llvm.emit_nests import nest_of
from runtime.executors.native.llvm.emit_rows import Around, RowsEmitter, widths_of
from runtime.executors.native.llvm.lanes import (
    changed,
    counts_at_branches,
    has_far,
    has_lanes,
    has_quotients,
    is_straight,
    looks_up,
    may_be_repeated,
    runs_straight,
    waits_at_branches,
)
from runtime.executors.native.llvm.polling import (
    BUDGET,
    chunk_of,
    is_little,
    most_turns_of,
    turn_of,
)
from runtime.executors.native.llvm.strips import Moved, Strip, moved_inside, strip_of
from runtime.executors.native.numpys_own import name_of_loop, row_of

__all__ = ["LEFT", "LoopsEmitter", "unseen_in"]

COPIES = 4
"""Turns between two looks at how much was done, of `while` loops whose turns are short."""
_SHORT_TURN = 24
"""Units of such a turn."""
_STRIP, _SHORTEST_STRIP = 1 << 11, 8
"""Units of a strip; and its turns, at least."""
_UNSEEN, _FEWEST = 64 * BUDGET, 32
"""Units that loops inside of one may be before that looks how much was done; and its turns, at least."""
_FEW, _SOME = 40, 80
"""Units of a turn that branches and is written four times, or twice, where that is foreseen as well."""
_AROUND = "turn"
"""How blocks of loops around others are called."""
LEFT = "%left"
"""The place for what a function may do until it looks at signals: counting down asks in the same step."""


class AroundLoops(Around, Protocol):
    """What writes the function around.

    Attributes
    ----------
    fresh : set of str
        Arrays that were made in the block that is being written, and have no other name yet.
    """

    fresh: set[str]

    def return_unless_zero(self, status: str) -> None:
        """Ends the function where a status says so."""
        ...


class LoopsEmitter:
    """The loops of a function.

    Parameters
    ----------
    around : AroundLoops
    function : Function
    without_place : collection of str
        The numbers that nobody asks for behind the loop that sets them.
    vectors : Vectors
    polls : bool
        As of `emit.emitted`.
    """

    def __init__(
        self,
        around: AroundLoops,
        function: Function,
        without_place: Collection[str],
        *,
        vectors: Vectors,
        polls: bool,
    ) -> None:
        self._around = around
        self._code: Code = around.code
        self._without_place = without_place
        self._vectors = vectors
        self._polls = polls
        self._function = function
        self._lengths = Turns(function)
        self._exits: list[str] = []
        """Where the loops around go on when they are over, innermost last."""
        self._is_looked_at = False
        """Whether a loop around looks soon at how much was done."""

    def emit(self, loop: For | While | Rows) -> None:
        """Writes a loop."""
        match loop:
            case For():
                self._for(loop)
            case While():
                self._while(loop)
            case Rows():
                if self._vectors.fuse:
                    for width in widths_of(loop):
                        RowsEmitter(self._around, loop, width).emit(self._vectors)

    def leave(self) -> None:
        """Leaves the loop around."""
        code = self._code
        code.add(f"br label %{self._exits[-1]}")
        code.begin(code.label("never"))

    def worked(self, units: str, *, is_behind: bool = False) -> None:
        """Counts work; where it was enough, signals are looked at.

        Where it `is_behind` loops that were only counted, it may have been more than enough.
        """
        if not self._polls:
            return
        code = self._code
        left = code.value(f"load i64, ptr {LEFT}")
        is_time = code.value(f"icmp {'slt' if is_behind else 'ult'} i64 {left}, {units}")
        code.add(f"store i64 {code.value(f'sub i64 {left}, {units}')}, ptr {LEFT}")
        poll, on = code.label("poll"), code.label("on")
        code.add(f"br i1 {is_time}, label %{poll}, label %{on}, !prof !0")
        code.begin(poll)
        code.add(f"store i64 {BUDGET}, ptr {LEFT}")
        self._around.return_unless_zero(code.value("call i32 @ag_poll(ptr %context)"))
        code.add(f"br label %{on}")
        code.begin(on)

    def _counted(self, units: str) -> None:
        """Counts the work of an innermost loop, which is no more than one look lets pass."""
        if not self._is_looked_at:
            self.worked(units)
            return
        code = self._code
        left = code.value(f"load i64, ptr {LEFT}")
        code.add(f"store i64 {code.value(f'sub i64 {left}, {units}')}, ptr {LEFT}")

    def _unseen_in(self, loop: For | While) -> int:
        """The most units of loops in a turn that need not look, as they are counted; 0 where some have to."""
        if not self._polls or (isinstance(loop, For) and _leaves(loop.body)):
            return 0
        return unseen_in(loop.body) or 0

    @contextmanager
    def _looking(self, *, soon: bool) -> Iterator[None]:
        """Opens a block in which loops are done of which one around looks soon at how much that was."""
        around, self._is_looked_at = self._is_looked_at, soon
        try:
            yield
        finally:
            self._is_looked_at = around

    def _for(self, loop: For) -> None:
        """A loop; where functions may meet what is too large for them, with another that is done then."""
        code = self._code
        row = row_of(loop)
        if row is not None:
            self._by_numpy(loop, *row)
            return
        if not self._vectors.fuse:
            self._turns(loop)
            return
        nest = nest_of(loop, self._around.fresh, self._reads)
        if nest is not None:
            self._wide(loop, nest.width, nest.emit)
            return
        if not has_lanes(loop):
            self._turns(loop)
            return
        width = emit_wide_.width_of(loop, self._around.fresh, self._without_place)
        if width:
            self._wide(loop, width, lambda around: emit_wide_.emit_wide(around, loop, width))
            return
        if not has_far(loop) or not may_be_repeated(loop, self._around.fresh):
            code.lanes = Lanes()
            self._turns(loop)
            code.lanes = None
            return
        lanes = self._noting()
        lasting = [each for each in changed(loop) if self._around.has_place(each)]
        kept = {each: code.value(f"load {type_of(each)}, ptr {self._around.slot(each)}") for each in lasting}
        code.lanes = lanes
        self._turns(loop)
        again, done = code.label("again"), code.label("done")
        is_far = code.value(f"load i1, ptr {lanes.far}")
        code.add(f"br i1 {is_far}, label %{again}, label %{done}, !prof !0")
        code.begin(again)
        for each, value in kept.items():
            code.add(f"store {type_of(each)} {value}, ptr {self._around.slot(each)}")
        code.lanes = Lanes()
        self._turns(loop)
        code.lanes = None
        code.add(f"br label %{done}")
        code.begin(done)

    def _by_numpy(self, loop: For, function: str, operand: Load, results: Array) -> None:
        """All turns of a loop as one call of NumPy's."""
        code = self._code
        count = self._around.expression(loop.count).text
        turns = code.value(f"call i64 @llvm.smax.i64(i64 {count}, i64 0)")
        given, found = self._around.pointer(operand.array), self._around.pointer(results)
        name = name_of_loop(function, operand.dtype)
        code.add(f"call void @{name}.row(ptr {given}, ptr {found}, i64 {turns})")
        code.add(f"store i64 {turns}, ptr {self._around.slot(loop.index)}")
        self.worked(code.value(f"mul nuw nsw i64 {turns}, {turn_of(loop)}"))

    def _noting(self) -> Lanes:
        """Lanes with a place where a loop notes that it met what is too large for its functions."""
        far = self._around.place("far", "i1")
        self._code.add(f"store i1 false, ptr {far}")
        return Lanes(far)

    @cached_property
    def _reads(self) -> Counter[str]:
        """How often the function reads each number."""
        function = self._function
        reads = Counter([name for each in inside(function.body) for name in numbers_in(each)])
        reads.update(each.name for each in function.results if isinstance(each, Variable))
        return reads

    def _wide(self, loop: For, width: int, emit: Callable[[Around], None]) -> None:
        """A loop as vectors of ours; turn by turn where it has too few turns, or too large numbers."""
        code, count = self._code, self._around.expression(loop.count).text
        wide, again, done = map(code.label, ("wide", "again", "done"))
        lanes = self._noting() if has_far(loop) else Lanes()
        is_certain = isinstance(loop.count, Number) and loop.count.value >= width
        if not is_certain:
            is_enough = code.value(f"icmp sge i64 {count}, {width}")
            code.add(f"br i1 {is_enough}, label %{wide}, label %{again}")
            code.begin(wide)
        code.lanes = lanes
        emit(self._around)
        code.lanes = None
        if is_certain and not lanes.far:
            return
        is_far = code.value(f"load i1, ptr {lanes.far}") if lanes.far else "false"
        code.add(f"br i1 {is_far}, label %{again}, label %{done}, !prof !0")
        code.begin(again)
        code.lanes = Lanes()
        self._turns(loop, SHORT)
        code.lanes = None
        code.add(f"br label %{done}")
        code.begin(done)

    def _turns(self, loop: For, stem: str = "") -> None:
        """All turns of a loop, in chunks where they may be much work."""
        code = self._code
        count = self._around.expression(loop.count).text
        slot = self._around.slot(loop.index)
        code.add(f"store i64 0, ptr {slot}")
        if not self._polls or is_little(loop):
            self._turns_until(loop, slot, "0", count, stem)
            return
        size, unseen = chunk_of(loop), self._unseen_in(loop)
        counts = 0 < unseen <= _UNSEEN // _FEWEST
        if counts:
            size = min(size, _UNSEEN // unseen)
        chunk, turns, after = code.label("chunk"), code.label("turns"), code.label("after")
        code.add(f"br label %{chunk}")
        code.begin(chunk)
        start = code.value(f"load i64, ptr {slot}")
        left = code.value(f"sub i64 {count}, {start}")
        going = code.value(f"icmp sgt i64 {left}, 0")
        code.add(f"br i1 {going}, label %{turns}, label %{after}")
        code.begin(turns)
        some = code.value(f"call i64 @llvm.smin.i64(i64 {left}, i64 {size})")
        stop = code.value(f"add nuw nsw i64 {start}, {some}")
        with self._looking(soon=counts):
            self._turns_until(loop, slot, start, stop, stem, some=True)
        units = code.value(f"mul nuw nsw i64 {some}, {turn_of(loop)}")
        self.worked(units, is_behind=counts)
        code.add(f"br label %{chunk}, !llvm.loop !6")
        code.begin(after)

    def _turns_until(
        self, loop: For, slot: str, start: str, stop: str, stem: str = "", *, some: bool = False
    ) -> None:
        """The turns of a loop from one on, below a number.

        Where there are `some`, LLVM knows how many, and may do several at a time. That the index is there in
        the end is said anew: else LLVM vectorises nothing of what its widest vectors leave.
        """
        code = self._code
        stem = stem or self._stem(loop)
        head, body, after = code.label(stem), code.label(stem), code.label("after")
        begins = some or self._is_once(loop)
        code.add(f"br label %{body if begins else head}")
        if not begins:
            code.begin(head)
            going = code.value(f"icmp slt i64 {code.value(f'load i64, ptr {slot}')}, {stop}")
            code.add(f"br i1 {going}, label %{body}, label %{after}")
        code.begin(body)
        self._around.block(loop.body)
        following = code.value(f"add nuw nsw i64 {code.value(f'load i64, ptr {slot}')}, 1")
        code.add(f"store i64 {following}, ptr {slot}")
        how = self._how(loop, some=some)
        if begins:
            is_over = code.value(f"icmp eq i64 {following}, {stop}")
            code.add(f"br i1 {is_over}, label %{after}, label %{body}{how}")
        else:
            code.add(f"br label %{head}{how}")
        code.begin(after)
        end = stop if begins else code.value(f"call i64 @llvm.smax.i64(i64 {start}, i64 {stop})")
        code.add(f"store i64 {end}, ptr {slot}")

    def _is_once(self, loop: For) -> bool:
        """Whether a loop has turns, which LLVM does not copy: its index is then one number, and not two.

        Of others, LLVM would copy turns that branch as soon as it knows how many there are.
        """
        is_known = isinstance(loop.count, Number) and loop.count.value > 0
        return is_known and self._lengths.may_be_many(loop.count) and waits_at_branches(loop)

    def _stem(self, loop: For) -> str:
        """How the blocks of a loop are called; of one around others, these say what there is to gain."""
        if any(isinstance(each, For | While) for each in inside(loop.body)):
            return _AROUND
        return LONG if self._lengths.may_be_many(loop.count) else SHORT

    def _how(self, loop: For, *, some: bool) -> str:
        """What LLVM is told of the turns of a loop."""
        if looks_up(loop):
            return ", !llvm.loop !4"
        if self._lengths.may_be_many(loop.count) and waits_at_branches(loop):
            return f", !llvm.loop !{7 if counts_at_branches(loop) else self._copied(loop)}"
        if not some or not is_straight(loop):
            return ""
        lanes = self._code.lanes
        is_tight = lanes is not None and bool(lanes.far) and has_quotients(loop)
        return f", !llvm.loop !{3 if is_tight else 2}"

    def _copied(self, loop: For) -> int:
        """How often LLVM writes a turn that branches: what says so, by number."""
        if not self._vectors.foresee:
            return 6
        work = turn_of(loop)
        return 8 if work <= _FEW else 9 if work <= _SOME else 6

    def _while(self, loop: While) -> None:
        code = self._code
        work = 0 if is_little(loop) else turn_of(loop)
        moved = moved_inside(loop, chunk_of(loop)) if work and self._polls else None
        strip = strip_of(loop) if work and self._polls and moved is None else None
        if strip is not None:
            self._strips(loop, strip)
            return
        head, body, after = code.label("while"), code.label("body"), code.label("after")
        firsts: dict[Variable, str] = {}
        for index, _ in moved.moves if moved is not None else ():
            firsts[index] = self._around.place("first", "i64")
            code.add(f"store i64 {self._around.expression(index).text}, ptr {firsts[index]}")
        units, asking = turn_of(loop), with_tests_in_arms(loop, self._reads)
        if asking is not None:
            self._around.block(loop.before)
            code.add(f"br i1 {self._around.expression(loop.test).text}, label %{head}, label %{after}")
            loop = While([], Number(True, bool_), asking)
        else:
            code.add(f"br label %{head}")
        code.begin(head)
        copies = self._copies(loop, work) if work and moved is None else 1
        counts = work > 0 and 0 < self._unseen_in(loop) <= _UNSEEN
        self._exits.append(after)
        for copy in range(copies):
            if copy:
                body = code.label("body")
            with self._looking(soon=False):
                self._around.block(loop.before)
            code.add(f"br i1 {self._around.expression(loop.test).text}, label %{body}, label %{after}")
            code.begin(body)
            if work and moved is None and not copy:
                # not behind the turn: LLVM would have what its branches give meet there, and choose
                self.worked(str(work * copies), is_behind=counts)
            with self._looking(soon=counts):
                self._around.block(loop.body)
        self._exits.pop()
        code.add(f"br label %{head}")
        code.begin(after)
        if counts:
            self.worked("0", is_behind=True)
        if moved is not None:
            self._count_moved(units, moved, firsts)

    def _copies(self, loop: While, work: int) -> int:
        """How often a turn is written for one look at how much was done: more than once if it is short."""
        return COPIES if self._polls and work <= _SHORT_TURN and runs_straight(loop) else 1

    def _strips(self, loop: While, strip: Strip) -> None:
        """A loop whose index says when to look at how much was done."""
        code, around, index = self._code, self._around, strip.index
        head, inside, edge, again, outside, body, leaving = map(
            code.label, ("while", "inside", "edge", "again", "outside", "body", "leaving")
        )
        turns, stop = max(_SHORTEST_STRIP, _STRIP // turn_of(loop)), around.place("stop", "i64")
        self._begin_strip(strip, turns, stop)
        code.add(f"br label %{head}")
        code.begin(head)
        place = around.expression(index).text
        is_inside = code.value(f"icmp {strip.compares} i64 {place}, {code.value(f'load i64, ptr {stop}')}")
        code.add(f"br i1 {is_inside}, label %{inside}, label %{edge}")
        code.begin(edge)
        limit = around.expression(strip.limit).text
        goes_on = code.value(f"icmp {strip.compares} i64 {around.expression(index).text}, {limit}")
        code.add(f"br i1 {goes_on}, label %{again}, label %{outside}, !prof !0")
        code.begin(again)
        self.worked(str(turns * turn_of(loop)), is_behind=self._is_looked_at)
        self._begin_strip(strip, turns, stop, hides=True)
        code.add(f"br label %{inside}")  # a turn is done even where the strip is none
        code.begin(outside)
        around.block(strip.outside)
        code.add(f"br label %{leaving}")
        code.begin(inside)
        around.block(strip.within)
        code.add(f"br i1 {around.expression(loop.test).text}, label %{body}, label %{leaving}")
        code.begin(body)
        self._exits.append(leaving)
        around.block(loop.body)
        self._exits.pop()
        code.add(f"br label %{head}")
        code.begin(leaving)
        self._counted(str(turns * turn_of(loop) // 2))

    def _begin_strip(self, strip: Strip, turns: int, stop: str, *, hides: bool = False) -> None:
        """Notes where a strip ends: nowhere behind the limit, whether sums wrap around or not.

        Inside of the loop, LLVM would add up in each turn what is multiplied here, so this `hides` the index.
        """
        code, around = self._code, self._around
        place, limit = around.expression(strip.index).text, around.expression(strip.limit).text
        if hides:
            place = code.value(f'call i64 asm "", "=r,0"(i64 {place})')
        far = code.value(f"add i64 {place}, {turns * strip.step}")
        nearer = "smin" if strip.step > 0 else "smax"
        end = code.value(f"call i64 @llvm.{nearer}.i64(i64 {limit}, i64 {far})")
        code.add(f"store i64 {end}, ptr {stop}")

    def _count_moved(self, turn: int, moved: Moved, firsts: Mapping[Variable, str]) -> None:
        """Counts the work of the turns that have moved indices since they were somewhere."""
        code, far = self._code, list[str]()
        for index, step in moved.moves:
            start, place = code.value(f"load i64, ptr {firsts[index]}"), self._around.expression(index).text
            one, other = (place, start) if step > 0 else (start, place)
            far.append(code.value(f"sub i64 {one}, {other}"))
        [total, *more] = far
        for each in more:
            total = code.value(f"add i64 {total}, {each}")
        step = min(abs(step) for _, step in moved.moves)
        units = 1 << (max(1, turn // step) - 1).bit_length()  # a shift, not a product
        self._counted(code.value(f"mul i64 {total}, {units}"))


def unseen_in(statements: Sequence[Statement]) -> int | None:
    """The most units of innermost loops that are counted when they are over; None where one is not so."""
    found = 0
    for each in statements:
        inner: Sequence[int | None] = ()
        if isinstance(each, If):
            inner = [unseen_in(each.then), unseen_in(each.orelse)]
        elif isinstance(each, For) and is_little(each):
            own = unseen_in(each.body)
            inner = [None if own is None else own * (most_turns_of(each) or 0)]
        elif isinstance(each, While) and not is_little(each):
            inner = [_most_unseen(each)]
        elif not isinstance(each, _PLAIN):
            return None
        if None in inner:
            return None
        found += sum(filter(None, inner))
    return found


_PLAIN = (Set, Store, Fold, Alias, Fail, Break)


def _leaves(statements: Sequence[Statement]) -> bool:
    """Whether a turn may leave a loop further out, and so not come to where this one looks."""
    return any(
        isinstance(each, Break)
        or (isinstance(each, If) and (_leaves(each.then) or _leaves(each.orelse)))
        or (isinstance(each, For) and _leaves(each.body))
        for each in statements
    )


def _most_unseen(loop: While) -> int | None:
    """The most units of a loop without others inside before it looks; None where it looks in its turns."""
    moved = moved_inside(loop, chunk_of(loop))
    if moved is not None:
        return moved.most * turn_of(loop)
    return None if strip_of(loop) is None else _STRIP
