"""Random programs of the loop language: numbers, arrays, loops, rows, branches, calls, failures and handlers.

They end, stay inside of their memory, and compute what is one certain number, so that whoever runs them has
to find the same bits.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import runtime as rt
from runtime.core.dtypes import bool_, float32, float64, int32, int64
from runtime.core.spec import ArraySpec
from runtime.executors.native.language.loops import (
    Alias,
    Allocate,
    Apply,
    Array,
    Call,
    Cast,
    Copy,
    Fail,
    Failed,
    Fold,
    For,
    Function,
    If,
    Landing,
    Load,
    Mark,
    Number,
    Program,
    Release,
    Set,
    Site,
    Store,
    Try,
    Variable,
    While,
)
from runtime.executors.native.llvm.code import MOST_SHOWN
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.ops.arithmetic import Abs

__all__ = ["LENGTH", "Author", "programs"]

LENGTH = 17
"""Elements of each array: a group of rows, and one that is left over."""
DTYPES = (int64, int64, float64, float64, int32, float32, bool_)
BINARY = {
    "i": ("add", "subtract", "multiply", "floor_divide", "remainder", "maximum", "minimum", "bitwise_xor"),
    "f": ("add", "subtract", "multiply", "divide"),
    "b": ("logical_and", "logical_or", "logical_xor"),
}
UNARY = {
    "i": ("negative", "absolute", "invert", "sign"),
    "f": ("negative", "absolute", "sqrt", "floor", "rint"),
    "b": ("logical_not",),
}
COMPARED = ("less", "less_equal", "greater", "equal", "not_equal")
NUMBERS = {
    "i": (0, 1, -1, 2, 3, 7, 100, -8),
    "f": (0.0, 1.0, -1.0, 0.5, 2.5, -7.75, 1e10, 1e-3),
    "b": (True, False),
}


_COUNT = Number(LENGTH, int64)
CAUGHT = ((ValueError,), (LookupError, ValueError), (LookupError,))
"""What catches something: a failure is a ValueError."""


class Author:
    """Draws one function."""

    def __init__(self, draw, others=()) -> None:
        self._draw = draw
        self._others = others
        self._count = 0
        self.variables: list[Variable] = []
        self.arrays: list[Array] = []
        self.own: set[str] = set()
        """Arrays that may be written into."""
        self._indices: list[Variable] = []
        """Those of elements that were read."""
        self._is_plain = False
        """Whether only functions are drawn that vectors have."""

    def pick(self, choices):
        return self._draw(st.sampled_from(choices))

    def fresh(self, stem):
        self._count += 1
        return f"{stem}{len(self._others)}_{self._count}"

    # ── expressions ──

    def number(self, dtype, depth=2):
        """An expression of a dtype."""
        kind = self.pick(["variable", "variable", "literal", "load", *["apply", "cast"] * (depth > 0)])
        known = [each for each in self.variables if each.dtype is dtype]
        arrays = [each for each in self.arrays if each.dtype is dtype]
        if kind == "variable" and known:
            return self.pick(known)
        if kind == "load" and arrays:
            return Load(self.pick(arrays), self.place(depth - 1))
        if kind == "apply":
            return self._applied(dtype, depth)
        if kind == "cast":
            kinds = "bi" if self._is_plain and dtype.is_integer else "bif"
            of = self.pick([each for each in DTYPES if each is not dtype and each.kind in kinds])
            return Cast(self.number(of, depth - 1), dtype)
        return Number(self.pick(NUMBERS[dtype.kind]), dtype)

    def _applied(self, dtype, depth):
        if dtype is bool_ and self.pick([True, False]):
            of = self.pick((int64, float64, float32, int32))
            operands = self.number(of, depth - 1), self.number(of, depth - 1)
            return Apply(self.pick(COMPARED), operands, bool_)
        if self.pick([True, False, False]):
            return Apply(self.pick(UNARY[dtype.kind]), (self.number(dtype, depth - 1),), dtype)
        operands = self.number(dtype, depth - 1), self.number(dtype, depth - 1)
        if self.pick([True, False, False, False]):
            return Apply("select", (self.number(bool_, depth - 1), *operands), dtype)
        function = self.pick(BINARY[dtype.kind])
        if function in {"floor_divide", "remainder"} and self._is_plain:
            operands = operands[0], Number(self.pick((1, 2, 64)), dtype)
        return Apply(function, operands, dtype)

    def place(self, depth=1):
        """A place in any array."""
        count = Number(16 if self._is_plain else LENGTH, int64)
        return Apply("remainder", (self.number(int64, max(depth, 0)), count), int64)

    # ── statements ──

    def block(self, depth, most=4):
        """Statements; what they name is forgotten behind them."""
        before = list(self.variables), list(self.arrays)
        body = [each for _ in range(self._draw(st.integers(1, most))) for each in self.statement(depth)]
        self.variables, self.arrays = before
        return body

    def statement(self, depth):
        kinds = ["set", "set", "change", "change", "store", "store", "memory", "copy", "fold", "item"]
        deep = ["for", "while", "search", "rows", "elements", "if", "fail", "try"]
        kinds += [*deep, *["call"] * bool(self._others)] * (depth > 0)
        return getattr(self, f"_{self.pick(kinds)}")(depth)

    def _set(self, _):
        dtype = self.pick(DTYPES)
        made = Set(Variable(self.fresh("t"), dtype), self.number(dtype))
        self.variables.append(made.variable)
        return [made]

    def _change(self, _):
        known = [each for each in self.variables if not each.name.startswith(("i", "w"))]
        if not known:
            return self._set(_)
        variable = self.pick(known)
        return [Set(variable, self.number(variable.dtype))]

    def _fold(self, _):
        known = [each for each in self.variables if each.dtype is int64 and each.name.startswith("t")]
        if not known:
            return self._set(_)
        return [Fold(self.pick(known), self.pick(["add", "maximum"]), self.number(int64))]

    def _store(self, _):
        own = [each for each in self.arrays if each.name in self.own]
        if not own:
            return self._memory(_)
        array = self.pick(own)
        return [Store(array, self.place(), self.number(array.dtype))]

    def _memory(self, _):
        array = Array(self.fresh("a"), self.pick((int64, float64, float32, bool_)))
        index = Variable(self.fresh("i"), int64)
        self.variables.append(index)
        value = self.number(array.dtype)
        self.variables.remove(index)
        self.arrays.append(array)
        self.own.add(array.name)
        count = _COUNT
        return [Allocate(array, count), For(index, count, [Store(array, index, value)])]

    def _item(self, _):
        """Reads an element at an index that may be outside, or counts from the end; some are asked twice."""
        array, before = self.pick(self.arrays), self._indices
        index = Variable(self.fresh("t"), int64)
        body = [Set(index, Apply("subtract", (self.place(), Number(self.pick((0, 5)), int64)), int64))]
        if before and self.pick([True, False]):
            index, body = self.pick(before), []
            if index not in self.variables:
                return self._set(_)
        place, holds = Variable(self.fresh("t"), int64), Variable(self.fresh("t"), bool_)
        if self.pick([True, True, False]):
            is_behind = Apply("less", (index, Number(0, int64)), bool_)
            counted = Apply("select", (is_behind, Apply("add", (index, _COUNT), int64), index), int64)
            body.append(Set(place, counted))
        else:
            place = index
        low = Apply("greater_equal", (place, Number(0, int64)), bool_)
        inside = Apply("logical_and", (low, Apply("less", (place, _COUNT), bool_)), bool_)
        item = Variable(self.fresh("t"), array.dtype)
        failed = If(Apply("logical_not", (holds,), bool_), [Fail(0, (place,))], [])
        self.variables += [index, holds, item]
        self._indices.append(index)
        return [*body, Set(holds, inside), failed, Set(item, Load(array, place))]

    def _search(self, depth):
        """A loop that ends where something is found."""
        left = Variable(self.fresh("w"), int64)
        found, now, going = [Variable(self.fresh("t"), bool_) for _ in range(3)]
        test = Apply("greater", (left, Number(0, int64)), bool_)
        is_missing = Apply("logical_not", (found,), bool_)
        begin = [Set(left, Number(self.pick((1, 3, 9)), int64)), Set(found, Number(False, bool_))]
        asked = [Set(going, Apply("logical_and", (test, is_missing), bool_))]
        if self.pick([True, False]):
            asked = [If(test, [Set(going, is_missing)], [Set(going, Number(False, bool_))])]
        self.variables += [left, found]
        before, body = self.block(0, 2), self.block(depth - 1)
        own = self.number(bool_)
        then = [*self.block(depth - 1), Set(now, Number(True, bool_))]
        orelse = [*self.block(depth - 1), Set(now, self.pick((found, own)))]
        branch = If(self.number(bool_), *self.pick(((then, orelse), (orelse, then))))
        behind = self.block(depth - 1)
        self.variables.remove(left)
        step = Set(left, Apply("subtract", (left, Number(1, int64)), int64))
        return [*begin, While([*before, *asked], going, [*body, branch, *behind, Set(found, now), step])]

    def _copy(self, _):
        own = [each for each in self.arrays if each.name in self.own]
        if not own:
            return self._memory(_)
        array = self.pick(own)
        of = self.pick([each for each in self.arrays if each.dtype is array.dtype])
        return [Copy(array, of, Number(self.pick((0, 2, LENGTH)), int64))]

    def _for(self, depth):
        index = Variable(self.fresh("i"), int64)
        count = self.pick([Number(0, int64), Number(3, int64), Number(17, int64), self.place()])
        self.variables.append(index)
        body = self.block(depth - 1)
        self.variables.remove(index)
        return [For(index, count, body)]

    def _while(self, depth):
        """A loop with a counter, which carries an array."""
        left = Variable(self.fresh("w"), int64)
        test = Apply("greater", (left, Number(0, int64)), bool_)
        known = [each for each in self.arrays if each.name in self.own]
        begin, end, around = [Set(left, Number(self.pick((1, 3, 9)), int64))], [], []
        if known and self.pick([True, False]):
            of = self.pick(known)
            carried = Array(self.fresh("c"), of.dtype)
            mark = self.fresh("mark")
            begin += [Allocate(carried, _COUNT), Copy(carried, of, _COUNT)]
            begin += [Mark(mark)]
            new = Array(self.fresh("n"), of.dtype)
            end = [Allocate(new, _COUNT), Copy(new, carried, _COUNT)]
            end += [Store(new, self.place(), self.number(of.dtype)), Alias(carried, new)]
            end += [Release(mark, (carried,))]
            around = [carried]
            self.own.add(carried.name)
        self.variables.append(left)
        self.arrays += around
        before = self.block(0, 2)
        body = self.block(depth - 1)
        self.variables.remove(left)
        going = Apply("logical_and", (test, self.number(bool_)), bool_)
        step = Set(left, Apply("subtract", (left, Number(1, int64)), int64))
        return [*begin, While(before, going, [*body, *end, step])]

    def _rows(self, depth):
        """A loop over rows that have nothing to do with each other, with a loop in each."""
        outer = [each for each in self.variables if not each.name.startswith(("i", "w"))]
        index = Variable(self.fresh("i"), int64)
        count = Number(self.pick((0, 3, 16, 37)), int64)
        before = list(self.variables), list(self.arrays)
        changed = self._draw(st.permutations(outer))[:2]
        self.variables = [each for each in self.variables if each not in changed]
        self.variables.append(index)
        self._is_plain = True
        body = self._pure(2, forbidden={each.name for each in outer}, inner=True)
        self._is_plain = False
        inner = [each for each in self.variables if each not in before[0]]
        self.variables = [*outer, *inner]
        body += self.statement(0)
        for each in changed:
            body.append(
                Set(each, Apply("select", (self.number(bool_), each, self.number(each.dtype)), each.dtype))
            )
        step, test = Variable(self.fresh("t"), int64), Variable(self.fresh("t"), bool_)
        body += [Set(step, Apply("add", (index, Number(1, int64)), int64)), Set(index, step)]
        self.variables, self.arrays = before
        going = [Set(test, Apply("less", (index, count), bool_))]
        return [Set(index, Number(0, int64)), While(going, test, body)]

    def _elements(self, _):
        """A loop over arrays, in which each element needs itself alone."""
        own = [each for each in self.arrays if each.name in self.own]
        left, index = Variable(self.fresh("w"), int64), Variable(self.fresh("i"), int64)
        carried, mark = [Array(self.fresh("c"), each.dtype) for each in own[:2]], self.fresh("mark")
        if not carried:
            return self._memory(_)
        begin = [Set(left, Number(self.pick((0, 1, 5)), int64))]
        for array, of in zip(carried, own, strict=False):
            begin += [Allocate(array, _COUNT), Copy(array, of, _COUNT)]
        variables, arrays = list(self.variables), list(self.arrays)
        readable = [each for each in arrays if each not in own[:2]] + carried
        self._is_plain, self.arrays = True, []
        body, ends = [], []
        for array in carried:
            loads = [Set(Variable(self.fresh("t"), each.dtype), Load(each, index)) for each in readable[-3:]]
            self.variables = [*variables, left, index, *[each.variable for each in loads]]
            new = Array(self.fresh("n"), array.dtype)
            body += [
                Allocate(new, _COUNT),
                For(index, _COUNT, [*loads, Store(new, index, self.number(array.dtype))]),
            ]
            ends.append(Alias(array, new))
        self._is_plain, self.variables, self.arrays = False, variables, [*arrays, *carried]
        self.own |= {each.name for each in carried}
        step = Set(left, Apply("subtract", (left, Number(1, int64)), int64))
        test = Apply("greater", (left, Number(0, int64)), bool_)
        return [*begin, Mark(mark), While([], test, [*body, step, *ends, Release(mark, tuple(carried))])]

    def _pure(self, depth, forbidden, *, inner=False):
        """Statements that change their own numbers alone; those that they name stay known."""
        body = []
        for _ in range(self._draw(st.integers(1, 4))):
            own = [each for each in self.variables if each.name not in forbidden and each.name[0] == "t"]
            kind = self.pick(["set", "set", "change", "change", "fail", *["if", "while"] * (depth > 0)])
            if kind == "change" and own:
                variable = self.pick(own)
                body.append(Set(variable, self.number(variable.dtype)))
            elif kind == "fail":
                body += self._fail(depth)
            elif kind == "if":
                known = list(self.variables)
                test, then = self.number(bool_), self._pure(depth - 1, forbidden)
                self.variables = list(known)
                orelse = self._pure(depth - 1, forbidden) if self.pick([True, False]) else []
                self.variables = known
                body.append(If(test, then, orelse))
            elif kind == "while":
                body += self._turns(depth - 1, forbidden)
            else:
                body += self._set(depth)
        return [*body, *self._turns(depth - 1, forbidden)] if inner else body

    def _turns(self, depth, forbidden):
        """A loop with a counter, which may begin with another number in each row."""
        left, known = Variable(self.fresh("w"), int64), list(self.variables)
        first = Apply("remainder", (self.number(int64, 1), Number(self.pick((4, 8)), int64)), int64)
        self.variables.append(left)
        before = self._pure(0, forbidden)
        going = Apply("greater", (left, Number(0, int64)), bool_)
        if self.pick([True, False]):
            going = Apply("logical_and", (going, self.number(bool_, 1)), bool_)
        body = self._pure(depth, forbidden)
        body.append(Set(left, Apply("subtract", (left, Number(1, int64)), int64)))
        self.variables = known
        return [Set(left, first), While(before, going, body)]

    def _if(self, depth):
        test = self.number(bool_)
        return [If(test, self.block(depth - 1), self.block(depth - 1) if self.pick([True, False]) else [])]

    def _fail(self, _):
        test = Apply("equal", (self.number(int64), Number(self.pick((2, 123_456)), int64)), bool_)
        return [If(test, [Fail(0, (self.number(int64),))], [])]

    def _try(self, depth):
        """What catches some of what fails, and tells the statements behind of it."""
        number, site = Variable(self.fresh("t"), int64), Variable(self.fresh("t"), int64)
        bits = tuple([Variable(self.fresh("t"), int64) for _ in range(MOST_SHOWN)])
        floats = tuple([Variable(self.fresh("t"), float64) for _ in range(MOST_SHOWN)])
        landing = Landing(self.pick(CAUGHT), number, Failed(site, bits, floats))
        begin = [Set(each, Number(0, each.dtype)) for each in landing.names]
        body = [*self.block(depth - 1), *self._fail(depth)]
        known = list(self.variables)
        self.variables += [number, *bits[:1]]
        handler = self.block(depth - 1, 2)
        if self.pick([True, False, False]):
            handler.append(If(self.number(bool_), [Fail(landing.failed)], []))
        self.variables = [*known, number, *bits[:1]]
        return [*begin, Try(body, landing, handler)]

    def _call(self, _):
        function = self.pick(self._others)
        given = tuple(
            [
                self.pick([known for known in self.arrays if known.dtype is each.dtype])
                if isinstance(each, Array)
                else self.number(each.dtype)
                for each in function.parameters
            ]
        )
        results = []
        for each in function.results:
            if isinstance(each, Array):
                results.append(Array(self.fresh("r"), each.dtype))
                self.arrays.append(results[-1])
            else:
                results.append(Variable(self.fresh("t"), each.dtype))
                self.variables.append(results[-1])
        return [Call(function.name, given, tuple(results))]

    def function(self, name, most):
        """A function of an array of each kind and some numbers, which gives as much."""
        stem = len(self._others)
        arrays = [Array(f"p{stem}_{dtype.short}", dtype) for dtype in (float64, int64)]
        numbers = [Variable(f"v{stem}_{dtype.short}", dtype) for dtype in (float64, int64)]
        self.arrays += arrays
        self.variables += numbers
        body = []
        for array in arrays:
            made = Array(self.fresh("a"), array.dtype)
            body += [Allocate(made, _COUNT), Copy(made, array, _COUNT)]
            self.arrays.append(made)
            self.own.add(made.name)
        body += [each for _ in range(most) for each in self.statement(3)]
        own = [each for each in self.arrays if each.name in self.own]
        results = [self.pick([each for each in own if each.dtype is array.dtype]) for array in arrays]
        results += [
            self.pick([each for each in self.variables if each.dtype is one.dtype]) for one in numbers
        ]
        return Function(name, [*arrays, *numbers], body, results)


@st.composite
def programs(draw):
    """A module whose specs are those of a program of loops, the program, and arguments."""
    functions = []
    for name in ("inner", "outer"):
        functions.append(Author(draw, tuple(functions)).function(name, draw(st.integers(2, 6))))
    specs = [ArraySpec((LENGTH,), rt.float64), ArraySpec((LENGTH,), rt.int64)]
    specs += [ArraySpec((), rt.float64), ArraySpec((), rt.int64)]
    builder = Builder("loops")
    inputs = [builder.input(spec) for spec in specs]
    node = builder.add(Abs(), inputs[2:3])
    module = Module(builder.finish(inputs))
    program = Program(functions, sites=[Site(node, "ValueError", "it was {0}", (int64,), kind=ValueError)])
    pick = draw(st.sampled_from([0.0, 1.5, -3.25, 1e6]))
    arrays = [
        np.linspace(-2.0, 3.0, LENGTH) * pick,
        np.arange(LENGTH) * 3 - 4,
        np.float64(pick),
        np.int64(pick),
    ]
    return module, program, arrays
