"""Graph → program: statements in order, names for values, buffers freed after their last use."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from runtime.analysis.aliasing import is_update
from runtime.analysis.liveness import is_needed, last_uses, must_run, running
from runtime.analysis.ownership import Ownership, Ownerships
from runtime.analysis.wrapping import may_overflow, may_wrap, wrapping
from runtime.core.spec import Spec
from runtime.core.tracing import Told
from runtime.executors.numpy_plan import updates
from runtime.executors.numpy_plan.buffers import overwritten
from runtime.executors.numpy_plan.conditions import Condition, condition_of
from runtime.executors.numpy_plan.control import Form, form_of, write
from runtime.executors.numpy_plan.nesting import is_large, nested, written_in_place
from runtime.executors.numpy_plan.origins import Origins
from runtime.executors.numpy_plan.program import Function, Plan, Taken
from runtime.executors.numpy_plan.relays import Relay, Relays, by_relay, relayed
from runtime.executors.numpy_plan.statements import Operand, Statements
from runtime.executors.numpy_plan.syntax import (
    DEL,
    Comment,
    assign,
    call,
    filled,
    name,
    names_in,
    numpy,
    tuple_of,
)
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Const, Placeholder
from runtime.graph.region import guard_of
from runtime.ops.tensor_list.base import ListUpdate

__all__ = ["Writer", "plan"]

_Tree = TypeVar("_Tree", bound=ast.AST)

_DEEPEST = 15
"""Branches and loops inside one another before one becomes a function: Python allows twenty loops."""


def plan(module: Module, called: str | None = None, relays: Relays | None = None) -> Plan:
    """The program that computes `module`; its entry is the last function.

    Parameters
    ----------
    module : Module
    called : str, optional
        What the entry is called; the module's name by default.
    relays : callable, optional
        What may run a loop in the place of the program.
    """
    program = Plan()
    overflows = any(map(may_overflow, module.graphs()))
    if overflows:
        program.wrapping = {node for graph in module.graphs() for node in wrapping(graph)}
    statements = Statements(program)
    shared = _Shared(program, statements, Ownerships(module), module, relays)
    if any(graph is module.entry for graph in module.functions.values()):
        _write_entry(shared, module.entry, called or module.name)
    else:
        shared.function(module.entry, called or module.name)
    program.wraps = program.wraps and not overflows and any(map(may_wrap, module.graphs()))
    return program


def _write_entry(shared: _Shared, graph: Graph, wish: str) -> None:
    """An entry in front of a function that calls itself: what only the first call needs stands there."""
    entry = Function(shared.program.global_name(wish), [], graph)
    inner = shared.function(graph, wish)
    entry.parameters = list(shared.program.functions[-1].parameters)
    entry.body = [ast.Return(call(inner, *map(name, entry.parameters)))]
    shared.program.functions.append(entry)


class _Shared:
    """What the writers of one program's functions share."""

    def __init__(
        self,
        program: Plan,
        statements: Statements,
        ownerships: Ownerships,
        module: Module,
        relays: Relays | None,
    ) -> None:
        self.program = program
        self.relays = relays
        self.module = module
        self.statements = statements
        self.ownerships = ownerships
        self.origins = Origins()
        self.names: dict[tuple[Graph, frozenset[int]], str] = {}

    def function(self, graph: Graph, wish: str, owned: frozenset[int] = frozenset()) -> str:
        """The name of the function that computes `graph`, and may write into the inputs of these indices.

        It is written once, however often it is called.
        """
        key = graph, owned
        if key not in self.names:
            self.names[key] = self.program.global_name(wish)
            self.program.functions.append(Writer(self).function(graph, self.names[key], owned))
        return self.names[key]


class _Block:
    """A graph while its statements are written."""

    def __init__(
        self,
        graph: Graph,
        uses: Mapping[Value, int],
        statements: Statements,
        in_place: Mapping[Value, str] | None = None,
        ownership: Ownership | None = None,
    ) -> None:
        self.uses = uses
        self.in_place = in_place or {}
        self.ownership = ownership or Ownership()
        self.overwritten = overwritten(graph, uses, statements.is_ufunc)
        self.becomes = {value: node.outputs[0] for node, value in self.overwritten.items()}
        """What is written over a value."""
        self.starts = _starts(graph, uses)
        self.owned: dict[Value, str] = {}
        """Values whose names end with the block."""
        self._graph = graph

    def overwrites(self, identifier: str, value: Value) -> bool:
        """Whether the block gives a name to another value before `value` is dead."""
        later = {other for other, target in self.in_place.items() if target == identifier}
        before = self._graph.nodes[: self.uses[value]]
        return any(output in later for node in before for output in node.outputs)


