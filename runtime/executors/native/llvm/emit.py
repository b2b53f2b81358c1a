"""Emits LLVM IR from the loop language.

Each function of a program becomes one of LLVM's, which returns a status; what it gives goes out through
pointers. Names are places on the stack, which LLVM makes registers of. Memory for arrays comes from `malloc`,
and is kept on a stack of its own: a loop gives back what its turn has made, and a run that fails gives back
all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from runtime.core.dtypes import DType, bool_, int64
from runtime.executors.native.calls import passing
from runtime.executors.native.intrinsics import (
    COMPARISONS,
    applied,
    cast,
    fitting_cast,
    folded,
    shared_text,
    with_helpers,
)
from runtime.executors.native.intrinsics.draws import draws_text, name_of_draw
from runtime.executors.native.language.choices import between, limit_of
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Break,
    Call,
    Cast,
    Copy,
    Draw,
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
    Matrices,
    Named,
    Number,
    Object,
    Part,
    Program,
    Release,
    Remember,
    Rows,
    Set,
    Share,
    Statement,
    Store,
    Sums,
    Try,
    Variable,
    While,
    multiply,
)
from runtime.executors.native.language.places import without_place
from runtime.executors.native.language.walking import allocates, calls, inside, makers_of
from runtime.executors.native.llvm import clocked, divisions
from runtime.executors.native.llvm.code import (
    POOL_SYMBOL,
    SLOT,
    Code,
    Operand,
    Status,
    Vectors,
    in_memory,
    in_register,
    number_text,
)
from runtime.executors.native.llvm.emit_entry import entry_text, type_of
from runtime.executors.native.llvm.emit_loops import LEFT, LoopsEmitter
from runtime.executors.native.llvm.engine import AtOnce
from runtime.executors.native.llvm.flags import FLAGS, Flags
from runtime.executors.native.llvm.kept import stores_of_choices
from runtime.executors.native.llvm.landing import fail, land, table_of
from runtime.executors.native.llvm.lanes import (
    has_aliases,
)
from runtime.executors.native.llvm.polling import (
    BUDGET,
    CALL,
    work_of,
)
from runtime.executors.native.llvm.releasing import begin_turns, end_turn, release
from runtime.executors.native.llvm.sharing import call_shared, ranges_text
from runtime.executors.native.llvm.widths import width_of
from runtime.executors.native.numpys_matrices import matrices_text, name_of_matrices
from runtime.executors.native.numpys_own import loops_text, name_of_loop

__all__ = ["Emission", "emit", "emitted", "shares_of"]

_FEW, _SELDOM = 8, 16
"""Elements that are stored one by one where all others are zeros, and of how many each has to be one."""
_EVERY = Vectors()


def emit(program: Program, flags: Flags | None = None, *, vectors: Vectors = _EVERY) -> str:
    """A program as the text of a module of LLVM's, as `Emission.text`."""
    return Emission(program, flags, vectors=vectors).text()


class Emission:
    """A program, from which texts of modules of LLVM's are made.

    Parameters
    ----------
    program : Program
    flags : Flags, optional
        Has a run end where NumPy would warn, or say so at its end.
    vectors : Vectors
        What the processor does with these.
    """

    def __init__(self, program: Program, flags: Flags | None = None, *, vectors: Vectors = _EVERY) -> None:
        names = [*program.constants, *program.objects, *program.streams]
        names += [POOL_SYMBOL] if shares_of(program) else []
        constants = [f"@{name} = global ptr null" for name in names]
        functions = emitted(program, flags, vectors=vectors)
        makers = makers_of(program.functions)
        if flags is not None:
            constants += loops_text(functions, flags)
        matrices = matrices_text(functions)
        if matrices and flags is None:
            assert FLAGS is not None, "who has no flags calls no loops over matrices"
            constants.append(FLAGS.declarations)
        constants += matrices
        if program.hosts:
            constants += [passing.table_text(len(program.hosts)), passing.HELPERS]
            if flags is not None:
                constants.append(passing.watching(flags))
        constants += draws_text(program.draws)
        remembers = any(isinstance(each, Remember) for each in inside(program.functions[-1].body))
        entry = entry_text(program.functions[-1], flags, remembers=remembers)
        if program.lines is not None:
            entry = clocked.between_laps(entry, len(program.lines.places))
        self._parts = [*constants, *functions, entry]
        self._services = ["ag_free"] if makers else []
        self._makes_memory_often = _allocates_often(program, makers)

    def text(self, calling: str = "") -> str:
        """The text of a module, with a function that calls the entry."""
        text = "\n\n".join([*self._parts, calling])
        return with_helpers(text, self._services, makes_memory_often=self._makes_memory_often)

    def at_once(self, symbols: list[str]) -> AtOnce:
        """A module that is made at once: what programs can share is not in it."""
        shared: set[str] = set()
        text = with_helpers("\n\n".join(self._parts), self._services, shared=shared)
        return AtOnce(text, symbols, sorted(shared), shared_text)


