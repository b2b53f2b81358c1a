"""The executor: compiles a module of core ops to machine code, with calls of Python where an op has none."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from runtime.analysis.aliasing import held_inputs
from runtime.core.lists import ListValue
from runtime.core.printed import printed_again, printed_so_far
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.errors import CompileError
from runtime.executors import clocks
from runtime.executors.executor import Compiler
from runtime.executors.native import exact, held_variables, numpys_matrices, numpys_own, whole
from runtime.executors.native.beyond import Beyond, GivesWay, Unsupported, is_print
from runtime.executors.native.calls import failures, hosts, passing
from runtime.executors.native.calls.entry import entry_of
from runtime.executors.native.calls.front import in_front_of
from runtime.executors.native.forms import Anything, form_of
from runtime.executors.native.language import kernels as kernels_
from runtime.executors.native.language import text as text_
from runtime.executors.native.language.loops import HostSite
from runtime.executors.native.language.loops import Program as Loops
from runtime.executors.native.llvm import clocked as clocked_
from runtime.executors.native.llvm import engine, pool
from runtime.executors.native.llvm.code import POOL_SYMBOL, SITE, Status
from runtime.executors.native.llvm.flags import FLAGS
from runtime.executors.native.randomness import draws
from runtime.executors.native.randomness.streams import Streams
from runtime.executors.native.records import Facts, Record, record_of
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.executors.program import Given, Inspected, Program, Report, Step
from runtime.graph.graph import Graph, Node
from runtime.graph.location import UNKNOWN, Location
from runtime.graph.module import Module
from runtime.graph.op import Const
from runtime.ops.core import HostCall, Map
from runtime.passes.promote_variables import promoted

__all__ = ["Kept", "MachineCode", "Native", "Source", "first_line", "named", "require_compiler", "said"]


class Native:
    """Runs a module as machine code."""

    name = "native"
    optimises = True
    is_complete = False

    def compile(self, module: Module) -> Inspected:
        """The program that runs `module`.

        Raises
        ------
        CompileError
            As `compile_lending`.
        """
        return self.compile_lending(module, ())

    def compile_lending(self, module: Module, written: Sequence[int]) -> Inspected:
        """The program that runs `module`, whose last outputs say what inputs hold that are `written`.

        Raises
        ------
        CompileError
            When llvmlite is not installed, or NumPy's arrays lie in memory in another way.
        """
        require_compiler(module)
        held = promoted(module)
        if held is not None:
            source, record = _with_python(held.module, written)
            code = _GivingWay(held.module, source, record)
            if not held.written or all(map(_prints, code.hosts)):
                return held_variables.WithVariables(module, held, code, NumPyPlan())
        return MachineCode(module, *_with_python(module, written))

    def clocked(self, module: Module) -> clocks.Clocked | None:
        """The program that runs `module`, with a clock for each line; None where there is no clock."""
        if not clocked_.has_clock():
            return None
        require_compiler(module)
        lines = clocks.Lines()
        held = promoted(module)
        inner = module if held is None else held.module
        program = MachineCode(inner, Source(inner, lambda: whole.lowered(inner, Beyond.PYTHON, lines)))
        addresses = program.addresses
        return clocks.Clocked(
            program if held is None else held_variables.WithVariables(module, held, program),
            lines,
            lambda: clocked_.spent(addresses, len(lines.places)),
            lambda: clocked_.watched(addresses),
        )

    def in_place_of(self, other: Compiler, module: Module, written: Sequence[int] = ()) -> Program:
        """The program that runs `module` with the bits, the warnings and the exceptions of another executor.

        Where NumPy would warn, or anything is raised, the run is the other's.

        Raises
        ------
        Unsupported
            When it cannot, or is not worth its time.
        """
        if not engine.is_there():
            raise Unsupported("llvmlite is not installed")
        if FLAGS is None:
            raise Unsupported("it is not known how this processor says of what NumPy warns")
        held = promoted(module)
        if held is not None:
            code = self._in_place_of(held_variables.OverVariables(module, held, other), held.module, written)
            return held_variables.WithVariables(module, held, code)
        return self._in_place_of(other, module, written)

    def _in_place_of(self, other: Compiler, module: Module, written: Sequence[int]) -> MachineCode:
        def lower() -> Loops:
            exact.require_numbers(module)
            core = whole.decomposed(module)
            exact.require_exact(core)
            return whole.lowered_core(module, core, Beyond.ANOTHER, written=written)

        source = Source(module, lower, warns=True)
        return _InPlace(module, source, other, record_of(module, Beyond.ANOTHER, written))


def _with_python(module: Module, written: Sequence[int]) -> tuple[Source, Record | None]:
    """What code is made of that calls Python, and where it is known from."""

    def lower() -> Loops:
        loops = whole.lowered(module, Beyond.PYTHON, written=written)
        if loops.hosts and not passing.is_known():
            raise CompileError(
                "machine code cannot call Python here",
                where=first_line(module),
                why="NumPy's arrays lie in memory in another way than it knows.",
                way_out="Leave out `jit_compile=True`: NumPy runs the graph.",
            )
        return loops

    return Source(module, lower), record_of(module, Beyond.PYTHON, written)


def _prints(site: HostSite) -> bool:
    return site.node is not None and is_print(site.node)


class Kept:
    """What gives a program that is there already."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def compile(self, _: Module) -> Program:
        """That program."""
        return self._program


