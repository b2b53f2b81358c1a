"""Shared by `if`, `while` and `for`: a block of statements as a function that rebinds the user's variables.

All names that a block binds are declared `nonlocal` in it, so the user's function has one variable per
name, as before: functions that captured it, and code after the block, see what the block does. The *state*
is the part that matters outside of the block; that is what a backend saves, sets and joins.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from autograph.analysis.activity import Activity, Names, Packed, Scope
from autograph.analysis.definitions import Definitions
from autograph.analysis.liveness import Liveness
from autograph.converters.base import STATEMENTS, Context, Converter, Node, Walk
from autograph.converters.variable import may_be_undefined_outside
from autograph.source.nodes import name, walk
from autograph.source.template import Expression, Statements, literal
from autograph.staging.state import Role, Roles
from autograph_base.dataclass import dataclass

__all__ = ["Block", "BlockConverter", "getter_and_setter"]


@dataclass(frozen=True)
class Block:
    """The variables of one statement.

    Parameters
    ----------
    nonlocals, globals : tuple of str
        What the blocks bind, in the order of the alphabet.
    state : tuple of str
        What a backend has to know of, first what is read after the statement.
    nouts : int
        How many of them are.
    unsure : frozenset of str
        Those that may have no value, and cannot be given the value `Undefined` beforehand.
    """

    nonlocals: list[str]
    globals: list[str]
    state: tuple[str, ...]
    nouts: int
    unsure: Names

    @property
    def names(self) -> ast.expr:
        """The names of the state, as the argument of an operator."""
        return literal(self.state)


RUNNING_CODE = (ast.Call, ast.Subscript)
"""What may become a call."""

FUNCTIONS = Statements("""
    def get_state():
        return values
    def set_state(vars_):
        nonlocal nonlocals
        global globals_
        targets
""")
ASSIGNMENT = Statements("targets = vars_")
MAYBE = Expression("ag__.ldu(lambda: value, name)")


class BlockConverter(Converter[Node]):
    """A statement whose blocks become functions."""

    needs = (Activity, Definitions, Liveness)

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        self._blocks: list[Block] = []

    def may_lack(self, node: ast.AST) -> bool:
        """Whether a node reads a variable that some paths may have left without a value."""
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            return False
        may_start_without = node.id in self.context.undefined.get(self.function, set())
        declared = (each.names for each in self.context.nodes.get(ast.Nonlocal, ()))
        is_bound_inside = any(node.id in names for names in declared)
        is_outer = may_be_undefined_outside(self.context, self.walk, node.id)
        return may_start_without or is_bound_inside or is_outer

    @abstractmethod
    def body(self, node: Node) -> Sequence[ast.AST]:
        """The parts of a statement that become functions."""

    def enter(self, node: Node) -> None:
        """Looks at the statement as the user wrote it."""
        function = self.function
        if function not in self.walk.open_blocks:
            self._give_first_values(node)
        self.walk.open_blocks.append(function)
        self._blocks.append(self._block(node))

    def leave(self) -> Block:
        """The variables of the statement that was entered last."""
        self.walk.open_blocks.pop()
        return self._blocks.pop()

    def _give_first_values(self, node: Node) -> None:
        """Sees to it that every variable has a value, be it `Undefined`, before a block may read it.

        The outermost block speaks for those within.
        """
        activity = self.facts(Activity)
        frame, here = activity.inside(self.function), activity.of(node)
        mentioned = here.read | here.bound | here.deleted | here.declared
        mentioned |= _rebound_meanwhile(frame, self.body(node))
        variables = mentioned & frame.locals & ~frame.params
        missing = activity.named(variables & ~self.facts(Definitions).defined_in(node))
        # In code that is never reached nothing is defined; what we define stays defined.
        ours = self.context.scope_names.values()
        self.context.undefined.setdefault(self.function, set()).update(missing.difference(ours))

    def live_before(self, node: Node) -> Packed:
        """What its blocks, or what follows, may read of the state before it."""
        return self.facts(Liveness).live_in(node)

    def live_in_blocks(self, *blocks: Sequence[ast.stmt]) -> Packed:
        """What some blocks, or what follows, may read of the state as they are entered."""
        liveness = self.facts(Liveness)
        return reduce(or_, [liveness.live_in(block[0]) for block in blocks if block], 0)

    def _block(self, node: Node) -> Block:
        activity, liveness = self.facts(Activity), self.facts(Liveness)
        body = self.body(node)
        frame, block = activity.inside(self.function), activity.of_block(body)
        bound = block.bound | block.deleted | _rebound_meanwhile(frame, body)
        before, after = (self.live_before(node), liveness.live_out(node)) if bound else (0, 0)
        unpack = activity.names.unpack
        exceptions = _exceptions(body) if self.context.has_handlers else frozenset()
        outputs, others = (sorted(unpack(bound & live)) for live in (after, before & ~after))
        return Block(
            nonlocals=sorted(unpack(bound & ~frame.globals)),
            globals=sorted(unpack(bound & frame.globals)),
            state=(*outputs, *others),
            nouts=len(outputs),
            unsure=exceptions.union(unpack(frame.bound_around)),
        )


def _rebound_meanwhile(frame: Scope, body: Sequence[ast.AST]) -> Packed:
    """The variables that a function within may rebind whenever a block calls anything."""
    is_running = frame.bound_later and any(isinstance(inner, RUNNING_CODE) for inner in walk(body))
    return frame.bound_later if is_running else 0


def getter_and_setter(context: Context, block: Block) -> tuple[list[ast.stmt], str, str]:
    """The two functions that read and rebind the state, and what they are called."""
    roles = Roles(context.roles.get(each, Role.USER) for each in block.state)
    get_state, set_state = context.helper("get_state", roles), context.helper("set_state")
    values = [
        MAYBE.fill(value=each, name=literal(each)) if each in block.unsure else name(each)
        for each in block.state
    ]
    parameter = context.shared("vars_")
    assignment: list[ast.stmt] = []
    if block.state:
        targets = ast.Tuple([name(each) for each in block.state], ast.Load())
        assignment = ASSIGNMENT.fill(targets=targets, vars_=parameter)
    functions = FUNCTIONS.fill(
        get_state=get_state,
        set_state=set_state,
        values=ast.Tuple(values, ast.Load()),
        vars_=parameter,
        nonlocals=[each for each in block.nonlocals if each in block.state],
        globals_=[each for each in block.globals if each in block.state],
        targets=assignment,
    )
    context.finished.update(functions)
    return functions, get_state, set_state


def _exceptions(body: Sequence[ast.AST]) -> Names:
    """The names of `except … as name`, which are gone after the handler."""
    found = set()
    pending: list[Any] = [*body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.expr):
            continue
        if node.__class__ is ast.ExceptHandler and node.name is not None:
            found.add(node.name)
        for field in STATEMENTS[node.__class__]:
            pending += getattr(node, field)
    return frozenset(found)
