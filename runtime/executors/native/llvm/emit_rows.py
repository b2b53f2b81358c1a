"""Vectorised LLVM IR for independent iterations of loops (SIMD over rows, with masks).

What is the same in all rows stays one number, and decides by a jump. Elsewhere a mask says which rows are in
a branch or go on in a loop; the numbers of the others stay as they are. Nothing is written until a group of
rows is done, so one that fails, or for which NumPy may have to warn, is left to the loop behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Protocol

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, bool_
from runtime.executors.native.intrinsics import applied, cast
from runtime.executors.native.language.loops import (
    ROWS,
    Apply,
    Array,
    Cast,
    Expression,
    Fail,
    If,
    Lap,
    Load,
    Named,
    Number,
    Object,
    Rows,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.row_facts import Kind, Kinds, Names, applied_kind
from runtime.executors.native.language.walking import changed_by, exposed_in, expressions_in, inside, parts_of
from runtime.executors.native.llvm import row_usage
from runtime.executors.native.llvm.code import Code, Operand, Vectors, in_memory, in_register, number_text
from runtime.executors.native.llvm.flags import Flags
from runtime.executors.native.llvm.kept import has_masks
from runtime.executors.native.llvm.polling import work_of

__all__ = ["RowsEmitter", "widths_of"]


_WIDER = ((64, 40), (32, 80))
"""Rows that a group may have in place of `ROWS`, and how many statements it then has at most: results of one
row need not wait for those of another, but all of them shall be in registers."""
_LITTLE = 26
"""Statements up to which groups are written twice where nobody knows how many rows there are."""


def widths_of(rows: Rows) -> list[int]:
    """How many rows the groups have that are tried one after the other, the largest first.

    There shall be two groups at least: where a loop begins is not known here.
    """
    size = len(list(islice(inside(rows.body), _WIDER[-1][1] + 1)))
    wide = [width for width, most in _WIDER if size <= most]
    if isinstance(rows.count, Number):
        return [next((width for width in wide if rows.count.value >= 2 * width), ROWS)]
    return [wide[0], ROWS] if size <= _LITTLE else [ROWS]


class Around(Protocol):
    """What writes the function around."""

    code: Code
    flags: Flags | None

    def slot(self, each: Named) -> str:
        """The place of a name."""
        ...

    def place(self, stem: str, kind: str) -> str:
        """A new place on the stack."""
        ...

    def counter(self, stem: str) -> str:
        """A new place for a whole number, which is 0 when the function begins."""
        ...

    def has_place(self, each: Variable) -> bool:
        """Whether a number has one: else it is what it was set to."""
        ...

    def pointer(self, array: Array | Object) -> str:
        """Where an array is now."""
        ...

    def number(self, text: str, kind: str) -> str:
        """A number that is known."""
        ...

    def cast(self, of: Operand, dtype: DType) -> Operand:
        """A number as one of another dtype."""
        ...

    def expression(self, expression: Expression) -> Operand:
        """A number."""
        ...

    def block(self, statements: Sequence[Statement]) -> None:
        """Statements, one after the other."""
        ...

    def worked(self, units: str) -> None:
        """Counts work."""
        ...


def _takes_long(statements: Sequence[Statement]) -> bool:
    """Whether turns of loops compute of integers of eight bytes what not all vectors have."""
    loops = [each for each in inside(statements) if isinstance(each, While)]
    turns = [each for loop in loops for each in inside([*loop.before, *loop.body])]
    return any(map(_is_long, [value for each in turns for value in expressions_in(each)]))


def _is_long(expression: Expression) -> bool:
    """Whether an expression does, beside the places of elements."""
    match expression:
        case Apply(function, arguments):
            of = arguments[0].dtype
            is_long = function in _OF_LONG and of.is_integer and of.itemsize == _LONG
            return is_long or any(map(_is_long, arguments))
        case Cast(of):
            return _is_long(of)
    return False


_OF_LONG = frozenset({"multiply", "multiply_fits", "floor_divide"})
_LONG = 8


@dataclass(frozen=True, slots=True)
class _Value:
    """A number of each row: the operand is that of all, that of the first, or a vector."""

    operand: Operand
    rows: Kind


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of statements that is being written.

    Attributes
    ----------
    own : str
        A mask of the rows that are in it, of those that are in the block around; empty where all are.
    all : str
        A mask of the rows that are in it, of all rows; empty where all are.
    is_of_all : bool
        Whether `own` is of all rows, too.
    """

    own: str = ""
    all: str = ""
    is_of_all: bool = False