def _allocates_often(program: Program, makers: Collection[str]) -> bool:
    """Whether one run may make memory many times: in the turns of a loop, or in functions that are called."""
    *called, entry = program.functions
    loops = [each for each in inside(entry.body) if isinstance(each, For | While | Rows)]
    return any(each.name in makers for each in called) or any(allocates([loop]) for loop in loops)


def emitted(
    program: Program, flags: Flags | None = None, *, vectors: Vectors = _EVERY, polls: bool = True
) -> list[str]:
    """The functions of a program, as text of LLVM's.

    Parameters
    ----------
    program : Program
    flags : Flags, optional
    vectors : Vectors
        As of `emit`.
    polls : bool
        Whether they look at signals and at other threads again and again.
    """
    program = divisions.dividing(program) if vectors.divide else program
    functions = {function.name: function for function in program.functions}
    makers, beside = makers_of(program.functions), _in_registers(program)
    return [
        *[
            _Emitter(function, program, makers, flags, beside=beside, vectors=vectors, polls=polls).text()
            for function in program.functions
        ],
        *[ranges_text(each, functions[each.function]) for each in shares_of(program)],
    ]


def shares_of(program: Program) -> list[Share]:
    """The loops that threads may share."""
    return [
        each for function in program.functions for each in inside(function.body) if isinstance(each, Share)
    ]


def _in_registers(program: Program) -> dict[str, str]:
    """The types of what functions that are called give in a register: of first results that are numbers."""
    *called, _ = program.functions
    shared = {each.function for each in shares_of(program)}
    first = {each.name: each.results[0] for each in called if each.results and each.name not in shared}
    return {
        name: type_of(result)
        for name, result in first.items()
        if isinstance(result, Variable) and result.dtype is not bool_ and not result.dtype.is_complex
    }