def _starts(graph: Graph, uses: Mapping[Value, int]) -> dict[Value, Value]:
    """Values that only give a loop variable its start, and the loop variable: they share a name."""
    found: dict[Value, Value] = {}
    for position, node in enumerate(graph.nodes):
        for region in node.op.regions:
            if region.variables and region.results:
                pairs = zip(node.inputs, region.graph.inputs[: region.variables], strict=False)
                found.update((start, variable) for start, variable in pairs if uses.get(start) == position)
    return found


class Writer:
    """Writes one function of the program."""

    def __init__(self, shared: _Shared) -> None:
        self.shared = shared
        self.program = shared.program
        self.statements = shared.statements
        self.origins = shared.origins
        self.operands: dict[Value, Operand] = {}
        self._taken = Taken()
        self._depth = 0
        self._place: tuple[str, int] | None = None
        self._told: Told = ()
        """How NumPy tells errors of floats where the next statement stands, as far as the program says."""
        self._states: dict[ast.stmt, Told] = {}
        self._runs: dict[ast.AST, Node] = {}
        self._conditions: dict[Node, Condition | None] = {}
        self._handed: dict[Node, frozenset[int]] = {}
        self._is_in_turns = False
        self._relays: dict[Node, Relay | None] = {}

    def function(self, graph: Graph, called: str, owned: frozenset[int]) -> Function:
        """The function that computes `graph`, and is `called` so."""
        parameters = [self.fresh(self.origins.wish(value)) for value in graph.inputs]
        self.enter(graph, parameters)
        ownership = self.shared.ownerships.of(graph, owned)
        block = _Block(graph, last_uses(graph), self.statements, ownership=ownership)
        block.owned.update(zip(graph.inputs, parameters, strict=True))
        body = self._statements(graph, block)
        results = [self.statements.name(self.operands[value]) for value in graph.outputs]
        body.append(ast.Return(results[0] if len(results) == 1 else tuple_of(results)))
        return Function(called, parameters, graph, body, self.operands, self._runs)

    # ── names ─────────────────────────────────────────────────────────────────────────────────────────

    def fresh(self, wish: str) -> str:
        """A local name that is free."""
        return self.program.local_name(wish, self._taken)

    def release(self, identifier: str) -> None:
        """Lets another value have the name."""
        self._taken.release(identifier)

    def enter(self, graph: Graph, operands: Sequence[Operand]) -> None:
        """What the inputs of a sub-graph are called here."""
        self.operands.update(zip(graph.inputs, operands, strict=True))

    # ── loops ─────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def in_turns(self) -> Iterator[None]:
        """What is written inside runs again and again."""
        outer, self._is_in_turns = self._is_in_turns, True
        yield
        self._is_in_turns = outer

    def relay(self, node: Node) -> Relay | None:
        """What may run a loop in the place of the program."""
        if self.shared.relays is None:
            return None
        if node not in self._relays:
            self._relays[node] = self.shared.relays(node, self._is_in_turns)
        found = self._relays[node]
        if found is not None:
            self.program.relays[node] = found
        return found

    # ── statements ────────────────────────────────────────────────────────────────────────────────────

    def block(
        self,
        graph: Graph,
        targets: Sequence[str],
        held: Mapping[str, Value],
        node: Node,
        handed: frozenset[int] = frozenset(),
    ) -> list[ast.stmt]:
        """The statements of a sub-graph, which leave its outputs in `targets`.

        `held` says which input a target holds until then, and `handed` which inputs it may write into.
        """
        if self._depth == _DEEPEST:
            called = self._call(graph, graph.inputs, handed)
            return [self.running(assign(targets, [called]) if targets else ast.Expr(called), node)]
        uses = last_uses(graph)
        in_place = written_in_place(graph, targets, held, uses)
        ownership = self.shared.ownerships.of(graph, handed)
        block = _Block(graph, uses, self.statements, in_place, ownership)
        self._depth += 1
        body = self._statements(graph, block)
        self._depth -= 1
        pairs = [
            (target, self.operands[value])
            for target, value in zip(targets, graph.outputs, strict=True)
            if block.in_place.get(value) != target
        ]
        body += self.assign(pairs, node)
        return body + self._free(block, list(block.owned))

    def is_expression(self, graph: Graph) -> bool:
        """Whether the one output of a graph takes no statement of its own."""
        uses = last_uses(graph)
        nodes = running(graph, uses)
        inside = self._nested(graph, _Block(graph, uses, self.statements))
        if any(node.location.told not in {(), self._told} for node in nodes):
            return False
        return all(map(self._is_simple, nodes)) and all(node in inside for node in nodes[:-1])

    def as_expression(self, graph: Graph) -> ast.expr | None:
        """The one output of a graph as an expression, where it takes no statement."""
        if not self.is_expression(graph):
            return None
        uses = last_uses(graph)
        for node in graph.nodes:
            if isinstance(node.op, Const):
                self.operands[node.outputs[0]] = node.op.value
            elif is_needed(node, uses):
                self.program.ran.append((node, self._depth, *self._how(node)))
                self._nest(node)
        return self.statements.name(self.operands[graph.outputs[0]])

    def assign(
        self, pairs: Sequence[tuple[str, Operand]], node: Node, copies: Mapping[int, Spec] | None = None
    ) -> list[ast.stmt]:
        """Gives each name its operand, all at once where one is read after it would have changed.

        `copies` are the specs of what is copied, by the index of the pair.
        """
        targets: list[str] = []
        sources: list[ast.expr] = []
        for index, (target, operand) in enumerate(pairs):
            source = self.statements.name(operand)
            if copies and index in copies:
                source = updates.copy_of(source, copies[index])
            if type(source) is not ast.Name or source.id != target:
                targets.append(target)
                sources.append(source)
        later = enumerate(sources[1:], 1)
        if any(names_in(source).intersection(targets[:index]) for index, source in later):
            return [self.running(assign(targets, sources), node)]
        return [
            self.running(assign([target], [source]), node)
            for target, source in zip(targets, sources, strict=True)
        ]

    def running(self, statement: _Tree, node: Node) -> _Tree:
        """A statement or an expression that runs a node."""
        self._runs[statement] = node
        return statement

    def _statements(self, graph: Graph, block: _Block) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        dying: list[Value] = []
        self._handed.update(block.ownership.handed)
        inside = self._nested(graph, block)
        for position, node in enumerate(graph.nodes):
            if isinstance(node.op, Const):
                self.operands[node.outputs[0]] = node.op.value
            elif is_needed(node, block.uses):
                used = [value for value in dict.fromkeys(node.inputs) if value in block.owned]
                dying += [value for value in used if block.uses[value] == position and value not in dying]
                self._record(node, block)
                if node in inside:
                    self._nest(node)
                else:
                    comment = self._comment(node)
                    outer, self._told = self._told, node.location.told or self._told
                    statements = self._node(node, block, dying)
                    told, self._told = self._told, outer
                    if statements:
                        statements = [*comment, *statements]
                        if told != outer:
                            statements = self._telling(told, statements, node, body)
                        body += statements
                    dying = []
        return body

    def _telling(
        self, told: Told, statements: list[ast.stmt], node: Node, before: Sequence[ast.stmt]
    ) -> list[ast.stmt]:
        """Statements in which NumPy tells errors of floats in another way; those before may take them in."""
        last = before[-1] if before else None
        if last is not None and self._states.get(last) == told:
            assert isinstance(last, ast.With), "a state is around statements"
            last.body += statements
            return []
        state = call(numpy("errstate"), **{kind: ast.Constant(mode) for kind, mode in told})
        around = self.running(ast.With([ast.withitem(state)], statements), node)
        self._states[around] = told
        return [around]

    def _record(self, node: Node, block: _Block) -> None:
        """Keeps what the report says of a node."""
        why = ""
        if node in block.ownership.in_place:
            runs = "in place"
        elif is_update(node):
            runs, why = "on a copy", "what it changes is somebody else's, or read later"
        elif node in block.ownership.detached:
            runs, why = "copy", "what it is cut from is written into"
        elif node in block.overwritten:
            runs = "in place"
        else:
            runs, why = self._how(node)
        self.program.ran.append((node, self._depth, runs, why))

    def _how(self, node: Node) -> tuple[str, str]:
        """As what a node runs that changes nothing, and why not as something faster."""
        if self._condition(node) is not None:
            return "expression", ""
        form = form_of(node.op)
        return self.statements.how(node) if form is None else (form.value, "")

    def _nest(self, node: Node) -> None:
        """Lets the expression of `node` stand for its value."""
        self.operands[node.outputs[0]] = self._expression(node)

    def _nested(self, graph: Graph, block: _Block) -> set[Node]:
        """The nodes that are written inside others: one line of the user's has both."""

        def joins(node: Node, user: Node, index: int) -> bool:
            touched = (*node.inputs, *node.outputs)
            if node in block.overwritten or any(value in block.becomes for value in touched):
                return False
            if node in block.ownership.detached or (is_update(user) and index == 0):
                return False
            if not self._is_simple(node) or self.origins.place(node) != self.origins.place(user):
                return False
            if node.location.told != user.location.told:
                return False
            form = form_of(user.op)
            if form is None:
                return self.statements.takes_once(user, index)
            return form is Form.CALL or guard_of(user.op) == index

        return nested(graph, block.uses, joins, self._reads)

    def _reads(self, node: Node) -> Sequence[Value]:
        condition = self._condition(node)
        return node.inputs if condition is None else condition.reads

    def _condition(self, node: Node) -> Condition | None:
        if not node.op.regions:
            return None
        if node not in self._conditions:
            self._conditions[node] = condition_of(node, self.is_expression)
        return self._conditions[node]

    def _is_simple(self, node: Node) -> bool:
        """Whether a node is an expression that changes nothing."""
        plain = not node.op.graphs or self._condition(node) is not None
        if node.op.callee is not None and (self._handed.get(node) or self.relay(node) is not None):
            return False  # it changes what another part of a statement may read, or is one of its own
        return plain and not is_update(node) and not must_run(node.op) and len(node.outputs) == 1

    def _expression(self, node: Node) -> ast.expr:
        return self.running(self._written(node), node)

    def _written(self, node: Node) -> ast.expr:
        condition = self._condition(node)
        if node.op.callee is not None:
            function = self.shared.module.functions[node.op.callee]
            return self._call(function, node.inputs, self._handed.get(node, frozenset()))
        if condition is None:
            return self.statements.expression(node, [self.operands[value] for value in node.inputs])
        test, *captures = [self.operands[value] for value in node.inputs]
        operands = [self.statements.name(test)]
        if condition.arm is not None:
            self.enter(condition.arm, captures)
            arm = self.as_expression(condition.arm)
            assert arm is not None, "a condition's arm is an expression"
            operands.append(arm)
        return filled(condition.template, operands)

    def _node(self, node: Node, block: _Block, dying: list[Value]) -> list[ast.stmt]:
        form = form_of(node.op)
        if is_update(node):
            return self._update(node, block, dying)
        operands = [self.operands[value] for value in node.inputs]
        relay = None if form is None else self.relay(node)
        if relay is not None and relay.is_sure:
            copied = block.ownership.copied.get(node, ())
            return self._simple(node, by_relay(self, node, relay, operands, copied), block, dying)
        if form is Form.CALL and node.op.callee is None:
            (graph,) = node.op.graphs
            handed = block.ownership.handed.get(node, frozenset())
            called = self._call(graph, node.inputs, handed)
            return self._relayed(node, operands, self._simple(node, called, block, dying))
        if node in block.ownership.detached:
            return self._simple(
                node, updates.copy_of(self._expression(node), node.outputs[0].spec), block, dying
            )
        if form is None or form is Form.CALL or self._condition(node) is not None:
            return self._relayed(node, operands, self._simple(node, None, block, dying))
        if form is Form.WHILE:
            targets = self._loop_variables(node, block, dying)
        else:
            targets = [self._target(output, block) for output in node.outputs]
        body = write(self, node, targets, block.ownership)
        body = [*body, *self._free(block, dying)]
        self._name_outputs(node, targets, block)
        unused = [value for value in node.outputs if value not in block.uses]
        return body + self._free(block, unused)

    def _relayed(self, node: Node, operands: Sequence[Operand], statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements that run a node, where something else may run a call of a function."""
        relay = self.relay(node) if form_of(node.op) is Form.CALL else None
        called, *freed = statements
        if relay is None or not isinstance(called, ast.Assign):
            return statements
        targets = [each.id for each in ast.walk(called.targets[0]) if isinstance(each, ast.Name)]
        return [relayed(self, node, relay, targets, operands, called), *freed]

    def _call(self, graph: Graph, arguments: Sequence[Value], handed: frozenset[int]) -> ast.expr:
        """A call of the function that computes `graph`, and may write into what it is handed."""
        function = self.shared.function(graph, graph.name, handed)
        return call(function, *[self.statements.name(self.operands[value]) for value in arguments])

    def _update(self, node: Node, block: _Block, dying: list[Value]) -> list[ast.stmt]:
        """``x[i] = v``, on a copy where the old array is still needed."""
        x, (output,) = node.inputs[0], node.outputs
        old = self.operands[x]
        others = [self.operands[value] for value in node.inputs[1:]]
        reads = set().union(*map(_names_of, others))
        target = block.in_place.get(output)
        is_in_place = node in block.ownership.in_place
        is_read = target in reads and not is_in_place  # what is copied there would be read in its place
        if is_read and not isinstance(node.op, ListUpdate):
            return self._simple(node, None, block, dying)
        may_reuse = x in dying and target is None and (is_in_place or old not in reads)
        if may_reuse:
            dying.remove(x)
            block.owned[output] = block.owned.pop(x)
        if may_reuse or is_in_place:
            assert isinstance(old, str), "what is written into has a name"
            changed = old
        else:
            found = None if is_read else target
            changed = found or self.fresh(self.origins.wish(output))
        body: list[ast.stmt] = []
        if not is_in_place:
            copy = updates.copy_of(self.statements.name(old), x.spec)
            body.append(self.running(assign([changed], [copy]), node))
        body.append(self.running(updates.update(self.statements, node, changed, others), node))
        if is_in_place and not may_reuse and target is None and block.overwrites(changed, output):
            target = block.owned[output] = self.fresh(self.origins.wish(output))
        elif not is_in_place and not may_reuse and target is None:
            block.owned[output] = changed
        if target is not None and target != changed:
            body.append(self.running(assign([target], [name(changed)]), node))
            if is_read:
                self.release(changed)
        self.operands[output] = target or changed
        return body + self._free(block, dying)

    def _simple(
        self, node: Node, expression: ast.expr | None, block: _Block, dying: list[Value]
    ) -> list[ast.stmt]:
        """``name = expression``, by default that of the node; a dying operand may give it its name."""
        operands = [self.operands[value] for value in node.inputs]
        if not any(value in block.uses for value in node.outputs):
            if expression is None and node.op.callee is None:
                statement = self.statements.statement(node, operands)
            else:
                statement = ast.Expr(expression or self._expression(node))
            return [self.running(statement, node), *self._free(block, dying)]
        overwrites = node in block.overwritten
        if expression is None and not overwrites:
            expression = self._expression(node)
        freed = [(value, block.owned.pop(value)) for value in dying]
        for _, freed_name in freed:
            self.release(freed_name)
        targets = [self._target(output, block) if output in block.uses else "_" for output in node.outputs]
        self._name_outputs(node, targets, block)
        if expression is None:
            statement = self.statements.overwriting(node, operands, block.overwritten[node], targets[0])
        else:
            statement = assign(targets, [expression])
        dead = [each for value, each in freed if _is_freed(value) and each not in targets]
        return [self.running(statement, node), *_deleted(dead)]

    def _name_outputs(self, node: Node, targets: Sequence[str], block: _Block) -> None:
        for output, target in zip(node.outputs, targets, strict=True):
            self.operands[output] = target
            if block.in_place.get(output) != target and target != "_":
                block.owned[output] = target

    def _target(self, value: Value, block: _Block) -> str:
        found = block.in_place.get(value)
        while found is None and value in block.becomes:
            value = block.becomes[value]
        value = block.starts.get(value, value)
        return found or self.fresh(self.origins.wish(value))

    def _loop_variables(self, node: Node, block: _Block, dying: list[Value]) -> list[str]:
        """A name for each loop variable: that of its start, where this loop is the last to use it."""
        inputs = next((region.graph.inputs for region in node.op.regions if region.results), ())
        targets = []
        for index, output in enumerate(node.outputs):
            start = node.inputs[index]
            found = block.in_place.get(output)
            if found is None and start in dying and node.inputs.count(start) == 1:
                dying.remove(start)
                found = block.owned.pop(start)
            targets.append(found or self.fresh(self.origins.wish(inputs[index])))
        return targets

    def _free(self, block: _Block, values: Sequence[Value]) -> list[ast.stmt]:
        """Gives names back, and large arrays at once."""
        names = [(value, block.owned.pop(value)) for value in values if value in block.owned]
        for _, freed in names:
            self.release(freed)
        return _deleted([each for value, each in names if _is_freed(value)])

    def _comment(self, node: Node) -> list[ast.stmt]:
        """The user's line, where it is another than before."""
        place = self.origins.place(node)
        if place is None or place == self._place:
            return []
        self._place = place
        return [Comment(*place)]


def _deleted(names: Sequence[str]) -> list[ast.stmt]:
    return [ast.Delete([ast.Name(each, DEL) for each in names])] if names else []


def _names_of(operand: Operand) -> set[str]:
    """The names that an operand reads."""
    if isinstance(operand, str):
        return {operand}
    return names_in(operand) if isinstance(operand, ast.expr) else set()


def _is_freed(value: Value) -> bool:
    """Whether a dead value is worth a `del`; the caller of a function keeps its arguments alive anyway."""
    return is_large(value.spec) and not isinstance(value.op, Placeholder)