class RowsEmitter:
    """The code of some rows.

    Parameters
    ----------
    around : Around
    rows : Rows
    width : int
        Rows of a group.
    counts : bool
        Whether loops of rows count their work: else it is known.
    """

    def __init__(self, around: Around, rows: Rows, width: int = ROWS, *, counts: bool = True) -> None:
        self._counts = counts
        self._around = around
        self._width = width
        self._rows = rows
        self.code = around.code
        values = [value for each in inside(rows.body) for value in expressions_in(each)]
        self._read = {part.array.name for each in values for part in parts_of(each) if isinstance(part, Load)}
        self._needed = sorted(exposed_in(rows.after, set()) & set(changed_by(rows.body)))
        self._names = Names(rows.body, self._needed)
        self._kinds = Kinds(rows, self._names, self._needed)
        self.first = ""
        """The number of the first row of the group."""
        self._values: dict[str, _Value] = {}
        self._slots: dict[str, str] = {}
        self._blocks: list[_Block] = []
        self._has_masks = False
        """Whether some rows did what others did not."""
        self._trouble = ""
        self._usage: row_usage.Usage | None = None

    def emit(self, vectors: Vectors) -> None:
        """Writes groups of rows, if there are enough for one: the last begins with rows that were done.

        None are written whose turns wait for little more than elements from anywhere, or for products or
        quotients of integers, unless the processor has vectors of such.
        """
        code, around, rows = self.code, self._around, self._rows
        is_waiting = row_usage.waits(rows.body)
        if not is_waiting and self._kinds.reads is Kind.EACH and not vectors.gather:
            return
        if not is_waiting and not vectors.long and _takes_long(rows.body):
            return
        start, head, end = map(code.label, ("start", "rows", "end"))
        self._trouble = code.label("trouble")
        if not is_waiting:
            places = around.counter("skip"), around.place("turns", "i64"), around.place("busy", "i64")
            self._usage = row_usage.Usage(code, self._width, *places, self._kinds.reads)
            self._usage.skip_if_wasteful(end)
        begin = code.value(f"load i64, ptr {around.slot(rows.index)}")
        count = self._value(rows.count).operand.text
        enough = code.value(f"icmp sge i64 {count}, {self._width}")
        last = code.value(f"sub i64 {count}, {self._width}")
        positive = code.value(f"icmp sge i64 {begin}, 0")
        inside_it = code.value(f"icmp sle i64 {begin}, {last}")
        some = code.value(f"and i1 {enough}, {positive}")
        code.add(f"br i1 {code.value(f'and i1 {some}, {inside_it}')}, label %{start}, label %{end}")
        code.begin(start)
        next_one = self.begin_group(last, head, end)
        done = code.value(f"sub i64 {next_one}, {self.first}")
        before = self._flags_before()
        if self._usage is not None:
            self._usage.begin()
        self.group(rows.body)
        self._look_at_flags(before)
        self._row_by_row(done)
        if self._usage is None:
            code.add(f"br label %{head}")
        else:
            self._usage.look(head, end)
        code.begin(self._trouble)
        if around.flags is not None:
            code.add_text(around.flags.put_back.replace("PLACE", before))
        code.add(f"br label %{end}")
        code.begin(end)

    def begin_group(self, last: str, head: str, after: str) -> str:
        """Begins a group at the number in the index, which it gives: the last group begins where it can.

        Parameters
        ----------
        last : str
            The number at which the last group begins.
        head, after : str
            Where a group begins, and where it goes on when there are no more.
        """
        code, group = self.code, self.code.label("group")
        code.add(f"br label %{head}")
        code.begin(head)
        start = code.value(f"load i64, ptr {self._around.slot(self._rows.index)}")
        count = self._value(self._rows.count).operand.text
        code.add(f"br i1 {code.value(f'icmp slt i64 {start}, {count}')}, label %{group}, label %{after}")
        code.begin(group)
        self.first = code.value(f"call i64 @llvm.smin.i64(i64 {start}, i64 {last})")
        return start

    def group(self, statements: Sequence[Statement]) -> None:
        """Writes statements for a group of rows, from the first on."""
        self._blocks.append(_Block())
        self._block(statements)
        self._blocks.pop()

    def _row_by_row(self, done: str) -> None:
        """What is done with the numbers of each row, but for some that were done before."""
        code, around = self.code, self._around
        kept = []
        for name in self._needed:
            variable = self._names.variables[name]
            value = self._value(variable)
            if value.rows is Kind.SAME:
                kind = in_register(variable.dtype)
                code.add(f"store {kind} {value.operand.text}, ptr {around.slot(variable)}")
                continue
            text, kind = self._each(value).text, in_register(variable.dtype)
            if variable.dtype is bool_:
                text, kind = code.value(f"zext <{self._width} x i1> {text} to <{self._width} x i8>"), "i8"
            place = around.place("kept", f"<{self._width} x {kind}>")
            code.add(f"store <{self._width} x {kind}> {text}, ptr {place}")
            kept.append((variable, place, kind))
        row, head, body, after = around.place("row", "i64"), *map(code.label, ("row", "one", "after"))
        code.add(f"store i64 {done}, ptr {row}")
        code.add(f"br label %{head}")
        code.begin(head)
        number = code.value(f"load i64, ptr {row}")
        code.add(
            f"br i1 {code.value(f'icmp ult i64 {number}, {self._width}')}, label %{body}, label %{after}"
        )
        code.begin(body)
        for variable, place, kind in kept:
            pointer = code.value(f"getelementptr inbounds {kind}, ptr {place}, i64 {number}")
            text = code.value(f"load {kind}, ptr {pointer}")
            if variable.dtype is bool_:
                text = code.value(f"icmp ne i8 {text}, 0")
            code.add(f"store {in_register(variable.dtype)} {text}, ptr {around.slot(variable)}")
        around.block(self._rows.after)
        number = code.value(f"load i64, ptr {row}")
        code.add(f"store i64 {code.value(f'add nuw nsw i64 {number}, 1')}, ptr {row}")
        code.add(f"br label %{head}")
        code.begin(after)
        around.worked(str(self._width * (1 + work_of(self._rows.after))))

    # ── what NumPy warns of ──

    def _flags_before(self) -> str:
        """Where the flags are kept that were raised until now, by all that the group does not do."""
        code, around, flags = self.code, self._around, self._around.flags
        if flags is None:
            return ""
        changed = dict.fromkeys(
            each.variable
            for each in inside(self._rows.after)
            if isinstance(each, Set) and each.variable.dtype.is_floating and around.has_place(each.variable)
        )
        for variable in changed:  # computed by now, and not whenever LLVM likes
            kind, slot = in_register(variable.dtype), around.slot(variable)
            value = code.value(f"load {kind}, ptr {slot}")
            done = code.value(flags.pinning(value, kind))
            code.add(f"store {kind} {done}, ptr {slot}")
        return self._kept_flags(flags)

    def _kept_flags(self, flags: Flags) -> str:
        place = self._around.place("flags", "i64")
        self.code.add(f"store i64 0, ptr {place}")
        self.code.add_text(flags.keep.replace("PLACE", place))
        return place

    def _look_at_flags(self, before: str) -> None:
        """Leaves a group that has raised a flag to the loop behind: it may be of a row that was done.

        Where all rows did the same, it is of none.
        """
        code, flags = self.code, self._around.flags
        if flags is None or not self._has_masks:
            return
        words = [code.value(f"load i64, ptr {place}") for place in (before, self._kept_flags(flags))]
        new = code.value(f"and i64 {code.value(f'xor i64 {words[0]}, {words[1]}')}, {flags.mask}")
        self._leave_if(code.value(f"icmp ne i64 {new}, 0"))

    def _leave_if(self, holds: str) -> None:
        code = self.code
        go_on = code.label("on")
        code.add(f"br i1 {holds}, label %{self._trouble}, label %{go_on}, !prof !0")
        code.begin(go_on)

    # ── statements ──

    @contextmanager
    def _inside(self, own: str, of_all: str, *, is_of_all: bool = False) -> Iterator[None]:
        self._has_masks = self._has_masks or bool(own)
        self._blocks.append(_Block(own, of_all, is_of_all))
        yield
        self._blocks.pop()

    def _block(self, statements: Sequence[Statement]) -> None:
        for each in statements:
            match each:
                case Set(variable, value):
                    self._set(variable, self._value(value))
                case Store():
                    self._store(each)
                case If():
                    self._if(each)
                case While():
                    self._while(each)
                case Fail():
                    mask = self._blocks[-1].all
                    self._leave_if(self._any(mask) if mask else "true")
                case Lap(line):
                    self.code.add(f"call void @ag_lap(i64 {line})")

    def _set(self, variable: Variable, value: _Value) -> None:
        code, name = self.code, variable.name
        if self._names.is_set_once(name):
            self._values[name] = value
            return
        kind = in_register(variable.dtype)
        if self._kinds.counts(name):
            code.add(f"store {kind} {value.operand.text}, ptr {self._turns(variable)}")
            if not self._kinds.is_asked(name):
                return
        elif self._kinds.of(name) is not Kind.EACH:
            code.add(f"store {kind} {value.operand.text}, ptr {self._slot(variable, kind)}")
            return
        wide = f"<{self._width} x {kind}>"
        slot, text = self._slot(variable, wide), self._each(value).text
        mask = self._mask_since(self._names.depth_of(name))
        if mask:
            before = code.value(f"load {wide}, ptr {slot}")
            text = code.value(f"select <{self._width} x i1> {mask}, {wide} {text}, {wide} {before}")
        code.add(f"store {wide} {text}, ptr {slot}")

    def _store(self, store: Store) -> None:
        """Elements that lie one after the other: where groups may be done again, and all rows store."""
        code, kind = self.code, in_memory(store.array.dtype)
        wide, text = f"<{self._width} x {kind}>", self._each(self._value(store.value)).text
        place = self._value(store.place)
        assert place.rows is Kind.NEXT, "rows store next to one another"
        if store.array.dtype is bool_:
            text = code.value(f"zext <{self._width} x i1> {text} to {wide}")
        if store.array.name in self._read and has_masks(store.array.dtype):
            text = code.value(f"freeze {wide} {text}")
        pointer = self._around.pointer(store.array)
        element = code.value(f"getelementptr {kind}, ptr {pointer}, i64 {place.operand.text}")
        code.add(f"store {wide} {text}, ptr {element}, align {store.array.dtype.itemsize}")

    def _slot(self, variable: Variable, kind: str) -> str:
        if variable.name not in self._slots:
            self._slots[variable.name] = self._around.place(variable.name, kind)
        return self._slots[variable.name]

    def _turns(self, variable: Variable) -> str:
        """The place of a number that counts turns which rows have in common."""
        name = f"{variable.name}.turns"
        if name not in self._slots:
            self._slots[name] = self._around.place(name, in_register(variable.dtype))
        return self._slots[name]

    def _mask_since(self, depth: int) -> str:
        """A mask of the rows that are in the block that is being written, of those in one around it."""
        mask = ""
        for block in reversed(self._blocks[depth + 1 :]):
            if block.own:
                mask = self._and(block.own, mask)
            if block.is_of_all:
                break
        return mask

    def _and(self, one: str, other: str) -> str:
        if not one or not other:
            return one or other
        return self.code.value(f"and <{self._width} x i1> {one}, {other}")

    def _any(self, mask: str) -> str:
        return self.code.value(
            f"call i1 @llvm.vector.reduce.or.v{self._width}i1(<{self._width} x i1> {mask})"
        )

    def _if(self, branch: If) -> None:
        code, around = self.code, self._blocks[-1].all
        test = self._value(branch.test)
        if test.rows is Kind.SAME:
            then, orelse, after = map(code.label, ("then", "else", "after"))
            code.add(f"br i1 {test.operand.text}, label %{then}, label %{orelse}")
            for label, block in ((then, branch.then), (orelse, branch.orelse)):
                code.begin(label)
                with self._inside("", around):
                    self._block(block)
                code.add(f"br label %{after}")
            code.begin(after)
            return
        holds = self._each(test).text
        with self._inside(holds, self._and(holds, around)):
            self._block(branch.then)
        if branch.orelse:
            other = code.value(f"xor <{self._width} x i1> {holds}, splat (i1 true)")
            with self._inside(other, self._and(other, around)):
                self._block(branch.orelse)

    def _while(self, loop: While) -> None:
        """A loop that goes on as long as any row does."""
        code, around = self.code, self._blocks[-1].all
        head, body, after = map(code.label, ("while", "body", "after"))
        differs = self._kinds.is_left_early(loop)
        going = self._around.place("going", f"<{self._width} x i1>") if differs else ""
        if differs:
            code.add(f"store <{self._width} x i1> {around or 'splat (i1 true)'}, ptr {going}")
        code.add(f"br label %{head}")
        code.begin(head)
        mask = code.value(f"load <{self._width} x i1>, ptr {going}") if differs else around
        with self._kinds.turn_of(loop), self._inside(mask if differs else "", mask, is_of_all=differs):
            self._block(loop.before)
            test = self._value(loop.test)
            if differs:
                left = self._and(self._each(test).text, mask)
                code.add(f"store <{self._width} x i1> {left}, ptr {going}")
                holds = self._any(left)
            else:
                left, holds = around, test.operand.text
            code.add(f"br i1 {holds}, label %{body}, label %{after}")
            code.begin(body)
            if differs and self._usage is not None:
                self._usage.count(left)
            with self._inside(left if differs else "", left, is_of_all=differs):
                self._block(loop.body)
            if self._counts:
                self._around.worked(str(max(1, 2 * (work_of(loop.before) + work_of(loop.body)))))
            code.add(f"br label %{head}")
        code.begin(after)

    # ── expressions ──

    def _value(self, expression: Expression) -> _Value:
        code = self.code
        match expression:
            case Number(known, dtype):
                text = self._around.number(number_text(known, dtype), in_register(dtype))
                return _Value(Operand(text, dtype, known), Kind.SAME)
            case Variable():
                return self._variable(expression)
            case Load(array, place):
                return self._load(array, self._value(place))
            case Cast(of, dtype):
                value = self._value(of)
                if value.rows is Kind.SAME:
                    return _Value(self._around.cast(value.operand, dtype), Kind.SAME)
                with self._wide():
                    return _Value(cast(code, self._each(value), dtype), Kind.EACH)
            case Apply(function, arguments, dtype):
                return self._applied(function, list(map(self._value, arguments)), dtype)

    def _variable(self, variable: Variable) -> _Value:
        name, dtype = variable.name, variable.dtype
        if variable == self._rows.index:
            return _Value(Operand(self.first, dtype), Kind.NEXT)
        if name in self._values:
            return self._values[name]
        kind = in_register(dtype)
        if name not in self._names.variables:  # of the code around
            return _Value(self._around.expression(variable), Kind.SAME)
        rows = self._kinds.of(name)
        if rows is Kind.EACH:
            kind = f"<{self._width} x {kind}>"
        is_counted = rows is not Kind.EACH and self._kinds.counts(name)
        slot = self._turns(variable) if is_counted else self._slot(variable, kind)
        return _Value(Operand(self.code.value(f"load {kind}, ptr {slot}"), dtype), rows)

    def _applied(self, function: str, values: Sequence[_Value], dtype: DType) -> _Value:
        code, rows = self.code, applied_kind(function, [value.rows for value in values], dtype)
        if rows is not Kind.EACH:
            return _Value(applied(code, function, [each.operand for each in values], dtype), rows)
        with self._wide():
            return _Value(applied(code, function, list(map(self._each, values)), dtype), Kind.EACH)

    @contextmanager
    def _wide(self) -> Iterator[None]:
        """Has functions of numbers written for vectors."""
        self.code.width = self._width
        yield
        self.code.width = 0

    def _each(self, value: _Value) -> Operand:
        """The numbers of all rows as a vector."""
        operand = value.operand
        if value.rows is Kind.EACH:
            return operand
        code, kind = self.code, in_register(operand.dtype)
        if operand.known is not None and not operand.text.startswith("%"):
            return Operand(f"splat ({kind} {operand.text})", operand.dtype, operand.known)
        wide = f"<{self._width} x {kind}>"
        one = code.value(f"insertelement {wide} poison, {kind} {operand.text}, i64 0")
        text = code.value(f"shufflevector {wide} {one}, {wide} poison, <{self._width} x i32> zeroinitializer")
        if value.rows is Kind.NEXT:
            steps = ", ".join(f"{kind} {row}" for row in range(self._width))
            text = code.value(f"add {wide} {text}, <{steps}>")
        return Operand(text, operand.dtype, operand.known)

    def _load(self, array: Array, place: _Value) -> _Value:
        """An element for each row that is there."""
        code, mask = self.code, self._blocks[-1].all
        pointer = self._around.pointer(array)
        kind, width = in_memory(array.dtype), array.dtype.itemsize
        wide = f"<{self._width} x {kind}>"
        rows = Kind.EACH
        if place.rows is Kind.EACH:
            places = self._each(place).text
            pointers = code.value(f"getelementptr {kind}, ptr {pointer}, <{self._width} x i64> {places}")
            name = f"@llvm.masked.gather.v{self._width}{_short(kind)}.v{self._width}p0"
            given = f"<{self._width} x ptr> align {width} {pointers}"
            text = self._masked(name, given, mask or "splat (i1 true)", wide)
        else:
            element = code.value(f"getelementptr {kind}, ptr {pointer}, i64 {place.operand.text}")
            if place.rows is Kind.SAME:
                element = self._there(element, mask) if mask else element
                text, rows = code.value(f"load {kind}, ptr {element}"), Kind.SAME
            elif mask:
                name = f"@llvm.masked.load.v{self._width}{_short(kind)}.p0"
                text = self._masked(name, f"ptr align {width} {element}", mask, wide)
            else:
                text = code.value(f"load {wide}, ptr {element}, align {width}")
        if array.dtype is bool_:
            if rows is Kind.SAME:
                text = code.value(f"icmp ne {kind} {text}, 0")
            else:
                text = code.value(f"icmp ne {wide} {text}, zeroinitializer")
        return _Value(Operand(text, array.dtype), rows)

    def _there(self, element: str, mask: str) -> str:
        """An element that all rows share: a 0, where no row asks for it, as there may be none."""
        nothing = self._around.counter("nothing")
        return self.code.value(f"select i1 {self._any(mask)}, ptr {element}, ptr {nothing}")

    def _masked(self, name: str, given: str, mask: str, wide: str) -> str:
        return self.code.value(
            f"call {wide} {name}({given}, <{self._width} x i1> {mask}, {wide} zeroinitializer)"
        )


def _short(kind: str) -> str:
    return {"double": "f64", "float": "f32"}.get(kind, kind)