def require_compiler(module: Module) -> None:
    """Refuses to make machine code of a module where llvmlite is missing."""
    if not engine.is_there():
        raise CompileError(
            "machine code is made by llvmlite, which is not installed",
            where=first_line(module),
            why="It is an extra, because it is large.",
            way_out="Install it: `pip install 'autograph-runtime[native]'`.",
        )


def first_line(module: Module) -> Location | None:
    """Where the program begins."""
    places = [node.location for node in module.entry.nodes if node.location is not UNKNOWN]
    return places[0] if places else None


def said(unsupported: Unsupported) -> str:
    """Why there is no machine code, in a line."""
    node = unsupported.node
    if node is None:
        return unsupported.why
    place = node.location
    line = "" if place is UNKNOWN else f" ({os.path.basename(place.filename)}:{place.line})"  # noqa: PTH119  # pathlib is slow to import
    what = "" if isinstance(node.op, Map) else f"{_what(node)}: "
    return f"{what}{unsupported.why}{line}"


def _what(node: Node | None) -> str:
    return "an argument" if node is None else f"`{named(node)}`"


def named(node: Node) -> str:
    """The name of an op; of a call of Python, what is called."""
    return node.op.function if isinstance(node.op, HostCall) else type(node.op).__name__


class Source:
    """What code is made of: a program in the loop language, and text of LLVM's.

    Neither is there before somebody asks: nobody does where the code is on disk, and runs without failures.

    Parameters
    ----------
    module : Module
    lower : callable
        Gives the program.
    warns : bool
        Whether a run ends where NumPy would warn.
    """

    def __init__(self, module: Module, lower: Callable[[], Loops], *, warns: bool = False) -> None:
        self._module = module
        self._lower = lower
        self._warns = warns

    @cached_property
    def loops(self) -> Loops:
        """The program."""
        return self._lower()

    @cached_property
    def texts(self) -> whole.Texts:
        """What LLVM is given."""
        flags = FLAGS if self._warns and not self.loops.is_flagless else None
        return whole.Texts(self._module, self.loops, flags, is_repeated=self._warns)