class _Emitter:
    """One function in the making."""

    def __init__(
        self,
        function: Function,
        program: Program,
        makers: Collection[str],
        flags: Flags | None,
        *,
        beside: Mapping[str, str],
        vectors: Vectors,
        polls: bool,
    ) -> None:
        self.code = Code(gives_way=flags is not None)
        self.code.beside = beside.get(function.name)
        self._beside = beside
        self._function = function
        self._program = program
        self._makers = makers
        self.flags = flags
        self._polls = polls
        self._arms = 0
        """In how many branches that is which is being written."""
        self._hidden: dict[tuple[str, str], str] = {}
        self._slots: dict[str, tuple[str, str]] = {}
        self._without_place = without_place(function)
        self._stores_of_choices = stores_of_choices(function)
        self._values: dict[str, Operand] = {}
        """Of numbers that have no place."""
        self._marks: dict[str, str] = {}
        self._tables: list[str] = []
        self._counters: list[str] = []
        self.fresh: set[str] = set(function.own)
        """Arrays that were made in the block that is being written, and have no other name yet."""
        self._loops = LoopsEmitter(self, function, self._without_place, vectors=vectors, polls=polls)

    def text(self) -> str:
        function, code = self._function, self.code
        for each in [*function.parameters, *function.results]:
            self.slot(each)
        for parameter in function.parameters:
            code.add(f"store {type_of(parameter)} %{parameter.name}.in, ptr {self.slot(parameter)}")
        has_calls, has_memory = calls(function.body), function.name in self._makers
        if self._polls:
            self._slots[LEFT] = LEFT, "i64"
            code.add(f"store i64 {BUDGET}, ptr {LEFT}")
        if has_calls:
            self.return_unless_zero(code.value("call i32 @ag_enter(ptr %context)"))
            if self._polls:
                self.return_unless_zero(code.value(f"call i32 @ag_work(ptr %context, i64 {CALL})"))
        mark = code.value("call i64 @ag_mark(ptr %context)") if has_memory else ""
        self.block(function.body)
        is_called = function is not self._program.functions[-1]
        if self._polls and is_called and any(isinstance(each, For | While) for each in inside(function.body)):
            left = code.value(f"load i64, ptr {LEFT}")
            work = code.value(f"sub nuw nsw i64 {BUDGET + work_of(function.body)}, {left}")
            self.return_unless_zero(code.value(f"call i32 @ag_work(ptr %context, i64 {work})"))
        in_memory_only = function.results if code.beside is None else function.results[1:]
        for result in in_memory_only:
            value = code.value(f"load {type_of(result)}, ptr {self.slot(result)}")
            if isinstance(result, Variable) and result.dtype is bool_:
                code.add(f"store i8 {code.value(f'zext i1 {value} to i8')}, ptr %{result.name}.out")
            else:
                code.add(f"store {type_of(result)} {value}, ptr %{result.name}.out")
        if has_memory:
            kept = [self.pointer(each) for each in function.results if not isinstance(each, Variable)]
            release(code, mark, kept)
        if code.beside is None:
            code.give("0")
        else:
            code.give("0", code.value(f"load {code.beside}, ptr {self.slot(function.results[0])}"))
        parameters = ", ".join(
            [
                "ptr %context",
                *[self._parameter(each) for each in function.parameters],
                *[f"ptr %{each.name}.out" for each in in_memory_only],
            ]
        )
        slots = [f"  {name} = alloca {kind}" for name, kind in self._slots.values()]
        flags = self.flags
        hidden = [
            f"  {name} = {flags.hiding(*key)}" for key, name in self._hidden.items() if flags is not None
        ]
        body = "\n".join(["start:", *slots, *self._counters, *hidden, *code.lines])
        kind = "i32" if code.beside is None else f"{{i32, {code.beside}}}"
        whole = f"define internal {kind} @{function.name}({parameters}) {width_of(function)} {{\n{body}\n}}"
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

    def counter(self, stem: str) -> str:
        """A new place for a whole number, which is 0 when the function begins."""
        place = self.place(stem, "i64")
        self._counters.append(f"  store i64 0, ptr {place}")
        return place

    def slot(self, each: Named) -> str:
        """The place of a name."""
        if each.name not in self._slots:
            self._slots[each.name] = f"%{each.name}{SLOT}", type_of(each)
        return self._slots[each.name][0]

    def has_place(self, each: Variable) -> bool:
        """Whether a number has one: else it is what it was set to."""
        return each.name not in self._without_place

    def return_unless_zero(self, status: str) -> None:
        """Ends the function where a status says so."""
        self.code.leave_if(self.code.value(f"icmp ne i32 {status}, 0"), status)

    # ── statements ──

    def block(self, statements: Sequence[Statement]) -> None:
        """Statements, one after the other."""
        around = self.fresh
        if has_aliases(statements):  # what is new in the first turn of a loop may be known in the next
            self.fresh = set()
        before: Statement | None = None
        for statement in statements:
            tested = None if before is None else between(before, statement)
            for each in [statement] if tested is None else tested:
                self._statement(each)
            before = statement
        self.fresh = around

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
            case Store():
                self._store(statement)
            case Allocate():
                self._allocate(statement)
            case Alias(array, of):
                self.fresh -= {array.name, of.name}
                code.add(f"store ptr {self.pointer(of)}, ptr {self.slot(array)}")
            case Copy():
                self._copy(statement)
            case Remember():
                self._remember(statement)
            case For() | While() | Rows():
                self._loops.emit(statement)
            case Break():
                self._loops.leave()
            case If():
                self._if(statement)
            case Fail():
                fail(code, statement, self.expression)
            case Try():
                self._try(statement)
            case Call(function, arguments, results):
                self.fresh = set()
                given = ["ptr %context", *map(self._argument, arguments)]
                self._call(function, given, results)
            case Share():
                call_shared(self, statement)
            case Host():
                self._host(statement)
            case Draw():
                self._draw(statement)
            case Sums() | Matrices():
                self._by_numpy(statement)
            case Mark(mark):
                self._marks[mark] = begin_turns(code, self._slots, mark)
            case Release(mark, keep, is_rare):
                kept = [self.pointer(each) for each in keep]
                end_turn(code, mark, self._marks[mark], kept, is_rare=is_rare)
            case Lap(line):
                code.add(f"call void @ag_lap(i64 {line})")

    def _store(self, store: Store) -> None:
        code, kind = self.code, in_memory(store.array.dtype)
        text = self._to_memory(self.expression(store.value))
        if id(store) in self._stores_of_choices:
            text = code.value(f"freeze {kind} {text}")
        code.add(f"store {kind} {text}, ptr {self._element(store.array, store.place)}")

    def _allocate(self, new: Allocate) -> None:
        code = self.code
        size = self._bytes(new.array, new.count)
        pointer = code.value(f"call ptr @ag_allocate(ptr %context, i64 {size})")
        code.leave_if(code.value(f"icmp eq ptr {pointer}, null"), str(int(Status.NO_MEMORY)))
        code.add(f"store ptr {pointer}, ptr {self.slot(new.array)}")
        self.fresh.add(new.array.name)

    def _copy(self, copy: Copy) -> None:
        code = self.code
        to, of, size = self.pointer(copy.array), self.pointer(copy.of), self._bytes(copy.array, copy.count)
        after = code.label("copied")
        if copy.may_be_one:
            apart = code.label("apart")
            code.add(f"br i1 {code.value(f'icmp eq ptr {to}, {of}')}, label %{after}, label %{apart}")
            code.begin(apart)
        others = self._others_than_zero(copy)
        if others is not None:
            code.add(f"call void @llvm.memset.p0.i64(ptr {to}, i8 0, i64 {size}, i1 false)")
            for place, value in others:
                element = code.value(f"getelementptr inbounds {value.split()[0]}, ptr {to}, i64 {place}")
                code.add(f"store {value}, ptr {element}")
        else:
            code.add(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {of}, i64 {size}, i1 false)")
        if copy.may_be_one:
            code.add(f"br label %{after}")
            code.begin(after)

    def _others_than_zero(self, copy: Copy) -> list[tuple[int, str]] | None:
        """What is no zero in an array that is known, and has little else: nobody needs to read the zeros.

        By their places, with their bits. None where it is not known, or has many others.
        """
        known = self._program.constants.get(copy.of.name)
        if known is None or copy.count != Number(known.size, int64):
            return None
        bits = np.ascontiguousarray(known).reshape(-1)
        if bits.itemsize > np.dtype(np.uint64).itemsize:
            return None if bits.view(np.uint8).any() else []
        words = bits.view(f"u{bits.itemsize}")
        places = np.flatnonzero(words)
        if len(places) > _FEW or len(places) * _SELDOM > len(words):
            return None
        return [(int(place), f"i{8 * words.itemsize} {words[place]}") for place in places]

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
        """A call: results come back through memory, bools as bytes; the first one may in a register."""
        code, beside = self.code, self._beside.get(function)
        if beside is not None:
            first, *results = results
        truths = [each for each in results if isinstance(each, Variable) and each.dtype is bool_]
        bytes_of = {}
        for each in truths:
            bytes_of[each] = f"%{each.name}.byte"
            self._slots[bytes_of[each]] = bytes_of[each], "i8"
        places = [f"ptr {bytes_of.get(each) or self.slot(each)}" for each in results]  # type: ignore[arg-type]  # arrays are no keys
        arguments = ", ".join([*given, *places])
        if beside is None:
            self.return_unless_zero(code.value(f"call i32 @{function}({arguments})"))
        else:
            pair = f"{{i32, {beside}}}"
            found = code.value(f"call {pair} @{function}({arguments})")
            self.return_unless_zero(code.value(f"extractvalue {pair} {found}, 0"))
            value = code.value(f"extractvalue {pair} {found}, 1")
            code.add(f"store {beside} {value}, ptr {self.slot(first)}")
        for each in truths:
            byte = code.value(f"load i8, ptr {bytes_of[each]}")
            code.add(f"store i1 {code.value(f'icmp ne i8 {byte}, 0')}, ptr {self.slot(each)}")

    def _host(self, call: Host) -> None:
        code, given = self.code, list[tuple[str, str]]()
        for argument in call.arguments:
            kind, text = self._argument(argument).split(" ", 1)
            given.append(("i8", code.value(f"zext i1 {text} to i8")) if kind == "i1" else (kind, text))
        found = [(type_of(result), self.slot(result)) for result in call.results]
        site, is_watched = self._program.hosts[call.site], self.flags is not None
        passing.call_python(code, self._slots, site, call.site, given, found, is_watched=is_watched)

    def _draw(self, draw: Draw) -> None:
        given = ", ".join([f"ptr {self.pointer(draw.stream)}", *map(self._argument, draw.arguments)])
        call = f"call {type_of(draw.variable)} @{name_of_draw(draw.function)}({given})"
        self._set(draw.variable, Operand(self.code.value(call), draw.variable.dtype))

    def _by_numpy(self, statement: Sums | Matrices) -> None:
        if isinstance(statement, Sums):
            self._sums(statement)
        else:
            self._matrices(statement)

    def _sums(self, sums: Sums) -> None:
        """A call of NumPy's loop: it counts in bytes, and has its operands' axes before the result's."""
        parts = sums.parts
        size = sums.result.array.dtype.itemsize
        steps = [part.steps[0] for part in parts] + [step for part in parts for step in part.steps[1:]]
        given = [f"ptr {self._start(part)}" for part in parts]
        given += [f"i64 {self.expression(each).text}" for each in sums.lengths]
        given += [f"i64 {self.expression(multiply(step, size)).text}" for step in steps]
        name = name_of_loop(sums.function, sums.result.array.dtype)
        self.code.add(f"call void @{name}.sums({', '.join(given)})")

    def _matrices(self, matrices: Matrices) -> None:
        """A call of NumPy's loop over a stack of matrices."""
        given = [f"ptr {self.pointer(each)}" for each in (*matrices.operands, *matrices.results)]
        given += [f"i64 {self.expression(each).text}" for each in matrices.lengths]
        name = name_of_matrices(matrices.function, matrices.operands[0].dtype)
        found = self.code.value(f"call i1 @{name}({', '.join(given)})")
        self._set(matrices.is_solved, Operand(found, bool_))

    def _start(self, part: Part) -> str:
        """Where the elements of a part begin."""
        return self._element(part.array, part.place)

    def worked(self, units: str) -> None:
        """Counts work; where it was enough, signals are looked at."""
        self._loops.worked(units)

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
            error = passing.catch_python(code, self._slots, len(self._program.hosts), status)
            code.add(f"store ptr {error}, ptr {self.slot(attempt.error)}")
        self.block(attempt.handler)
        code.add(f"br label %{after}")
        code.begin(after)

    def _if(self, branch: If) -> None:
        code = self.code
        test = self.expression(branch.test).text
        then, orelse, after = code.label("then"), code.label("else"), code.label("after")
        fails = not branch.orelse and any(isinstance(each, Fail) for each in branch.then[-1:])
        how = ", !prof !0" if branch.is_rare or fails else ""
        code.add(f"br i1 {test}, label %{then}, label %{orelse}{how}")
        code.begin(then)
        self._arms += 1
        self.block(branch.then)
        code.add(f"br label %{after}")
        code.begin(orelse)
        self.block(branch.orelse)
        self._arms -= 1
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
            case Cast(of, dtype, fits):
                return self.cast(self.expression(of), dtype, fits=fits)
            case Apply("logical_and") if (inside := limit_of(expression)) is not None:
                number, limit = map(self.expression, inside)
                most = code.value(f"call i64 @llvm.smax.i64(i64 {limit.text}, i64 0)")
                return Operand(code.value(f"icmp ult i64 {number.text}, {most}"), bool_)
            case Apply(function, (one, Number(value, kind)), dtype) if function in COMPARISONS:
                known = Operand(number_text(value, kind), kind, value)  # LLVM does not know the other one
                return applied(code, function, [self._pinned(self.expression(one)), known], dtype)
            case Apply(function, arguments, dtype):
                given = [self._pinned(self.expression(each)) for each in arguments]
                return applied(code, function, given, dtype)

    def cast(self, of: Operand, dtype: DType, *, fits: bool = False) -> Operand:
        """A number as one of another dtype; where flags matter, LLVM does not see what a float was."""
        if fits:
            return fitting_cast(self.code, self._pinned(of), dtype)
        if self.flags is not None and dtype.is_floating and not of.dtype.is_floating:
            of = self._never_known(of)
        return cast(self.code, self._pinned(of), dtype)

    def _never_known(self, whole: Operand) -> Operand:
        """A whole number, by an instruction that vectors have, of which LLVM does not know what it is.

        Unrolled turns have numbers that are known, and what is computed of these beforehand raises no flag.
        """
        kind = in_register(whole.dtype)
        zero = self._hidden.setdefault(("0", kind), f"%hidden.{len(self._hidden)}")
        return Operand(self.code.value(f"add {kind} {whole.text}, {zero}"), whole.dtype)

    def _pinned(self, operand: Operand) -> Operand:
        """A number in a branch whose flags are its own: LLVM computes nothing with it elsewhere."""
        flags, dtype = self.flags, operand.dtype
        if flags is None or not flags.are_kept_in_arms or not self._arms or not dtype.is_floating:
            return operand
        return Operand(self.code.value(flags.pinning(operand.text, in_register(dtype))), dtype)

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
