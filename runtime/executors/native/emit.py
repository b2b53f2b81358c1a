"""Emits LLVM IR from the loop language.

Each function of a program becomes one of LLVM's, which returns a status; what it gives goes out through
pointers. Names are places on the stack, which LLVM makes registers of. Memory for arrays comes from `malloc`,
and is kept on a stack of its own: a loop gives back what its turn has made, and a run that fails gives back
all.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dtypes import DType, bool_
from runtime.executors.native.clocked import between_laps
from runtime.executors.native.code import (
    LONG,
    SHORT,
    SLOT,
    WIDE,
    Code,
    Lanes,
    Operand,
    Status,
    in_memory,
    in_register,
    number_text,
)
from runtime.executors.native.emit_entry import entry_text, type_of
from runtime.executors.native.emit_rows import RowsEmitter, widths_of
from runtime.executors.native.emit_wide import emit_wide, width_of
from runtime.executors.native.flags import Flags
from runtime.executors.native.intrinsics import COMPARISONS, applied, cast, folded, with_helpers
from runtime.executors.native.landing import fail, land, table_of
from runtime.executors.native.lanes import (
    changed,
    has_aliases,
    has_far,
    has_lanes,
    is_straight,
    may_be_repeated,
)
from runtime.executors.native.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Break,
    Call,
    Cast,
    Copy,
    Expression,
    Fail,
    Fold,
    For,
    Function,
    Host,
    If,
    Landing,
    Lap,
    Load,
    Mark,
    Named,
    Number,
    Object,
    Program,
    Release,
    Remember,
    Rows,
    Set,
    Share,
    Statement,
    Store,
    Try,
    Variable,
    While,
)
from runtime.executors.native.passing import HELPERS, call_python, catch_python, table_text
from runtime.executors.native.places import without_place
from runtime.executors.native.polling import (
    BUDGET,
    CALL,
    chunk_of,
    is_little,
    turn_of,
    turns_at_once,
    work_of,
)
from runtime.executors.native.releasing import begin_turns, end_turn, release
from runtime.executors.native.sharing import POOL_SYMBOL, call_shared, ranges_text
from runtime.executors.native.turns import Turns
from runtime.executors.native.walking import allocates, calls, inside

__all__ = ["emit", "emitted", "shares_of"]


def emit(program: Program, flags: Flags | None = None, calling: str = "", *, has_vectors: bool = True) -> str:
    """A program as the text of a module of LLVM's.

    Parameters
    ----------
    program : Program
    flags : Flags, optional
        Has a run end where NumPy would warn, or say so at its end.
    calling : str
        The text of a function that calls the entry.
    has_vectors : bool
        Whether loops have functions of our own: not where a step of these is a call.
    """
    names = [*program.constants, *program.objects, *([POOL_SYMBOL] if shares_of(program) else [])]
    constants = [f"@{name} = global ptr null" for name in names]
    functions = emitted(program, flags, has_vectors=has_vectors)
    services = ["ag_free"] if any(allocates(function.body) for function in program.functions) else []
    if program.hosts:
        constants += [table_text(len(program.hosts)), HELPERS]
    remembers = any(isinstance(each, Remember) for each in inside(program.functions[-1].body))
    entry = entry_text(program.functions[-1], flags, remembers=remembers)
    if program.lines is not None:
        entry = between_laps(entry, len(program.lines.places))
    text = "\n\n".join([*constants, *functions, entry, calling])
    return with_helpers(text, services, makes_memory_often=_allocates_often(program))


def _allocates_often(program: Program) -> bool:
    """Whether one run may make memory many times: in the turns of a loop, or in functions that are called."""
    *called, entry = program.functions
    loops = [each for each in inside(entry.body) if isinstance(each, For | While | Rows)]
    return any(allocates(function.body) for function in called) or any(allocates([loop]) for loop in loops)


_LEFT = "%left"
"""The place for what a function may do until it looks at signals: counting down asks in the same step."""


def emitted(
    program: Program, flags: Flags | None = None, *, has_vectors: bool = True, polls: bool = True
) -> list[str]:
    """The functions of a program, as text of LLVM's.

    Parameters
    ----------
    program : Program
    flags : Flags, optional
    has_vectors : bool
        As of `emit`.
    polls : bool
        Whether they look at signals and at other threads again and again.
    """
    functions = {function.name: function for function in program.functions}
    return [
        *[
            _Emitter(function, program, flags, has_vectors=has_vectors, polls=polls).text()
            for function in program.functions
        ],
        *[ranges_text(each, functions[each.function]) for each in shares_of(program)],
    ]


def shares_of(program: Program) -> list[Share]:
    """The loops that threads may share."""
    return [
        each for function in program.functions for each in inside(function.body) if isinstance(each, Share)
    ]


class _Emitter:
    """One function in the making."""

    def __init__(
        self, function: Function, program: Program, flags: Flags | None, *, has_vectors: bool, polls: bool
    ) -> None:
        self.code = Code(gives_way=flags is not None)
        self._function = function
        self._program = program
        self.flags = flags
        self._has_vectors = has_vectors
        self._polls = polls
        self._hidden: dict[tuple[str, str], str] = {}
        self._slots: dict[str, tuple[str, str]] = {}
        self._without_place = without_place(function)
        self._values: dict[str, Operand] = {}
        """Of numbers that have no place."""
        self._marks: dict[str, str] = {}
        self._tables: list[str] = []
        self._exits: list[tuple[str, int]] = []
        """Where the loops around go on when they are over, innermost last, and what a turn of them counts."""
        self._lengths = Turns(function)
        self._fresh: set[str] = set(function.own)
        """Arrays that were made in the block that is being written, and have no other name yet."""

    def text(self) -> str:
        function, code = self._function, self.code
        for each in [*function.parameters, *function.results]:
            self.slot(each)
        for parameter in function.parameters:
            code.add(f"store {type_of(parameter)} %{parameter.name}.in, ptr {self.slot(parameter)}")
        has_calls, has_memory = calls(function.body), allocates(function.body)
        if self._polls:
            self._slots[_LEFT] = _LEFT, "i64"
            code.add(f"store i64 {BUDGET}, ptr {_LEFT}")
        if has_calls:
            self._return_unless_zero(code.value("call i32 @ag_enter(ptr %context)"))
            if self._polls:
                self._return_unless_zero(code.value(f"call i32 @ag_work(ptr %context, i64 {CALL})"))
        mark = code.value("call i64 @ag_mark(ptr %context)") if has_memory else ""
        self.block(function.body)
        is_called = function is not self._program.functions[-1]
        if self._polls and is_called and any(isinstance(each, For | While) for each in inside(function.body)):
            left = code.value(f"load i64, ptr {_LEFT}")
            work = code.value(f"sub nuw nsw i64 {BUDGET + work_of(function.body)}, {left}")
            self._return_unless_zero(code.value(f"call i32 @ag_work(ptr %context, i64 {work})"))
        for result in function.results:
            value = code.value(f"load {type_of(result)}, ptr {self.slot(result)}")
            if isinstance(result, Variable) and result.dtype is bool_:
                code.add(f"store i8 {code.value(f'zext i1 {value} to i8')}, ptr %{result.name}.out")
            else:
                code.add(f"store {type_of(result)} {value}, ptr %{result.name}.out")
        if has_memory:
            kept = [self.pointer(each) for each in function.results if not isinstance(each, Variable)]
            release(code, mark, kept)
        code.add("ret i32 0")
        parameters = ", ".join(
            [
                "ptr %context",
                *[self._parameter(each) for each in function.parameters],
                *[f"ptr %{each.name}.out" for each in function.results],
            ]
        )
        slots = [f"  {name} = alloca {kind}" for name, kind in self._slots.values()]
        flags = self.flags
        hidden = [
            f"  {name} = {flags.hiding(*key)}" for key, name in self._hidden.items() if flags is not None
        ]
        body = "\n".join(["start:", *slots, *hidden, *code.lines])
        whole = f"define internal i32 @{function.name}({parameters}) {WIDE} {{\n{body}\n}}"
        return "\n\n".join([*self._tables, whole])

    def _parameter(self, each: Named) -> str:
        own = " noalias" if each.name in self._function.own else ""
        is_entry = self._function is self._program.functions[-1]
        if isinstance(each, Array) and is_entry and not self._program.hosts:
            own = " noalias" if own else " noalias readonly"  # nobody else writes where Python does not run
        return f"{type_of(each)}{own} %{each.name}.in"

    def place(self, stem: str, kind: str) -> str:
        """A new place on the stack."""
        name = f"%{self.code.label(stem)}"
        self._slots[name] = name, kind
        return name

    def slot(self, each: Named) -> str:
        """The place of a name."""
        if each.name not in self._slots:
            self._slots[each.name] = f"%{each.name}{SLOT}", type_of(each)
        return self._slots[each.name][0]

    def has_place(self, each: Variable) -> bool:
        """Whether a number has one: else it is what it was set to."""
        return each.name not in self._without_place

    def _return_unless_zero(self, status: str) -> None:
        self.code.leave_if(self.code.value(f"icmp ne i32 {status}, 0"), status)

    # ── statements ──

    def block(self, statements: Sequence[Statement]) -> None:
        """Statements, one after the other."""
        around = self._fresh
        if has_aliases(statements):  # what is new in the first turn of a loop may be known in the next
            self._fresh = set()
        for statement in statements:
            self._statement(statement)
        self._fresh = around

    def _statement(self, statement: Statement) -> None:
        code = self.code
        match statement:
            case Set(variable, value):
                self._set(variable, self.expression(value))
            case Fold(variable, function, value):
                before = Operand(
                    code.value(f"load {type_of(variable)}, ptr {self.slot(variable)}"), variable.dtype
                )
                self._set(variable, folded(code, function, before, self.expression(value)))
            case Store(array, place, value):
                operand = self.expression(value)
                text = self._to_memory(operand)
                pointer = self._element(array, place)
                code.add(f"store {in_memory(array.dtype)} {text}, ptr {pointer}")
            case Allocate(array, count):
                size = self._bytes(array, count)
                pointer = code.value(f"call ptr @ag_allocate(ptr %context, i64 {size})")
                code.leave_if(code.value(f"icmp eq ptr {pointer}, null"), str(int(Status.NO_MEMORY)))
                code.add(f"store ptr {pointer}, ptr {self.slot(array)}")
                self._fresh.add(array.name)
            case Alias(array, of):
                self._fresh -= {array.name, of.name}
                code.add(f"store ptr {self.pointer(of)}, ptr {self.slot(array)}")
            case Copy():
                self._copy(statement)
            case Remember():
                self._remember(statement)
            case For() | While() | Rows():
                self._loop(statement)
            case Break():
                self._break()
            case If():
                self._if(statement)
            case Fail():
                fail(code, statement, self.expression)
            case Try():
                self._try(statement)
            case Call(function, arguments, results):
                self._fresh = set()
                given = ["ptr %context", *map(self._argument, arguments)]
                self._call(function, given, results)
            case Share():
                call_shared(self, statement)
            case Host():
                self._host(statement)
            case Mark(mark):
                self._marks[mark] = begin_turns(code, self._slots, mark)
            case Release(mark, keep):
                end_turn(code, mark, self._marks[mark], [self.pointer(each) for each in keep])
            case Lap(line):
                code.add(f"call void @ag_lap(i64 {line})")

    def _copy(self, copy: Copy) -> None:
        code = self.code
        to, of, size = self.pointer(copy.array), self.pointer(copy.of), self._bytes(copy.array, copy.count)
        after = code.label("copied")
        if copy.may_be_one:
            apart = code.label("apart")
            code.add(f"br i1 {code.value(f'icmp eq ptr {to}, {of}')}, label %{after}, label %{apart}")
            code.begin(apart)
        code.add(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {of}, i64 {size}, i1 false)")
        if copy.may_be_one:
            code.add(f"br label %{after}")
            code.begin(after)

    def _remember(self, lent: Remember) -> None:
        """What the array holds is kept, unless nobody else sees it."""
        size = self._bytes(lent.array, lent.count)
        given = f"ptr %context, ptr {self.pointer(lent.array)}, i64 {size}, i64 {lent.number}"
        has_no_room = self.code.value(f"call i1 @ag_remember({given})")
        self.code.leave_if(has_no_room, str(int(Status.NO_MEMORY)))

    def _set(self, variable: Variable, operand: Operand) -> None:
        if self.has_place(variable):
            self.code.add(f"store {type_of(variable)} {operand.text}, ptr {self.slot(variable)}")
        else:
            self._values[variable.name] = operand

    def _argument(self, argument: Expression | Array | Object) -> str:
        if isinstance(argument, Array | Object):
            return f"ptr {self.pointer(argument)}"
        operand = self.expression(argument)
        return f"{in_register(operand.dtype)} {operand.text}"

    def _call(self, function: str, given: Sequence[str], results: Sequence[Named]) -> None:
        """A call: its results come back through memory, bools as bytes."""
        code = self.code
        truths = [each for each in results if isinstance(each, Variable) and each.dtype is bool_]
        bytes_of = {}
        for each in truths:
            bytes_of[each] = f"%{each.name}.byte"
            self._slots[bytes_of[each]] = bytes_of[each], "i8"
        places = [f"ptr {bytes_of.get(each) or self.slot(each)}" for each in results]  # type: ignore[arg-type]  # arrays are no keys
        self._return_unless_zero(code.value(f"call i32 @{function}({', '.join([*given, *places])})"))
        for each in truths:
            byte = code.value(f"load i8, ptr {bytes_of[each]}")
            code.add(f"store i1 {code.value(f'icmp ne i8 {byte}, 0')}, ptr {self.slot(each)}")

    def _host(self, call: Host) -> None:
        code, given = self.code, list[tuple[str, str]]()
        for argument in call.arguments:
            kind, text = self._argument(argument).split(" ", 1)
            given.append(("i8", code.value(f"zext i1 {text} to i8")) if kind == "i1" else (kind, text))
        found = [(type_of(result), self.slot(result)) for result in call.results]
        call_python(code, self._slots, self._program.hosts[call.site], call.site, given, found)

    def _loop(self, loop: For | While | Rows) -> None:
        match loop:
            case For():
                self._for(loop)
            case While():
                self._while(loop)
            case Rows():
                if self._has_vectors:
                    for width in widths_of(loop):
                        RowsEmitter(self, loop, width).emit()

    def _for(self, loop: For) -> None:
        """A loop; where functions may meet what is too large for them, with another that is done then."""
        code = self.code
        if not self._has_vectors or not has_lanes(loop):
            self._turns(loop)
            return
        width = width_of(loop, self._fresh, self._without_place)
        if width:
            self._wide(loop, width)
            return
        if not has_far(loop) or not may_be_repeated(loop, self._fresh):
            code.lanes = Lanes()
            self._turns(loop)
            code.lanes = None
            return
        far = f"%{code.label('far')}"
        self._slots[far] = far, "i1"
        code.add(f"store i1 false, ptr {far}")
        lasting = [each for each in changed(loop) if self.has_place(each)]
        kept = {each: code.value(f"load {type_of(each)}, ptr {self.slot(each)}") for each in lasting}
        code.lanes = Lanes(far)
        self._turns(loop)
        again, done = code.label("again"), code.label("done")
        is_far = code.value(f"load i1, ptr {far}")
        code.add(f"br i1 {is_far}, label %{again}, label %{done}, !prof !0")
        code.begin(again)
        for each, value in kept.items():
            code.add(f"store {type_of(each)} {value}, ptr {self.slot(each)}")
        code.lanes = Lanes()
        self._turns(loop)
        code.lanes = None
        code.add(f"br label %{done}")
        code.begin(done)

    def _wide(self, loop: For, width: int) -> None:
        """A long loop as vectors of ours; turn by turn where it has too few turns, or too large numbers."""
        code, count = self.code, self.expression(loop.count).text
        around, again, done = map(code.label, ("wide", "again", "done"))
        far = self.place("far", "i1") if has_far(loop) else ""
        if far:
            code.add(f"store i1 false, ptr {far}")
        is_certain = isinstance(loop.count, Number) and loop.count.value >= width
        if not is_certain:
            is_enough = code.value(f"icmp sge i64 {count}, {width}")
            code.add(f"br i1 {is_enough}, label %{around}, label %{again}")
            code.begin(around)
        code.lanes = Lanes(far)
        emit_wide(self, loop, width)
        code.lanes = None
        if is_certain and not far:
            return
        is_far = code.value(f"load i1, ptr {far}") if far else "false"
        code.add(f"br i1 {is_far}, label %{again}, label %{done}, !prof !0")
        code.begin(again)
        code.lanes = Lanes()
        self._turns(loop, SHORT)
        code.lanes = None
        code.add(f"br label %{done}")
        code.begin(done)

    def _turns(self, loop: For, stem: str = "") -> None:
        """All turns of a loop, in chunks where they may be much work."""
        code = self.code
        count = self.expression(loop.count).text
        slot = self.slot(loop.index)
        code.add(f"store i64 0, ptr {slot}")
        if not self._polls or is_little(loop):
            self._turns_until(loop, slot, "0", count, stem)
            return
        chunk, turns, after = code.label("chunk"), code.label("turns"), code.label("after")
        code.add(f"br label %{chunk}")
        code.begin(chunk)
        start = code.value(f"load i64, ptr {slot}")
        left = code.value(f"sub i64 {count}, {start}")
        going = code.value(f"icmp sgt i64 {left}, 0")
        code.add(f"br i1 {going}, label %{turns}, label %{after}")
        code.begin(turns)
        some = code.value(f"call i64 @llvm.smin.i64(i64 {left}, i64 {chunk_of(loop)})")
        stop = code.value(f"add nuw nsw i64 {start}, {some}")
        self._turns_until(loop, slot, start, stop, stem, some=True)
        self.worked(code.value(f"mul nuw nsw i64 {some}, {turn_of(loop)}"))
        code.add(f"br label %{chunk}")
        code.begin(after)

    def worked(self, units: str) -> None:
        """Counts work; where it was enough, signals are looked at."""
        if not self._polls:
            return
        code = self.code
        left = code.value(f"load i64, ptr {_LEFT}")
        is_time = code.value(f"icmp ult i64 {left}, {units}")
        code.add(f"store i64 {code.value(f'sub i64 {left}, {units}')}, ptr {_LEFT}")
        poll, on = code.label("poll"), code.label("on")
        code.add(f"br i1 {is_time}, label %{poll}, label %{on}, !prof !0")
        code.begin(poll)
        code.add(f"store i64 {BUDGET}, ptr {_LEFT}")
        self._return_unless_zero(code.value("call i32 @ag_poll(ptr %context)"))
        code.add(f"br label %{on}")
        code.begin(on)

    def _turns_until(
        self, loop: For, slot: str, start: str, stop: str, stem: str = "", *, some: bool = False
    ) -> None:
        """The turns of a loop from one on, below a number.

        Where there are `some`, LLVM knows how many, and may do several at a time. That the index is there in
        the end is said anew: else LLVM vectorises nothing of what its widest vectors leave.
        """
        code = self.code
        stem = stem or (LONG if self._lengths.may_be_many(loop.count) else SHORT)
        head, body, after = code.label(stem), code.label(stem), code.label("after")
        code.add(f"br label %{body if some else head}")
        if not some:
            code.begin(head)
            going = code.value(f"icmp slt i64 {code.value(f'load i64, ptr {slot}')}, {stop}")
            code.add(f"br i1 {going}, label %{body}, label %{after}")
        code.begin(body)
        self.block(loop.body)
        following = code.value(f"add nuw nsw i64 {code.value(f'load i64, ptr {slot}')}, 1")
        code.add(f"store i64 {following}, ptr {slot}")
        if some:
            is_over = code.value(f"icmp eq i64 {following}, {stop}")
            how = ", !llvm.loop !2" if is_straight(loop) else ""
            code.add(f"br i1 {is_over}, label %{after}, label %{body}{how}")
        else:
            code.add(f"br label %{head}")
        code.begin(after)
        end = stop if some else code.value(f"call i64 @llvm.smax.i64(i64 {start}, i64 {stop})")
        code.add(f"store i64 {end}, ptr {slot}")

    def _while(self, loop: While) -> None:
        code = self.code
        head, after = code.label("while"), code.label("after")
        work = 0 if is_little(loop) else turn_of(loop)
        turns = turns_at_once(loop) if work and self._polls else 1
        code.add(f"br label %{head}")
        code.begin(head)
        for turn in range(1, turns + 1):
            self.block(loop.before)
            test, body = self.expression(loop.test).text, code.label("body")
            code.add(f"br i1 {test}, label %{body}, label %{after}")
            code.begin(body)
            self._exits.append((after, turn * work))
            self.block(loop.body)
            self._exits.pop()
        if work:
            self.worked(str(turns * work))
        code.add(f"br label %{head}")
        code.begin(after)

    def _break(self) -> None:
        """Leaves the loop around; who counts next looks at what was done."""
        code = self.code
        after, work = self._exits[-1]
        if self._polls and work:
            left = code.value(f"load i64, ptr {_LEFT}")
            less = code.value(f"call i64 @llvm.usub.sat.i64(i64 {left}, i64 {work})")
            code.add(f"store i64 {less}, ptr {_LEFT}")
        code.add(f"br label %{after}")
        code.begin(code.label("never"))

    def _try(self, attempt: Try) -> None:
        """What ends the run inside goes on in the handler, with the exception that Python makes of it."""
        code = self.code
        landing, after = code.label("landing"), code.label("after")
        place = f"%{landing}.status"
        self._slots[place] = place, "i32"
        code.landings.append((landing, place))
        self.block(attempt.body)
        code.landings.pop()
        code.add(f"br label %{after}")
        code.begin(landing)
        status = code.value(f"load i32, ptr {place}")
        if isinstance(attempt.error, Landing):
            sites, table = self._program.sites, f"@{self._function.name}.{landing}"
            self._tables.append(table_of(table, attempt.error, sites))
            for each, value in land(code, attempt.error, table, len(sites), status):
                code.add(f"store {type_of(each)} {value}, ptr {self.slot(each)}")
        else:
            error = catch_python(code, self._slots, len(self._program.hosts), status)
            code.add(f"store ptr {error}, ptr {self.slot(attempt.error)}")
        self.block(attempt.handler)
        code.add(f"br label %{after}")
        code.begin(after)

    def _if(self, branch: If) -> None:
        code = self.code
        test = self.expression(branch.test).text
        then, orelse, after = code.label("then"), code.label("else"), code.label("after")
        is_rare = branch.is_rare or any(isinstance(each, Fail) for each in branch.then[-1:])
        how = ", !prof !0" if is_rare and not branch.orelse else ""
        code.add(f"br i1 {test}, label %{then}, label %{orelse}{how}")
        code.begin(then)
        self.block(branch.then)
        code.add(f"br label %{after}")
        code.begin(orelse)
        self.block(branch.orelse)
        code.add(f"br label %{after}")
        code.begin(after)

    # ── expressions ──

    def expression(self, expression: Expression) -> Operand:
        """A number."""
        code = self.code
        match expression:
            case Number(value, dtype):
                text = number_text(value, dtype)
                return Operand(self.number(text, in_register(dtype)), dtype, value)
            case Variable() if not self.has_place(expression):
                return self._values[expression.name]
            case Variable(_, dtype):
                text = code.value(f"load {in_register(dtype)}, ptr {self.slot(expression)}")
                return Operand(text, dtype)
            case Load(array, place):
                text = code.value(f"load {in_memory(array.dtype)}, ptr {self._element(array, place)}")
                if array.dtype is bool_:
                    text = code.value(f"icmp ne i8 {text}, 0")
                return Operand(text, array.dtype)
            case Cast(of, dtype):
                return self.cast(self.expression(of), dtype)
            case Apply(function, (one, Number(value, kind)), dtype) if function in COMPARISONS:
                known = Operand(number_text(value, kind), kind, value)  # LLVM does not know the other one
                return applied(code, function, [self.expression(one), known], dtype)
            case Apply(function, arguments, dtype):
                return applied(code, function, [self.expression(each) for each in arguments], dtype)

    def cast(self, of: Operand, dtype: DType) -> Operand:
        """A number as one of another dtype; where flags matter, LLVM does not see what a float was."""
        operand = cast(self.code, of, dtype)
        if self.flags is None or not dtype.is_floating or of.dtype.is_floating:
            return operand
        return Operand(self.code.value(self.flags.hiding(operand.text, in_register(dtype))), dtype)

    def number(self, text: str, kind: str) -> str:
        """A number, hidden from LLVM where flags matter: what is computed beforehand raises none."""
        if self.flags is None or kind not in {"double", "float"}:
            return text
        return self._hidden.setdefault((text, kind), f"%hidden.{len(self._hidden)}")

    def pointer(self, array: Array | Object) -> str:
        """Where an array is now."""
        if array.name in self._slots:
            return self.code.value(f"load ptr, ptr {self._slots[array.name][0]}")
        return self.code.value(f"load ptr, ptr @{array.name}")

    def _element(self, array: Array, place: Expression) -> str:
        operand = self.expression(place)
        pointer = self.pointer(array)
        return self.code.value(
            f"getelementptr inbounds {in_memory(array.dtype)}, ptr {pointer}, i64 {operand.text}"
        )

    def _bytes(self, array: Array, count: Expression) -> str:
        operand = self.expression(count)
        return self.code.value(f"mul i64 {operand.text}, {array.dtype.itemsize}")

    def _to_memory(self, operand: Operand) -> str:
        return self.code.value(f"zext i1 {operand.text} to i8") if operand.dtype is bool_ else operand.text