class MachineCode(Inspected):
    """A module as machine code."""

    def __init__(self, module: Module, source: Source, record: Record | None = None) -> None:
        self._module = module
        self._source = source
        self._text: Callable[[], str] = lambda: source.texts.text
        facts, library = _recalled(source, record) or _made(source, record)
        self._facts = facts
        forms = [form_of(spec, has_nested=facts.loops.has_nested) for spec in module.entry.input_specs]
        self.may_hold = bool(facts.loops.hosts) or any(isinstance(form, Anything) for form in forms)
        self._patience = facts.patience
        self._streams = Streams(facts.loops.streams)
        self._served: list[Any] = []
        self._improving = threading.RLock()
        self._function_in_c = ctypes.c_void_p()
        self._first: Callable[..., Any] | None = None
        if library.is_made_at_once:
            self._give(library)
            self._library = library
            first = entry_of(module.entry, facts.loops, library, self._ended_at_first, facts.patience)
            self._first = self._entered(first, library)
            self.entry = self._patiently
        else:
            self._take(library)

    def _take(self, library: engine.Library) -> None:
        """Runs as this code from now on."""
        self._give(library)
        self._library = library
        entry = entry_of(self._module.entry, self._facts.loops, library, self._ended)
        self.entry = self._entered(entry, library)
        self._first = None
        self._function_in_c.value = library.addresses.get("ag_fast")

    def _entered(self, entry: Callable[..., Any], library: engine.Library) -> Callable[..., Any]:
        """An entry as it is called: what it needs of the world is there in each run."""
        return self._streams.given(entry, library.addresses)

    def _serve(self, library: engine.Library) -> list[Any]:
        """Lets machine code call Python; gives what has to live as long as the code."""
        return hosts.serve(self._facts.loops, library)

    def _give(self, library: engine.Library) -> None:
        """Tells machine code where functions are that it calls."""
        if self.hosts:
            self._served += self._serve(library)
        if any(symbol.endswith(".loop") for symbol in library.addresses):
            numpys_own.give_loops(library)
            numpys_matrices.give_matrices(library)
        for symbol, name in self._facts.calls.items():
            ctypes.c_void_p.from_address(library.addresses[symbol]).value = draws.address_of_call(name)
        if POOL_SYMBOL in library.addresses:
            pool.give_to(library.addresses[POOL_SYMBOL])

    def _patiently(self, *arrays: Any) -> Any:
        """A run by the first code, as long as that is good enough."""
        if self._patience is not None and self._patience.left <= 0:
            self._improve()
        entry = self._first or self.entry
        return entry(*arrays)

    def _ended_at_first(self, status: Status, words: Any, arrays: Sequence[Any]) -> Any:
        """As `_ended`, of the first code, which takes more time and more stack than the better one."""
        if status in _AT_FIRST:
            self._streams.go_back()
            self._improve()
            return self.entry(*arrays)
        return self._ended(status, words, arrays)

    def _improve(self) -> None:
        """Has LLVM take its time, once."""
        with self._improving:
            if self._first is not None:
                self._take(engine.compiled(self._text(), self._facts.symbols))

    @property
    def addresses(self) -> dict[str, int]:
        """Where the symbols of the code are."""
        return self._library.addresses

    def quicker(self, given: Given, /) -> Callable[..., Any] | None:
        is_plain = given.tensors.__init__ is Tensor.__init__
        is_there = "ag_fast" in self._facts.symbols
        begins_in_python = bool(self._facts.loops.hosts or self._streams)
        if not is_there or begins_in_python or not self._module.entry.outputs or not is_plain:
            return None
        lent = tuple(self._facts.loops.lent.values())
        return in_front_of(self, self._function_in_c, given, self._module.entry, lent)

    def _ended(self, status: Status, words: Any, _arrays: Sequence[Any]) -> Any:
        """What to give for a run that has something to say; None for what it has found."""
        raise self._failure(status, words)

    def _failure(self, status: Status, words: Any) -> BaseException:
        sites = self._source.loops.sites if status is Status.FAILED else ()  # lowering takes time
        return failures.failure(status, sites, words)

    @property
    def hosts(self) -> Sequence[HostSite]:
        """Where it calls Python."""
        return self._facts.loops.hosts

    def report(self) -> Report:
        return self.report_of(self._module)

    def report_of(self, module: Module) -> Report:
        calls = _Calls(self.hosts, self._module)
        return Report(module.name, Native.name, tuple(_steps(module.entry, calls, 0)))

    def source(self) -> str:
        return text_.program_text(self._source.loops)

    def kernels(self) -> tuple[kernels_.Kernel, ...]:
        """Its loops over arrays, with the user's lines."""
        loops = whole.lowered(self._module, Beyond.PYTHON, clocks.Lines())
        return kernels_.kernels_of(loops, self._module.entry)

    def llvm_ir(self) -> str:
        """LLVM's code after its own passes."""
        return self._library.llvm_ir()

    def assembly(self) -> str:
        """The instructions of the processor."""
        return self._library.assembly()


