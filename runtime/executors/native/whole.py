"""A module as a whole in the loop language, and as text of LLVM's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from runtime.executors.clocks import Lines
from runtime.executors.native.beyond import Beyond, NeedsObjects
from runtime.executors.native.calls import passing
from runtime.executors.native.calls.calling import SYMBOLS, calling_code
from runtime.executors.native.intrinsics.draws import calls_of_draws
from runtime.executors.native.language.loops import For, If, Program, Rows, While
from runtime.executors.native.language.walking import inside, makers_of
from runtime.executors.native.llvm import clocked, engine
from runtime.executors.native.llvm.code import CONTEXT_WORDS, POOL_SYMBOL
from runtime.executors.native.llvm.emit import Emission, shares_of
from runtime.executors.native.llvm.flags import Flags
from runtime.executors.native.lower import (
    control,
    distinct,
    draws,
    elements,
    failing,
    folding,
    keyed_draws,
    lending,
    lists,
    matrices,
    modular,
    moving,
    order_statistics,
    products,
    searching,
    sliding,
    sorting,
    tables,
    texts,
)
from runtime.executors.native.lower.apart import ends_apart
from runtime.executors.native.lower.building import Shared
from runtime.executors.native.lower.choosing import choosing_anyway
from runtime.executors.native.lower.congruences import from_the_beginning
from runtime.executors.native.lower.counting import over_turns
from runtime.executors.native.lower.extremes import expecting_extremes
from runtime.executors.native.lower.holding import holding_elements
from runtime.executors.native.lower.joining import joining_memory
from runtime.executors.native.lower.leaving import leaving_early
from runtime.executors.native.lower.lowering import Lowering
from runtime.executors.native.lower.naming import named_at_once
from runtime.executors.native.lower.seldom import looking_seldom
from runtime.executors.native.lower.splitting import split
from runtime.executors.native.lower.storing import storing_anyway
from runtime.executors.native.numpys_matrices import matrices_named_in
from runtime.executors.native.numpys_own import loops_named_in
from runtime.executors.native.records import Facts
from runtime.executors.native.tiers import patience_with
from runtime.graph.module import Module
from runtime.passes.decompose import decompose

__all__ = ["Texts", "decomposed", "lowered", "lowered_core"]

_ROOMS = (
    control,
    distinct,
    draws,
    elements,
    failing,
    folding,
    keyed_draws,
    lists,
    matrices,
    modular,
    moving,
    order_statistics,
    products,
    searching,
    sliding,
    sorting,
    tables,
    texts,
)
"""They say how ops are lowered: at once, or when such an op is met, as `lower/lowering.py` has it."""


def lowered(
    module: Module,
    beyond: Beyond = Beyond.PYTHON,
    lines: Lines | None = None,
    written: Sequence[int] = (),
) -> Program:
    """A module in the loop language; by default, what has no form there is a call of Python.

    Inputs that are `written`, of which the last outputs say what they hold in the end, are lent to it where
    they can be.

    Raises
    ------
    Unsupported
        When a part of it has no form there, and is not called in Python.
    """
    return lowered_core(module, decomposed(module), beyond, lines, written)


def decomposed(module: Module) -> Module:
    """A module in core ops."""
    return module.mapped(decompose)


def lowered_core(
    module: Module,
    core: Module,
    beyond: Beyond,
    lines: Lines | None = None,
    written: Sequence[int] = (),
    *,
    keeps_gauss: bool = True,
    has_sources: bool = True,
    has_nested: bool = True,
) -> Program:
    """As `lowered`, where it is known what a module is in core ops, which may know more of what it gives."""
    shared = Shared(core, beyond, lines)
    shared.keeps_gauss, shared.has_sources = keeps_gauss, has_sources and draws.has_sources(core)
    shared.has_nested = shared.program.has_nested = has_nested
    lent = (
        lending.lendable(core, shared.ownerships.of(core.entry, frozenset(written)), written)
        if written
        else {}
    )
    shared.program.lent = lent
    gives = module.entry.output_specs
    try:
        functions = [Lowering(shared).function("function_entry", core.entry, lent, gives)]
        for name in shared.called:  # which may call others
            functions.append(Lowering(shared).function(f"function_{name}", shared.module.functions[name]))  # noqa: PERF401  # the list grows meanwhile
    except NeedsObjects:
        return lowered_core(
            *(module, core, beyond, lines, written),
            keeps_gauss=keeps_gauss,
            has_sources=False,
            has_nested=False,
        )
    shared.program.functions += reversed(functions)
    functions = [joining_memory(looking_seldom(each)) for each in shared.program.functions]
    functions = [from_the_beginning(leaving_early(each)) for each in functions]
    functions = [choosing_anyway(holding_elements(ends_apart(over_turns(each)))) for each in functions]
    shared.program.functions[:] = [storing_anyway(expecting_extremes(each)) for each in functions]
    shared.program.functions[-1] = split(shared.program.functions[-1])
    shared.program.functions[:] = map(named_at_once, shared.program.functions)
    keeps = any(stream.is_kept for stream in shared.program.streams.values())
    if (lent or keeps) and shared.program.hosts:  # Python may see an array, or a generator, meanwhile
        return lowered_core(
            *(module, core, beyond, lines), keeps_gauss=False, has_sources=has_sources, has_nested=has_nested
        )
    return shared.program


class Texts:
    """A program as text of LLVM's, and what else of it has to be known to run its code.

    Parameters
    ----------
    module : Module
    loops : Program
        What it does, in the loop language.
    flags : Flags, optional
        Has a run end where NumPy would warn.
    is_repeated : bool
        Whether a run can be done again of which Python has seen something.
    """

    def __init__(
        self, module: Module, loops: Program, flags: Flags | None, *, is_repeated: bool = False
    ) -> None:
        makes_memory = bool(makers_of(loops.functions))
        self._calling = calling_code(module.entry, CONTEXT_WORDS, loops.lent, makes_memory=makes_memory)
        self._flags = flags
        self._emission = partial(Emission, loops, vectors=engine.vectors())
        self._usual = self._emission(flags)
        self.text = self._usual.text(self._calling)
        symbols = ["ag_entry", *loops.constants, *loops.objects, *loops.streams]
        calls = calls_of_draws(loops.draws)
        symbols += calls
        symbols += ["ag_free"] if makes_memory else []
        symbols += passing.PYTHON_SYMBOLS if loops.hosts else []
        symbols += clocked.CLOCK_SYMBOLS if loops.lines else []
        symbols += [POOL_SYMBOL] if shares_of(loops) else []
        symbols += [*loops_named_in(self.text), *matrices_named_in(self.text)]
        patience = patience_with(loops, self.text, is_repeated=is_repeated)
        symbols += SYMBOLS if self._calling else ()
        self.facts = Facts(loops, symbols, patience, _has_branches_in_loops(loops), calls)

    def at_once(self) -> engine.AtOnce | None:
        """What code can be made of at once, which Python calls, where that is good enough for a beginning."""
        if self.facts.patience is None:
            return None
        return self._usual.at_once(self.facts.first_symbols)

    def careful(self) -> str:
        """The text of code of which branches raise no flags that are not taken."""
        assert self._flags is not None, "they were raised"
        return self._emission(replace(self._flags, are_kept_in_arms=True)).text(self._calling)


def _has_branches_in_loops(loops: Program) -> bool:
    turns = [
        each
        for function in loops.functions
        for each in inside(function.body)
        if isinstance(each, For | While | Rows)
    ]
    return any(isinstance(each, If) for loop in turns for each in inside([loop]))
