"""Instrumentation for `ag.explain`: operators that record what they decide, and at which place.

What generated code calls is bound to an object of its own (`ag__`), so a function can be watched by handing
it another such object: each operator there notes what was decided, for which value and at which place of the
user's source, and then does what it always does. Functions that nobody watches know nothing of this.

How often each statement runs is counted by a call in front of it.
"""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from autograph.backends.tensors import TENSORS
from autograph.backends.tensors.iteration.generators import GeneratorCall
from autograph.backends.tensors.iteration.pushed import Pushed
from autograph.converters.base import FunctionNode
from autograph.diagnosis.marks import Carried, How
from autograph.diagnosis.values import held, in_words
from autograph.errors import ConversionError
from autograph.frames import is_ours
from autograph.options import Options
from autograph.policy import verdict
from autograph.source.edit import blocks_of
from autograph.source.origin import stamp
from autograph.source.parse import filename_of
from autograph.source.template import Statements, literal
from autograph.staging.builtins import OPERATORS, staged_builtin
from autograph.staging.state import Role, State
from autograph.transpiler import ConversionObserver, Transpiler, is_converted
from runtime.functions.bound import BoundFunction
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import current_builder, is_symbolic
from runtime.graph.builder import Builder
from runtime.graph.graph import Node
from runtime.graph.location import Location, caller_location

__all__ = ["Call", "Decision", "Place", "Span", "Watch", "Watched", "span"]

Place: TypeAlias = "tuple[str, int, int]"
"""File, line and column."""
Span: TypeAlias = "tuple[str, int, int, int, int]"
"""A place, and the line and column where it ends."""

_REACHED = Statements("ag__.reached(arguments)")

BRANCHES = {"body": "if true", "orelse": "otherwise"}


@dataclass
class Decision:
    """What an operator decided, once.

    Attributes
    ----------
    operator : str
    decider : str
        The value that decided, in words.
    of_the_graph : bool
        Whether only a run of the graph knows that value.
    nodes : tuple of str
        What the operator added to the graph; empty where Python went on.
    turns : int
        Of a loop: the turns that ran in Python.
    unrolled : bool
        Whether these turns left nodes in the graph.
    rolling : str or None
        Of a long loop: why it is not one of the graph, or nothing where it is; None of all others.
    pushed : bool
        Whether turns were traced inside of a loop or branch of the generator whose items they are.
    state : tuple of Carried
    failed : bool
        Whether tracing ended in it.
    """

    operator: str
    decider: str = ""
    of_the_graph: bool = False
    nodes: tuple[str, ...] = ()
    turns: int = 0
    unrolled: bool = False
    rolling: str | None = None
    pushed: bool = False
    state: tuple[Carried, ...] = ()
    failed: bool = False

    def decided_by(self, value: Any) -> None:
        """Notes the value that decided."""
        self.decider, self.of_the_graph = in_words(value), is_symbolic(value)


@dataclass(frozen=True)
class Call:
    """What became of a call: staged, converted, or called as it is, and why."""

    how: How
    reason: str = ""


@dataclass
class Watched:
    """A function that was met: converted, or not, with the reason."""

    function: FunctionType
    reason: str = ""