def _recalled(source: Source, record: Record | None) -> tuple[Facts, engine.Library] | None:
    """What is known of a program, and its code, where both are on disk."""
    found = None if record is None else record.load()
    if found is None:
        return None
    facts, kept = found
    library = engine.recalled(kept, facts.symbols, facts.first_symbols, lambda: source.texts.text)
    return None if library is None else (facts, library)


def _made(source: Source, record: Record | None) -> tuple[Facts, engine.Library]:
    """What is known of a program, and its code, which is compiled where it is not on disk."""
    texts = source.texts
    at_once = texts.at_once()
    library = engine.compiled(texts.text, texts.facts.symbols, at_once=at_once)
    if record is not None:
        record.save(texts.facts, engine.kept(texts.text, at_once))
    return texts.facts, library


class _GivingWay(MachineCode):
    """Machine code of which a run that fails is done again by another program."""

    def _ended(self, status: Status, words: Any, _arrays: Sequence[Any]) -> Any:
        if status is Status.RAISED:  # by a handler of signals, or a stream that is printed to
            raise self._failure(status, words)
        raise GivesWay


class _InPlace(MachineCode):
    """Machine code in the place of a program that warns and raises."""

    def __init__(self, module: Module, source: Source, other: Compiler, record: Record | None) -> None:
        super().__init__(module, source, record)
        self._executor = other
        self._doubts = _MOST_DOUBTS if self._facts.has_branches and not self.hosts else 0
        self._given_up = 0
        self._calls_left = 0
        self._trying = self.entry

    @cached_property
    def _other(self) -> Program:
        return self._executor.compile(self._module)

    def _serve(self, library: engine.Library) -> list[Any]:
        if self._facts.loops.is_flagless or FLAGS is None:
            return super()._serve(library)
        return hosts.serve_watched(self._facts.loops, library, FLAGS.are_told)

    def _entered(self, entry: Callable[..., Any], library: engine.Library) -> Callable[..., Any]:
        entered = super()._entered(entry, library)
        return self._printing(entered) if self.hosts else entered

    def _printing(self, entry: Callable[..., Any]) -> Callable[..., Any]:
        """An entry of a program that prints: a run that is done again prints only what is new."""

        def run(*arrays: Any) -> Any:
            before = printed_so_far()
            try:
                return entry(*arrays)
            except GivesWay as gives_way:
                again = gives_way.to or self._by_other_given
            with printed_again(before):
                return again(*arrays)

        return run

    def _by_other_given(self, *arrays: Any) -> Any:
        return self._by_other(arrays)

    def _ended_at_first(self, status: Status, words: Any, arrays: Sequence[Any]) -> Any:
        if self.hosts and status in _AT_FIRST:
            self._streams.go_back()
            raise GivesWay(self._better)
        return super()._ended_at_first(status, words, arrays)

    def _better(self, *arrays: Any) -> Any:
        self._improve()
        return self.entry(*arrays)

    def _ended(self, status: Status, words: Any, _arrays: Sequence[Any]) -> Any:
        if status is Status.RAISED:  # by Ctrl-C, or where it prints
            error = self._failure(status, words)
            if not isinstance(error, GivesWay):
                raise error
        if status is Status.RAISED_FLAGS and FLAGS is not None and not FLAGS.are_told(words[SITE]):
            return None
        if status is Status.RAISED_FLAGS and self._doubts and self._first is None:
            return self._carefully(_arrays)
        self._give_up()
        if self.hosts:
            self._streams.go_back()  # while nobody else draws
            raise GivesWay
        return self._by_other(_arrays)

    def _give_up(self) -> None:
        """Has the other program run the next calls at once, where it has had to run several again."""
        self._given_up += 1
        if self._given_up >= _MOST_GIVEN_UP and self.entry != self._meanwhile:
            self._trying, self._calls_left = self.entry, _CALLS_APART
            self.entry, self._function_in_c.value = self._meanwhile, None

    def _meanwhile(self, *arrays: Any) -> Any:
        """A run by the other program, until machine code is tried again."""
        self._calls_left -= 1
        if self._calls_left < 0:
            self.entry = self._trying
            if self._first is None:
                self._function_in_c.value = self._library.addresses.get("ag_fast")
            return self.entry(*arrays)
        return self._by_other(arrays)

    def _carefully(self, arrays: Sequence[Any]) -> Any:
        """A run again by code of which branches raise no flags that are not taken.

        It stays, where that shows that there were none.
        """
        self._streams.go_back()
        with self._improving:
            self._doubts -= 1
            assert FLAGS is not None, "they were raised"
            text = self._source.texts.careful()
            library = engine.compiled(text, self._facts.symbols)
            self._give(library)
            statuses: list[Status] = []

            def ended(status: Status, words: Any, arrays: Sequence[Any]) -> Any:
                statuses.append(status)
                if status is Status.RAISED:  # by Ctrl-C
                    raise self._failure(status, words)
                self._give_up()
                return self._by_other(arrays)

            entry = entry_of(self._module.entry, self._facts.loops, library, ended)
            found = self._streams.given(entry, library.addresses)(*arrays)
            if not statuses:
                self._doubts, self._text = 0, lambda: text
                self._take(library)
            return found

    def _by_other(self, given: Sequence[Any]) -> Any:
        self._streams.go_back()
        held = self._inputs_held
        outside = [x for at, x in enumerate(given) if at in held and isinstance(x, np.ndarray)]
        if self._gives_arrays and not self._facts.loops.lent:  # where arguments are one array, they stay that
            return _own(self._other.entry(*given), outside)
        arrays = enumerate(given)  # a list never changes
        own = [np.copy(x) if at in held and not isinstance(x, ListValue) else x for at, x in arrays]
        return self._other.entry(*own)

    @cached_property
    def _inputs_held(self) -> Collection[int]:
        return held_inputs(self._module.entry)

    @cached_property
    def _gives_arrays(self) -> bool:
        return all(isinstance(spec, ArraySpec) for spec in self._module.entry.output_specs)

    def explain(self, error: Exception) -> Exception:
        return self._other.explain(error)

    def report(self) -> Report:
        return replace(super().report(), why="loops over numbers, in which no bit differs from NumPy's")


