"""Reference interpreter of the loop language: slow, checks memory accesses, the oracle of compiled code.

It minds what machine code cannot: an element outside of its memory, or that nobody has written; memory that
was given back, or that is not the program's to write into; a number of another dtype than the program says.
All of these are `OutOfOrder`: mistakes of whoever made the program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from runtime.core.dtypes import DType, int64
from runtime.core.lists import ListValue
from runtime.errors import is_caught
from runtime.executors.native.calls import failures, hosts
from runtime.executors.native.forms import HEAD, ArrayForm, Form, ListForm, NestedForm, NumberForm, form_of
from runtime.executors.native.language.loops import (
    MOST_RANGES,
    ROWS,
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
    Failed,
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
    expression_text,
)
from runtime.executors.native.language.loops import Program as Loops
from runtime.executors.native.language.text import program_text
from runtime.executors.native.language.walking import changed_by
from runtime.executors.native.mathematics.quotients import QUOTIENT
from runtime.executors.native.numpys_matrices import LOOPS
from runtime.executors.native.numpys_own import PREFIX
from runtime.executors.native.randomness.draws import DRAWS
from runtime.executors.program import Program
from runtime.graph.graph import Graph
from runtime.ops.random.keys import generator_at
from runtime.ops.scalars import SCALARS

__all__ = ["Interpreted", "OutOfOrder"]


class OutOfOrder(Exception):  # a finding of the judge
    """A program of loops does what machine code must not."""


class _HasFailed(Exception):  # a signal of the judge
    """A run ends at a site of the program, which shows numbers of these bits."""

    def __init__(self, site: int, bits: list[int]) -> None:
        super().__init__(site)
        self.site = site
        self.bits = bits


class _Left(Exception):  # no failure: where a run is
    """The loop around is over."""


class Interpreted(Program):
    """A program of loops, interpreted.

    Parameters
    ----------
    loops : Program
        Of the loop language.
    graph : Graph
        What its last function computes.
    """

    def __init__(self, loops: Loops, graph: Graph) -> None:
        self._loops = loops
        form = partial(form_of, has_nested=loops.has_nested)
        self._takes, self._gives = list(map(form, graph.input_specs)), list(map(form, graph.output_specs))

    def entry(self, *arrays: Any) -> Any:
        lent = self._loops.lent
        own = {index: np.array(arrays[index]) for index in lent.values()}
        given = [
            part
            for index, form in enumerate(self._takes)
            for part in _parts(form, own.get(index, arrays[index]), is_lent=index in own)
        ]
        run = _Run(self._loops)
        try:
            left = iter(run.call(self._loops.functions[-1], given))
        except _HasFailed as failed:
            raise run.raised(failed) from None
        results = [
            own[lent[output]] if output in lent else _value(form, left)
            for output, form in enumerate(self._gives)
        ]
        return results[0] if len(results) == 1 else tuple(results)

    def source(self) -> str:
        return program_text(self._loops)


class _Memory:
    """Where elements lie.

    Attributes
    ----------
    elements : array
    is_written : array of bool
    is_held : bool
        Whether it has not been given back.
    is_own : bool
        Whether the program may write into it.
    """

    def __init__(self, elements: Any, *, is_own: bool) -> None:
        self.elements = elements
        self.is_written = np.full(len(elements), not is_own)
        self.is_held = True
        self.is_own = is_own

    def read(self, place: int, text: str) -> Any:
        """An element."""
        self._look(place, text)
        if not self.is_written[place]:
            raise OutOfOrder(f"{text} is read, and was never written")
        return self.elements[place]

    def write(self, place: int, value: Any, text: str) -> None:
        """Gives an element a value."""
        self._look(place, text)
        if not self.is_own:
            raise OutOfOrder(f"{text} is written, and belongs to somebody else")
        self.elements[place] = value
        self.is_written[place] = True

    def some(self, count: int, text: str) -> Any:
        """The first elements."""
        if count:
            self._look(count - 1, text)
        return self.elements[:count]

    def copy(self, of: _Memory, count: int, text: str) -> None:
        """Takes over the first elements of other memory, as far as they were written."""
        values, written = of.some(count, text).copy(), of.is_written[:count].copy()
        if count:
            self._look(count - 1, text)
        if count and not self.is_own:
            raise OutOfOrder(f"{text} is written, and belongs to somebody else")
        self.elements[:count], self.is_written[:count] = values, written

    def _look(self, place: int, text: str) -> None:
        if not self.is_held:
            raise OutOfOrder(f"{text} was given back")
        if not 0 <= place < len(self.elements):
            raise OutOfOrder(f"{text} has {len(self.elements)} elements, and is asked for that at {place}")


class _Run:
    """One run of a program."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops
        self._functions = {function.name: function for function in loops.functions}
        self._hosts = list(map(hosts.function_of, loops.hosts))
        self._constants: dict[str, Any] = {
            name: _Memory(array.reshape(-1), is_own=False) for name, array in loops.constants.items()
        }
        self._constants |= loops.objects
        self._made: list[_Memory] = []
        self._generators: dict[int, Any] = {}

    def call(self, function: Function, given: Sequence[Any]) -> list[Any]:
        """What a function gives."""
        names = {each.name: value for each, value in zip(function.parameters, given, strict=True)}
        frame = _Frame(self, {**self._constants, **names})
        start = len(self._made)
        frame.block(function.body)
        results = [frame.named(each) for each in function.results]
        self.release(start, results)
        return results

    def call_by_name(self, name: str, given: Sequence[Any]) -> list[Any]:
        """What another function of the program gives."""
        return self.call(self._functions[name], given)

    def host(self, site: int, given: Sequence[Any]) -> list[Any]:
        """What a call of Python gives."""
        takes, gives = self._loops.hosts[site].takes, self._loops.hosts[site].gives
        left = iter(given)
        values = self._hosts[site](*[_taken(form, left) for form in takes])
        found = [values] if len(gives) == 1 else values
        parts = [part for form, value in zip(gives, found, strict=True) for part in _found(form, value)]
        for part in parts:
            if isinstance(part, _Memory):
                part.is_own = True
                self._made.append(part)
        return parts

    def draw(self, draw: Draw, given: Sequence[Any], memory: Any) -> Any:
        """The next number of a stream, or of a generator that the program has made in some memory."""
        if draw.function == "pcg64_made":
            self._generators[id(memory)] = np.random.default_rng(int(given[0]))
        elif draw.function == "philox_at":
            one, other, first, purpose = given
            self._generators[id(memory)] = generator_at(np.array([one, other]), first, int(purpose))
        if draw.function in {"pcg64_made", "philox_made", "philox_at"}:
            return draw.variable.dtype.numpy.type(0)
        stream = self._loops.streams.get(draw.stream.name)
        owner = self._generators[id(memory)] if stream is None else stream.owner
        return draw.variable.dtype.numpy.type(DRAWS[draw.function].by_python(owner, *given))

    def fail(self, site: int, bits: Sequence[int]) -> NoReturn:
        """Ends the run."""
        raise _HasFailed(site, list(bits))

    def raised(self, failed: _HasFailed) -> BaseException:
        """The exception of a run that has ended at a site."""
        return failures.raised_at(self._loops.sites[failed.site], failed.bits)

    def number(self, landing: Landing, failed: _HasFailed) -> int:
        """Which class of a landing the exception is, with which a run has ended, or 0."""
        kind = self._loops.sites[failed.site].kind
        fits = (n for n, each in enumerate(landing.kinds, 1) if kind is not None and is_caught(kind, each))
        return next(fits, 0)

    def allocate(self, dtype: DType, count: int) -> _Memory:
        """New memory."""
        if count < 0:
            raise MemoryError("there is not enough memory for an array of this graph")
        memory = _Memory(np.empty(max(count, 0), dtype.numpy), is_own=True)
        self._made.append(memory)
        return memory

    def height(self) -> int:
        """How much memory there is."""
        return len(self._made)

    def release(self, mark: int, keep: Sequence[Any]) -> None:
        """Gives back all memory since a mark but what is kept."""
        since, self._made[mark:] = self._made[mark:], []
        for memory in since:
            if any(memory is each for each in keep):
                self._made.append(memory)
            else:
                memory.is_held = False