class Watch(ConversionObserver):
    """Remembers what its transpiler converted, and what then happened.

    Attributes
    ----------
    transpiler : Transpiler
    functions : dict of code to Watched
        In the order in which they were met.
    builders : dict of Builder to None
        Of every graph that was open, those that were thrown away included.
    ran : Counter
        How often the statement at a place ran.
    decisions : dict of place to list of Decision
    calls : dict of span to list of Call
    """

    def __init__(self, options: Options) -> None:
        self.functions: dict[CodeType, Watched] = {}
        self.builders: dict[Builder, None] = {}
        self.ran: Counter[Place] = Counter()
        self.decisions: dict[Place, list[Decision]] = {}
        self.calls: dict[Span, list[Call]] = {}
        self._prepare: dict[str, Callable[[Decision, dict[str, Any]], None]] = {
            "if_stmt": self._branches,
            "if_exp": self._choice,
            "while_stmt": self._while,
            "for_stmt": self._for,
        }
        self.transpiler = Transpiler([TENSORS], options, self)
        self.transpiler.backends.leaves_closed_calls = False

    # ── what is converted ──

    def converted(self, function: FunctionType, tree: FunctionNode) -> None:
        self.functions[function.__code__] = Watched(function)
        _count_statements(tree, filename_of(function.__code__))

    def not_converted(self, function: FunctionType, error: ConversionError) -> None:
        diagnostic = error.diagnostic
        reason = diagnostic.render().partition("\n")[0] if diagnostic else str(error)
        self.functions[function.__code__] = Watched(function, reason=reason)

    def leave(self, callee: Any, reason: str) -> None:
        """Notes that a callable is not converted, unless that is known."""
        function = _plain(callee)
        if function is not None:
            self.functions.setdefault(function.__code__, Watched(function, reason=reason))

    # ── what the operators say ──

    def observed(self, name: str, operate: Callable[..., Any]) -> Callable[..., Any]:
        if name == "converted_call":
            return partial(self._watched_call, operate)
        prepare = self._prepare.get(name)
        return partial(self._decide, operate, inspect.signature(operate), prepare) if prepare else operate

    def reached(self, filename: str, line: int, column: int) -> None:
        self.ran[filename, line, column] += 1
        builder = current_builder()
        if builder is not None:
            self.builders[builder] = None

    def _decide(
        self,
        operator: Callable[..., Any],
        signature: inspect.Signature,
        prepare: Callable[[Decision, dict[str, Any]], None],
        *args: Any,
    ) -> Any:
        """Runs an operator, and keeps what it decided."""
        where, builder = caller_location(), current_builder()
        decision = Decision(operator.__name__)
        self.decisions.setdefault(span(where)[:3], []).append(decision)
        arguments = signature.bind(*args).arguments
        before = _state(arguments)
        paths: dict[str, tuple[Any, ...]] = {}
        prepare(decision, arguments)
        self._follow_paths(arguments, paths)
        start = len(builder.nodes) if builder else 0
        try:
            result = operator(*arguments.values())
        except BaseException:
            decision.failed = True
            raise
        decision.nodes = _control_nodes(builder, start, where)
        decision.rolling = builder.context.loops.get(where) if builder else None
        if decision.nodes and before:
            decision.state = _carried(arguments, before, paths)
        return result

    def _branches(self, decision: Decision, arguments: dict[str, Any]) -> None:
        decision.decided_by(arguments["test"])

    def _choice(self, decision: Decision, arguments: dict[str, Any]) -> None:
        decision.decided_by(arguments["test"])

    def _while(self, decision: Decision, arguments: dict[str, Any]) -> None:
        test = arguments["test"]

        def watched() -> Any:
            value = test()
            decision.decided_by(value)
            return value

        arguments["test"] = watched
        self._count_turns(decision, arguments)

    def _for(self, decision: Decision, arguments: dict[str, Any]) -> None:
        decision.decided_by(arguments["items"])
        self._count_turns(decision, arguments)

    def _count_turns(self, decision: Decision, arguments: dict[str, Any]) -> None:
        """A turn in the graph around the loop is one in Python; others are traced for a loop of the graph."""
        body, around = arguments["body"], current_builder()
        is_pushed = isinstance(arguments.get("items"), Pushed)

        def watched(*item: Any) -> None:
            builder = current_builder()
            before = len(builder.nodes) if builder else 0
            body(*item)
            if builder is around:
                decision.turns += 1
                decision.unrolled |= builder is not None and len(builder.nodes) > before
            decision.pushed |= is_pushed and builder is not around

        arguments["body"] = watched

    def _follow_paths(self, arguments: dict[str, Any], paths: dict[str, tuple[Any, ...]]) -> None:
        """Keeps what each branch of an `if` leaves in the variables."""
        if "test" not in arguments or "orelse" not in arguments or "get_state" not in arguments:
            return
        get_state = arguments["get_state"]

        def followed(branch: Callable[[], None], label: str) -> None:
            branch()
            paths[label] = get_state()

        for name, label in BRANCHES.items():
            arguments[name] = partial(followed, arguments[name], label)

    # ── calls ──

    def _watched_call(
        self,
        operate: Callable[..., Any],
        callee: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None,
        scope: Any,
    ) -> Any:
        where = caller_location()
        place = span(where)
        call = self._fate(callee, args, kwargs)
        known = self.calls.setdefault(place, [])
        result = operate(callee, args, kwargs, scope)
        if call is None:  # only now it is known whether the callee could be converted
            function = next(
                (each for each in self.functions.values() if each.function is _plain(callee)), None
            )
            call = Call("not converted", function.reason) if function and function.reason else Call("python")
        if isinstance(result, GeneratorCall):
            call = Call("staged", "a generator function, whose code takes turns with the loop over its items")
        if call not in known:
            known.append(call)
        return result

    def _fate(self, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Call | None:
        """What becomes of a call; None where a conversion is still to be tried."""
        if isinstance(callee, PolymorphicFunction | BoundFunction | ConcreteFunction):
            return Call("staged", "a function with graphs of its own, which `ag.explain` explains by itself")
        operator = OPERATORS.get(callee) if isinstance(callee, type) or inspect.isbuiltin(callee) else None
        if operator is not None:
            staged = staged_builtin(self.transpiler.backends, operator, args, kwargs) is not None
            return Call("staged" if staged else "python")
        if not self.transpiler.options.recursive:
            return Call("not converted", "the options say `recursive=False`")
        found = verdict(callee)
        if found.convert:
            return None
        function = _plain(callee)
        if function is None or is_ours(function.__code__.co_filename) or is_converted(function):
            return Call("python")
        return Call("not converted", found.reason)


def _plain(callee: Any) -> FunctionType | None:
    """The function behind a callable, where it is one or a method."""
    function = getattr(callee, "__func__", callee)
    return function if isinstance(function, FunctionType) else None


def _state(arguments: dict[str, Any]) -> tuple[Any, ...]:
    get_state = arguments.get("get_state")
    return () if get_state is None else get_state()


def _carried(
    arguments: dict[str, Any],
    before: tuple[Any, ...],
    paths: dict[str, tuple[Any, ...]],
) -> tuple[Carried, ...]:
    """The user's variables among those of a statement; flags of our own are left out."""
    names, after = arguments["names"], _state(arguments)
    state = State(arguments["get_state"], arguments["set_state"], names, len(names))
    carried = []
    for index, shown in enumerate(state.labels[: arguments.get("nouts", len(names))]):
        if state.roles[index] is Role.HELPER:
            continue
        outcomes = tuple([(label, held(values[index])) for label, values in paths.items()])
        carried.append(Carried(shown, held(before[index]), held(after[index]), outcomes))
    return tuple(carried)


def span(where: Location) -> Span:
    """The stretch of source that an instruction stands for."""
    return where.filename, where.line, where.column or 0, where.end_line or 0, where.end_column or 0


def _control_nodes(builder: Builder | None, start: int, where: Location) -> tuple[str, ...]:
    """The nodes with graphs inside that an operator added at its own place."""
    added: Sequence[Node] = builder.nodes[start:] if builder else ()
    return tuple([node.op.name for node in added if node.op.graphs and node.location == where])


def _count_statements(tree: ast.AST, filename: str) -> None:
    """Puts a call of `ag__.reached` in front of each statement of the user's.

    Statements that converters made have the place of the one they stand for, which is counted once.
    """

    def count(block: list[ast.stmt], around: tuple[int, int]) -> list[ast.stmt]:
        counted: list[ast.stmt] = []
        last = around
        for statement in block:
            place = _position(statement, around)
            if place not in (around, last) and not isinstance(statement, ast.Global | ast.Nonlocal):
                last = place
                counted += _REACHED.fill(arguments=[literal(filename), *map(literal, place)])
                stamp(counted, statement)
            counted.append(statement)
            enter(statement, place)
        return counted

    def enter(node: ast.AST, place: tuple[int, int]) -> None:
        for part, field, block in blocks_of(node):
            setattr(part, field, count(block, place))

    if isinstance(tree, ast.FunctionDef):
        enter(tree, (tree.lineno, tree.col_offset))


def _position(node: Any, around: tuple[int, int]) -> tuple[int, int]:
    """Where a statement starts; one without a position stands where the one around it does."""
    line = getattr(node, "lineno", None)
    return around if line is None else (line, node.col_offset)