def _own(found: Any, outside: Sequence[Any]) -> Any:
    """What a program gives, in memory of its own where it may lie in an argument."""
    if isinstance(found, tuple):
        return tuple([_own(each, outside) for each in found])
    return np.copy(found) if any(np.may_share_memory(found, x) for x in outside) else found


_AT_FIRST = {Status.LASTS, Status.TOO_DEEP}
"""What the first code says of a run that the better one has to do."""
_MOST_DOUBTS = 3
"""Runs with flags after which these are asked about once more: more often, they are what NumPy warns of."""


_MOST_GIVEN_UP, _CALLS_APART = 4, 32
"""Runs that were done again, from which on each is followed by so many calls of the other program alone."""


class _Calls:
    """Which ops of a graph are calls of Python, and why."""

    def __init__(self, sites: Sequence[HostSite], module: Module) -> None:
        there = {
            (node.location, type(node.op).__name__)
            for graph in module.graphs()
            for inner in graph.walk()
            for node in inner.nodes
        }
        self._why: dict[tuple[Location, str], str] = {}
        self._parts: dict[Location, str] = {}
        for site in sites:
            if site.node is not None and site.why:
                place, name = site.node.location, named(site.node)
                self._why[place, name] = site.why
                if (place, name) not in there:  # a part of what an op is made of
                    self._parts.setdefault(place, f"`{name}`: {site.why}")

    def step(self, node: Node, depth: int) -> Step:
        """How a node of the graph runs, as what it is made of does."""
        why = self._why.get((node.location, type(node.op).__name__))
        if why is not None:
            return Step.of(node, "call of Python", why, depth)
        part = self._parts.get(node.location)
        if part is None or node.op.is_core or node.location is UNKNOWN:
            return Step.of(node, "machine code", depth=depth)
        return Step.of(node, "machine code, calls of Python", part, depth)


def _steps(graph: Graph, calls: _Calls, depth: int) -> list[Step]:
    steps: list[Step] = []
    for node in graph.nodes:
        if not isinstance(node.op, Const):
            steps.append(calls.step(node, depth))
        for inner in node.op.graphs:
            steps += _steps(inner, calls, depth + 1)
    return steps