class _Frame:
    """The names of one call, and what they stand for."""

    def __init__(self, run: _Run, names: dict[str, Any]) -> None:
        self._run = run
        self._names = names

    def named(self, each: Named) -> Any:
        """What a name stands for."""
        if each.name not in self._names:
            raise OutOfOrder(f"{each.name} is asked for, and stands for nothing yet")
        return self._names[each.name]

    def block(self, statements: Sequence[Statement]) -> None:
        """Runs statements, one after the other."""
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        names, run = self._names, self._run
        match statement:
            case Set(variable, value):
                names[variable.name] = self._of(variable.dtype, value)
            case Fold(variable, function, value):
                names[variable.name] = self._number(Apply(function, (variable, value), variable.dtype))
            case Store(array, place, value):
                number = self._of(array.dtype, value)
                self.named(array).write(int(self._number(place)), number, f"{array.name}[{_text(place)}]")
            case Allocate(array, count):
                names[array.name] = run.allocate(array.dtype, int(self._number(count)))
            case Alias(array, of):
                names[array.name] = self.named(of)
            case Copy():
                self._copy(statement)
            case Remember(array, count):
                self.named(array).some(int(self._number(count)), array.name)
            case For(index, count, body):
                for turn in range(turns := max(int(self._number(count)), 0)):
                    names[index.name] = int64.numpy.type(turn)
                    self.block(body)
                names[index.name] = int64.numpy.type(turns)
            case While():
                self._while(statement)
            case Break():
                raise _Left
            case Rows():
                self._rows(statement)
            case If(test, then, orelse):
                self.block(then if self._number(test) else orelse)
            case Try():
                self._try(statement)
            case Fail():
                self._fail(statement)
            case Call(function, arguments, results):
                self._receive(results, run.call_by_name(function, self._given(arguments)))
            case Share():
                self._share(statement)
            case Host(site, arguments, results):
                self._receive(results, run.host(site, self._given(arguments)))
            case Draw(variable):
                given = list(map(self._number, statement.arguments))
                names[variable.name] = run.draw(statement, given, names.get(statement.stream.name))
            case Sums() | Matrices():
                self._by_numpy(statement)
            case Mark(mark):
                names[mark] = run.height()
            case Release(mark, keep):
                run.release(names[mark], list(map(self.named, keep)))
            case Lap():
                pass

    def _while(self, loop: While) -> None:
        with suppress(_Left):
            self.block(loop.before)
            while self._number(loop.test):
                self.block(loop.body)
                self.block(loop.before)

    def _copy(self, copy: Copy) -> None:
        to, of = self.named(copy.array), self.named(copy.of)
        if to is of and copy.may_be_one:
            return
        text = f"{copy.array.name}[:] = {copy.of.name}[:{_text(copy.count)}]"
        to.copy(of, int(self._number(copy.count)), text)

    def _by_numpy(self, statement: Sums | Matrices) -> None:
        if isinstance(statement, Sums):
            self._sums(statement)
        else:
            self._matrices(statement)

    def _sums(self, sums: Sums) -> None:
        count, *lengths = [int(self._number(each)) for each in sums.lengths]
        *of, found_in = [(count, *[lengths[axis] for axis in axes]) for axes in _AXES[sums.function]]
        given = [self._read(part, shape) for part, shape in zip(sums.operands, of, strict=True)]
        with np.errstate(all="ignore"):
            is_row = sums.function == "add"
            found = np.add.reduce(given[0], axis=1) if is_row else getattr(np, sums.function)(*given)
        array, text = self.named(sums.result.array), sums.result.array.name
        for place, value in zip(self._places(sums.result, found_in), found.reshape(-1), strict=True):
            array.write(place, value, text)

    def _matrices(self, matrices: Matrices) -> None:
        count, *lengths = [int(self._number(each)) for each in matrices.lengths]
        of = LOOPS[matrices.function]
        given, found_in, letters = of.signature(matrices.function)
        sizes = dict(zip(letters, lengths, strict=True))
        text, is_solved = matrices.function, True
        for turn in range(count):
            operands = []
            for array, axes in zip(matrices.operands, given, strict=True):
                shape = tuple([sizes[letter] for letter in axes])
                places = range(turn * math.prod(shape), (turn + 1) * math.prod(shape))
                elements = [self.named(array).read(place, text) for place in places]
                operands.append(np.array(elements, array.dtype.numpy).reshape(shape))
            try:
                with np.errstate(all="ignore"):
                    found = of.numpys(*operands)
            except np.linalg.LinAlgError:
                is_solved = False
                found = tuple([np.full([sizes[letter] for letter in axes], np.nan) for axes in found_in])
            for array, value in zip(
                matrices.results, found if isinstance(found, tuple) else (found,), strict=True
            ):
                numbers = np.asarray(value, array.dtype.numpy).reshape(-1)
                for place, number in enumerate(numbers, turn * numbers.size):
                    self.named(array).write(place, number, text)
        self._names[matrices.is_solved.name] = np.bool_(is_solved)

    def _read(self, part: Part, shape: tuple[int, ...]) -> Any:
        """The elements of a part of an array."""
        array, text = self.named(part.array), part.array.name
        elements = [array.read(place, text) for place in self._places(part, shape)]
        return np.array(elements, part.array.dtype.numpy).reshape(shape)

    def _places(self, part: Part, shape: tuple[int, ...]) -> list[int]:
        """Where the elements of a part of an array are."""
        steps = np.array([int(self._number(step)) for step in part.steps])
        indices = np.indices(shape).reshape(len(shape), -1)
        places: list[int] = (int(self._number(part.place)) + steps @ indices).tolist()
        return places

    def _fail(self, failure: Fail) -> None:
        match failure:
            case Fail(Failed(site, bits)):
                self._run.fail(int(self.named(site)), [int(self.named(each)) for each in bits])
            case Fail(int(site), shown):
                self._run.fail(site, [_bits_of(self._number(each)) for each in shown])

    def _try(self, attempt: Try) -> None:
        try:
            self.block(attempt.body)
        except (OutOfOrder, _Left):
            raise
        except BaseException as raised:
            failed = raised if isinstance(raised, _HasFailed) else None
            if isinstance(attempt.error, Object):  # the handler says which it is for, and raises the others
                self._names[attempt.error.name] = raised if failed is None else self._run.raised(failed)
            elif failed is None or not (number := self._run.number(attempt.error, failed)):
                raise
            else:
                self._land(attempt.error, number, failed)
            self.block(attempt.handler)

    def _land(self, landing: Landing, number: int, failed: _HasFailed) -> None:
        bits = [np.int64(word) for word in failed.bits]
        bits += [np.int64(0)] * (len(landing.failed.bits) - len(bits))
        floats = [word.view(np.float64) for word in bits]
        values = np.int64(number), np.int64(failed.site), *bits, *floats
        for name, value in zip(landing.names, values, strict=True):
            self._names[name.name] = value

    def _rows(self, rows: Rows) -> None:
        """Groups of rows: numbers of each first, and then what is done with these, one after the other."""
        own = set(changed_by(rows.body))
        while 0 <= (first := int(self.named(rows.index))) <= int(self._number(rows.count)) - ROWS:
            found = []
            try:
                for row in range(first, first + ROWS):
                    frame = _Frame(self._run, {**self._names, rows.index.name: int64.numpy.type(row)})
                    frame.block(rows.body)
                    found.append({name: frame._names[name] for name in own if name in frame._names})
            except OutOfOrder:
                raise
            except Exception:  # noqa: BLE001  # the loop behind comes to it
                return
            for each in found:
                self._names.update(each)
                self.block(rows.after)

    def _share(self, share: Share) -> None:
        """Ranges from the last to the first: they need nothing of each other."""
        count, given = int(self._number(share.count)), self._given(share.arguments)
        size = max(int(self._number(share.size)), -(-count // MOST_RANGES))
        bounds = [int64.numpy.type(bound) for bound in (*range(0, count, size), count)]
        found = [
            self._run.call_by_name(share.function, [*given, start, stop])
            for start, stop in reversed(list(pairwise(bounds)))
        ]
        for results in reversed(found):
            for (variable, function), value in zip(share.folds, results, strict=True):
                total = SCALARS[function].meaning(self.named(variable), value)
                self._names[variable.name] = variable.dtype.numpy.type(total)

    def _given(self, arguments: Sequence[Expression | Array | Object]) -> list[Any]:
        return [
            self.named(each) if isinstance(each, Array | Object) else self._number(each) for each in arguments
        ]

    def _receive(self, results: Sequence[Named], values: Sequence[Any]) -> None:
        for each, value in zip(results, values, strict=True):
            self._names[each.name] = value

    # ── expressions ──

    def _of(self, dtype: DType, expression: Expression) -> Any:
        """A number that shall be of a dtype."""
        if expression.dtype is not dtype:
            raise OutOfOrder(f"{_text(expression)} is {expression.dtype}, and becomes {dtype}")
        return self._number(expression)

    def _number(self, expression: Expression) -> Any:
        match expression:
            case Number(value, dtype):
                return dtype.numpy.type(value)
            case Variable():
                return self.named(expression)
            case Load(array, place):
                return self.named(array).read(int(self._number(place)), f"{array.name}[{_text(place)}]")
            case Cast(of, dtype):
                with np.errstate(all="ignore"):
                    return self._number(of).astype(dtype.numpy)
            case Apply(function, arguments, dtype):
                operands = list(map(self._number, arguments))
                if function == QUOTIENT:
                    function, operands = "divide", operands[:2]
                with np.errstate(all="ignore"):
                    found = np.asarray(SCALARS[function.removeprefix(PREFIX)].meaning(*operands))[()]
                if found.dtype != dtype.numpy:
                    raise OutOfOrder(f"{_text(expression)} is said to be {dtype}, and is {found.dtype}")
                return found


_text = expression_text

_AXES = {"matmul": ((0, 1), (1, 2), (0, 2)), "vecdot": ((0,), (0,), ()), "add": ((0,), ())}
"""Which axes the operands of sums have, and the result."""


def _bits_of(number: Any) -> int:
    """A number as 64 bits: a float as those of a double, as machine code leaves it in a context."""
    if number.dtype.kind == "f":
        return int(np.float64(number).view(np.int64))
    return int(np.asarray(number).astype(np.int64))


# ── values of the graph, and what stands for them ──


def _parts(form: Form, value: Any, *, is_lent: bool) -> Iterator[Any]:
    """What stands for an argument, which the program may write into where it is lent."""
    match form:
        case NumberForm(dtype):
            yield np.asarray(value, dtype.numpy)[()]
        case ArrayForm(dtype, dims):
            array = np.asarray(value, dtype.numpy)
            memory = _Memory(array.reshape(-1), is_own=False)
            memory.is_own = is_lent
            yield memory
            for dim, length in zip(dims, array.shape, strict=True):
                if dim is None:
                    yield int64.numpy.type(length)
        case ListForm():
            yield from _found(form, form.items(value))
        case NestedForm(dtype):
            *heads, numbers = form.items(value)
            for each in heads:
                yield from _found(ListForm(int64, (HEAD,)), each)
            yield from _found(ListForm(dtype), numbers)
        case _:
            yield value


def _value(form: Form, left: Iterator[Any]) -> Any:
    """The value of the graph that the next parts stand for."""
    if isinstance(form, NestedForm):
        heads = [_taken(ListForm(int64, (HEAD,)), left) for _ in range(form.depth - 1)]
        return form.made(*heads, _taken(ListForm(form.dtype), left))
    found = _taken(form, left)
    if isinstance(form, ListForm):
        return ListValue(list(map(np.asarray, found)), form.element)
    return found


def _taken(form: Form, left: Iterator[Any]) -> Any:
    """What machine code makes for Python of the next parts: of a list, an array."""
    match form:
        case ArrayForm(_, dims):
            memory = next(left)
            shape = tuple([int(next(left)) if dim is None else dim for dim in dims])
            return memory.some(int(np.prod(shape)), "an array").reshape(shape).copy()
        case ListForm(_, dims):
            memory, length, _ = next(left), int(next(left)), next(left)
            count = length * int(np.prod(dims, dtype=int))
            return memory.some(count, "a list").reshape(length, *dims).copy()
    return next(left)


def _found(form: Form, value: Any) -> Iterator[Any]:
    """What stands for what Python gives."""
    match form:
        case NumberForm():
            yield value[()]
        case ArrayForm(_, dims):
            yield _Memory(value.reshape(-1).copy(), is_own=False)
            for dim, length in zip(dims, value.shape, strict=True):
                if dim is None:
                    yield int64.numpy.type(length)
        case ListForm():
            yield _Memory(value.reshape(-1).copy(), is_own=False)
            yield int64.numpy.type(len(value))
            yield int64.numpy.type(len(value))
        case _:
            yield value
