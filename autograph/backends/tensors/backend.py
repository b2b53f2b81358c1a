"""Our own runtime as a backend: `if` becomes `rt.cond`, loops become `rt.while_loop`, and so on.

Only symbolic tensors stage. A tensor that has its value, in eager code or in a trace, decides at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from operator import getitem, not_, setitem
from typing import Any

import numpy as np

from autograph.backends.tensors.containers import by_turn, numbered_results
from autograph.backends.tensors.containers import rows as _  # noqa: F401  # says how lists of lists become arrays
from autograph.backends.tensors.containers.linked import Linked, made
from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.backends.tensors.containers.sequences import Sequences
from autograph.backends.tensors.containers.watching import LoopWatch, watch_over
from autograph.backends.tensors.effects import filtering
from autograph.backends.tensors.effects.host import HostValue, put_off, require_computing, warn_of_unknown
from autograph.backends.tensors.effects.telling import told_by, told_within
from autograph.backends.tensors.iteration import generators, iterators, produced, pushed, suspended
from autograph.backends.tensors.iteration.items import (
    Counted,
    Items,
    Lazy,
    Range,
    as_items,
    bounded,
    iterated,
    left_over,
)
from autograph.backends.tensors.iteration.once import Once
from autograph.backends.tensors.iteration.progress import LEFT
from autograph.backends.tensors.objects import inspecting
from autograph.backends.tensors.objects.attributes import OF_US, Attributes
from autograph.backends.tensors.objects.choices import OneOf
from autograph.backends.tensors.objects.choosing import Choosing
from autograph.backends.tensors.objects.chosen_items import are_rows_of_objects, items_of
from autograph.backends.tensors.objects.classes import Classes
from autograph.backends.tensors.objects.objects import holds_objects
from autograph.backends.tensors.objects.taken_apart import TakenApart
from autograph.backends.tensors.scalars.numbers import Numbers
from autograph.backends.tensors.statements import (
    endless,
    finishing,
    first_turns,
    recursion,
    remembered,
    rolled_whiles,
    rolling,
    running,
    trying,
)
from autograph.backends.tensors.statements.branches import stage_choice, stage_if
from autograph.backends.tensors.statements.deciding import (
    choosing_by,
    decided,
    decided_of_loop,
    deciding_operand,
    of_turns,
    turn_operand,
    with_each,
)
from autograph.backends.tensors.statements.loops import stage_loop, stage_while
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.raising import add_note, belongs_to_program, constructed
from autograph.backends.tensors.statements.truths import OnlyTruth
from autograph.backends.tensors.statements.turn_numbers import (
    TurnNumber,
    TurnTruth,
    applied,
    holds_number,
    with_tensors,
)
from autograph.backends.tensors.statements.turns import GiveUp
from autograph.backends.tensors.statements.undecided import Undecided
from autograph.backends.tensors.strict import refuse_mixed_for, refuse_mixed_while
from autograph.backends.tensors.text.formatting import Formatting
from autograph.backends.tensors.text.strings import Text
from autograph.staging.backend import Body, LoopOptions, LoopTest, Rest, Thunk
from autograph.staging.context import staging
from autograph.staging.iterators import growing_under, until_moved
from autograph.staging.outside import Known
from autograph.staging.state import State, nothing
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.core.stack import room
from runtime.core.structure import map_leaves
from runtime.core.taken_apart import take_apart
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError
from runtime.graph.build import (
    builder_in_use,
    current_builder,
    effects_run,
    is_of_run,
    is_strict,
    is_symbolic,
)
from runtime.graph.graph import size_of
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.tracing import predicate
from runtime.ops.host import host_call
from runtime.ops.refused_calls import blame
from runtime.ops.tensor_list import TensorArray
from runtime.variables import Variable

__all__ = ["Tensors"]


class Tensors(Choosing, Attributes, Classes, Formatting, Numbers, Sequences, TakenApart):
    """Control flow and builtins on symbolic tensors, recorded in the graph that is being built."""

    name = "tensors"
    owns = (
        *(Tensor, Variable, Lazy, TensorArray, Text, MaybeNone, MaybeUndefined, OneOf, OnlyTruth, HostValue),
        *(TurnNumber, Linked, Undecided),
    )
    own_names = OF_US

    def is_staging(self) -> bool:
        """Whether a graph is being built: symbolic tensors exist only then."""
        return current_builder() is not None

    def stack_for(self, levels: int) -> AbstractContextManager[None]:
        """Room for a function that is converted: one that is traced has statements as deep in one another."""
        return room(levels)

    # ── statements ──

    def if_stmt(self, test: Any, body: Body, orelse: Body, state: State) -> None:
        """`rt.cond`, where the test is symbolic."""
        turns = of_turns(test)
        if turns is not None:
            with choosing_by(turns):
                stage_if(turns.truth, body, orelse, state, differs_by_turn=True)
            return
        test = decided(test)
        if not is_symbolic(test):
            super().if_stmt(test, body, orelse, state)
            return
        stage_if(test, body, orelse, state)

    def while_stmt(self, test: LoopTest, body: Body, state: State, options: LoopOptions, first: Any) -> None:
        """`rt.while_loop`, from the turn on in which the test is symbolic."""
        going, has_run = decided_of_loop(first), options.has_run
        while not is_symbolic(going):
            if not going:
                return
            body()
            going, has_run = decided_of_loop(test()), True
        builder_in_use().context.asked.update(
            {each.value for each in (first, going) if isinstance(each, Symbol)}
        )
        if has_run:
            refuse_mixed_while()
        stage_while(state, options, lambda: decided_of_loop(test()), body, going)

    def is_raising(self, run: Callable[[], None]) -> int:
        """How many nodes it adds to the graph, where some may raise."""
        return endless.is_raising(run)

    def first_turn(self, test: LoopTest, body: Body, state: State, options: LoopOptions) -> bool:
        """In a rolled loop, `rt.while_loop` where a number of the first turn differs from turn to turn."""
        return endless.turn_or_loop(state, options, test, body)

    def until_raised(self, test: LoopTest, body: Body, state: State, options: LoopOptions) -> bool:
        """`rt.while_loop`, though Python knows what the test gives."""
        return endless.until_raised(state, options, test, body)

    def watch(self, items: Any) -> LoopWatch | None:  # type: ignore[override]  # it stages loops
        """What looks after dicts, sets and deques, while a graph is built."""
        return None if current_builder() is None else watch_over(items)

    def for_stmt(
        self,
        items: Any,
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """`rt.while_loop` over an index, while a graph is built; otherwise a loop over the items."""
        if isinstance(items, pushed.Pushed):
            if items.is_python:
                self._over_iterator(items, extra_test, body, state, options)
            else:
                items.for_each(body, state, extra_test)
            return
        if current_builder() is None:
            super().for_stmt(iterated(items), extra_test, body, state, options)
            return
        if are_rows_of_objects(items):
            items = Items(partial(self._len, items), partial(self.get_item, items))
        if isinstance(items, MaybeNone | MaybeUndefined | OneOf):
            items = items_of(items)
            if not isinstance(items, self.owns):
                self._over_iterator(iter(items), extra_test, options.asking(body), state, options)
                return
        if isinstance(items, Once) and self._over_python(items, extra_test, body, state, options):
            return
        if isinstance(items, Once):
            items.for_each(body, state, options, self.and_, extra_test)
            return
        if isinstance(items, produced.Generated) and extra_test is None and items.is_untouched:
            self._over_source(items.source, items.in_turn(body, state), state, options)
            return
        once = items.one_by_one if isinstance(items, produced.Generated) and extra_test is not None else None
        if once is not None:
            self.for_stmt(once, extra_test, items.turn(body, state), state, options)
            return
        rest = items.rest() if isinstance(items, produced.Generated) and extra_test is not None else None
        if isinstance(items, StagedTuple) and items.contents.is_unknown:
            return  # nothing was ever put in, and nobody knows what an item would be like
        sequence = as_items(items if rest is None else rest)
        if rest is not None:
            items.become(LEFT)  # whoever asks for items while the loop runs

        def test(index: Tensor) -> Any:
            within = index < sequence.length
            return within if extra_test is None else self.and_(within, extra_test)

        def turn(index: Tensor) -> tuple[Tensor]:
            options.ask()
            body(sequence.item(index))
            return (index + 1,)

        (count,) = stage_loop(state, options, (0,), test, turn)
        if rest is not None:
            items.leave(rest, count)

    def _over_source(
        self, source: Any, body: Callable[[Any], None], state: State, options: LoopOptions
    ) -> None:
        """A loop over what a generator expression takes its items from."""
        if isinstance(source, self.owns):
            self.for_stmt(source, None, body, state, options)
        else:
            turns = produced.OneByOne(source)
            super().for_stmt(turns, None, body, state, options)
            turns.over_rest(body, state)

    def roll(
        self,
        items: Sequence[Any],
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
        *,
        first: int = 0,
        after: int | None = None,
        rest: Callable[[Any], None],
    ) -> bool:
        """A loop of the graph, where nobody can tell it from the turns."""
        return rolling.roll(items, extra_test, body, state, options, first=first, after=after, rest=rest)

    def roll_while(
        self,
        test: LoopTest,
        body: Body,
        state: State,
        options: LoopOptions,
        *,
        after: int,
        is_worth_it: Callable[[int], bool],
        rest: Callable[[], None],
    ) -> bool:
        """Likewise, for a `while` whose test Python knows."""
        return rolled_whiles.roll_while(
            test, body, state, options, after=after, is_worth_it=is_worth_it, rest=rest
        )

    def recorded(self, run: Callable[[], None], copies: int = 1) -> tuple[int, int]:
        """The nodes that it adds to the graph, and to those inside of it."""
        builder = current_builder()
        if builder is None:
            run()
            return 0, 1
        around, start = builder.copies, len(builder.nodes)
        builder.copies *= copies
        try:
            run()
        finally:
            builder.copies = around
        return size_of(builder.nodes[start:]), around

    def _over_python(
        self,
        items: Once,
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> bool:
        """A loop of Python's, while it is known where an iterator stands; whether it came to its end."""
        while items.is_python:
            is_at_end = items.is_at_end
            if is_symbolic(is_at_end):  # the turns have made its list longer, by what a tensor decides
                return False
            if is_at_end:
                items.end()
                return True
            body(items.take())
            going = True if extra_test is None else decided(extra_test())
            if extra_test is not None and is_symbolic(going):
                self.for_stmt_python_items(items, extra_test, body, state, options)
            if is_symbolic(going) or not going:
                return True
        return False

    def _over_iterator(
        self,
        items: Iterator[Any],
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """A loop of Python's, until a tensor decides whether it goes on."""
        for item in items:
            body(item)
            going = True if extra_test is None else decided(extra_test())
            if extra_test is not None and is_symbolic(going):
                self.for_stmt_python_items(items, extra_test, body, state, options)
            if is_symbolic(going) or not going:
                return

    def for_stmt_python_items(
        self,
        items: Iterator[Any],
        extra_test: LoopTest,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """A staged loop over what is left, where that is a range or tensors; else an `if` per item."""
        refuse_mixed_for()
        if isinstance(items, Once) and not any(map(holds_objects, items.sources)):
            items.for_each(body, state, options, self.and_, extra_test)
            return
        if isinstance(items, Once):
            rest = iter(list(items))
            items.become(LEFT)
            items = rest
        left = left_over(items)
        if current_builder() is None:
            super().for_stmt_python_items(items, extra_test, body, state, options)
        elif left is None:
            suspended.require_nothing_between(items)
            growing = growing_under(items)
            turns = Counted(bounded(until_moved(items, growing)))
            super().for_stmt_python_items(turns, extra_test, body, state, options)
            if growing is not None and growing.has_moved:
                # its turns have made the list longer, and a tensor decides by how much
                rest = growing.behind(self, turns.count)
                over = self.for_stmt if isinstance(rest, self.owns) else super().for_stmt
                over(rest, extra_test, body, state, options)
        else:
            first_turns.note_rest(partial(self.for_stmt, left, extra_test, body, state, options))

    def ends_by_tensor(
        self,
        items: range,
        extra_test: LoopTest,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> bool:
        """A loop of the graph from the first turn on, where one from the second on was long before."""
        whole = Range(items.start, items.stop, items.step)
        return first_turns.staged_from_start(
            partial(self.for_stmt, whole, extra_test, body, state, options), state
        )

    def advance(self, iterator: Any) -> None:
        """An iterator cannot be put back, where a tensor decides."""
        iterators.advance(iterator)

    def try_stmt(self, body: Body, rest: Rest, final: Rest | None, clauses: Thunk, state: State) -> None:
        """A `Try`, where the graph of the body may raise what is caught."""
        if final is None:
            trying.stage_try(body, rest, clauses, state)
        else:
            finishing.stage_finally(body, rest, final, clauses, state)

    def made(self, instance: Any) -> None:
        """In a graph an instance is what its attributes are."""
        if current_builder() is not None:
            take_apart(instance)

    def finished(self, instance: Any) -> Any:
        """The instance, or its number among those that loops make."""
        return instance if current_builder() is None else made(instance)

    def is_of_program(self, error: BaseException) -> bool:
        """Whether the program has raised it, and no statement that is traced anew, or refused."""
        return belongs_to_program(error)

    def exception(self, kind: type[BaseException], /, *args: Any, **kwargs: Any) -> BaseException:
        """The exception, with texts of the graph where its constructor formats tensors."""
        if holds_number(args, kwargs):
            raise GiveUp(f"a number of the loop is handed to {kind.__name__}()")
        numbered_results.require_no_numbers([args, kwargs], f"is handed to {kind.__name__}()")
        error = constructed(kind, args, kwargs)
        self.made(error)
        return error

    def method(self, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """A method of C: notes of exceptions may be texts of the graph."""
        if isinstance(callee.__self__, BaseException) and callee.__name__ == "add_note":
            return partial(add_note, callee.__self__)
        return super().method(callee, args, kwargs)

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        """A check that runs with the graph, where the test is symbolic."""
        test = decided(test)
        if not is_symbolic(test):
            super().assert_stmt(test, message)
            return
        stage_choice(test, nothing, partial(super().assert_stmt, False, message))

    # ── expressions ──

    def if_exp(self, test: Any, body: Thunk, orelse: Thunk, text: str) -> Any:
        """`rt.cond`, where the test is symbolic."""
        turns = of_turns(test)
        if turns is not None:
            with choosing_by(turns):
                return stage_choice(turns.truth, body, orelse, differs_by_turn=True)
        test = decided(test)
        if not is_symbolic(test):
            return super().if_exp(test, body, orelse, text)
        return stage_choice(test, body, orelse)

    def and_(self, a: Any, b: Thunk) -> Any:
        """The operand that decides; `b` runs only where `a` is true."""
        turns = of_turns(a)
        if turns is not None:
            return turn_operand(turns, b, ends_on=False)
        test = decided(a)
        if is_symbolic(test):
            return deciding_operand(test, a, b, ends_on=False)
        return super().operand(test, a, b, ends_on=False)

    def or_(self, a: Any, b: Thunk) -> Any:
        """The operand that decides; `b` runs only where `a` is false."""
        turns = of_turns(a)
        if turns is not None:
            return turn_operand(turns, b, ends_on=True)
        test = decided(a)
        if is_symbolic(test):
            return deciding_operand(test, a, b, ends_on=True)
        return super().operand(test, a, b, ends_on=True)

    def operand(self, test: Any, a: Any, b: Thunk, *, ends_on: bool) -> Any:
        """The operand that decides, where the class of the first has said whether it is true."""
        test = decided(test)
        return deciding_operand(test, a, b, ends_on=ends_on)

    def where_present(self, value: Any, otherwise: Thunk) -> Any:
        """The value of the paths that have one, and that of the others."""
        return stage_choice(value.ag__valid, lambda: value.ag__value, otherwise)

    def not_(self, a: Any) -> Any:
        """Whether a value is false, as a tensor where it is symbolic."""
        if isinstance(a, TurnNumber):
            return applied(not_, a)
        if isinstance(a, TurnTruth):
            return TurnTruth(ops.logical_not(a.truth), a.change)
        a = decided(a)
        if not is_symbolic(a):
            return super().not_(a)
        true = ops.cast(a, bool_) if is_strict() else predicate(a, "not")  # TensorFlow's: element by element
        return ops.stands_for_python(ops.logical_not(true))

    # ── calls ──

    def call(self, function: Any, converted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call in place; a function that a tensor has call itself becomes a function of the graph."""
        known = inspecting.answer(function)
        return recursion.call(function, converted, args, kwargs) if known is None else known(*args, **kwargs)

    def decides_here(self) -> bool:
        """Whether a branch or a loop of the graph is traced, or a function that is one of the graph."""
        return running.is_in_part()

    def cached(self, function: Callable[..., Any], call: Thunk) -> Any:
        """The call, which a cache must be able to leave out: whether it would, the run finds out."""
        return remembered.without_effects(function, call)

    def remembering(self, cache: Callable[..., Any], call: Thunk) -> Any:
        """The call of a cache that keeps what it gives for other graphs as well."""
        return remembered.as_it_is(cache, call)

    def asked_about_cache(self, question: Callable[..., Any]) -> None:
        """An error: no graph can answer it."""
        remembered.asked_about(question)

    def undecorated(self, callee: Any) -> Any:
        """What `np.errstate` has decorated, in a state that its graph keeps."""
        return told_within(callee)

    def left_alone(self, callee: Any, values: tuple[Any, ...]) -> inspecting.LeftAlone:
        """Around a call of what is not converted, which makes no text of a value of the graph."""
        return inspecting.LeftAlone(callee, values, self.owns)

    def outside(
        self, what: Known | None, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """A call when the graph runs."""
        if what is None or not (effects_run() or callee is host_call):
            if what is None and effects_run() and not staging.attempts:
                warn_of_unknown(callee, args, kwargs)
            return None
        if what.only_computes:
            if not any(map(is_of_run, (*args, *kwargs.values()))):
                return None
            require_computing(callee, (*args, *kwargs.values()))
        if what.gives == "settings":
            return told_by(callee, args, dict(kwargs))
        if what.gives == "filters":
            return filtering.filtered_by(callee, args, kwargs)
        if what.touches == "warnings" and filtering.is_ignored(*args, **kwargs):
            return nothing
        values = with_tensors((*args, *kwargs.values()))

        def put_off_with(given: tuple[Any, ...]) -> Any:
            return put_off(
                what, callee, given[: len(args)], dict(zip(kwargs, given[len(args) :], strict=True))
            )

        return lambda: with_each(values, put_off_with)

    def generated(
        self,
        function: Callable[..., Any],
        push: Callable[[Callable[[Any], Any]], Callable[..., Any]] | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """A generator that hands its items to its consumer."""
        if push is None:
            return iterators.waiting(function, args, kwargs)
        return (
            function(*args, **kwargs)
            if is_strict()
            else generators.GeneratorCall(function, push, args, kwargs)
        )

    def managed(
        self,
        manager: Any,
        push: Callable[[Callable[[Any], Any]], Callable[..., Any]] | None,
        body: Callable[[Any], None],
        state: State,
    ) -> None:
        """The generator's push form, with the body in the place of its `yield`."""
        if is_strict():
            super().managed(manager, push, body, state)
        elif push is None:
            generators.run_unheard(manager, body, state)
        else:
            generators.run_managed(manager.func, push, (manager.args, manager.kwds), body, state)

    # ── items ──

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]`; in a rolled loop, of the item that each turn reads."""
        if holds_number(index):
            if isinstance(index, TurnNumber) and type(target) in LOOKED_UP:
                try:
                    return applied(partial(getitem, target), index)
                except GiveUp:
                    if not by_turn.may_be_of_graph(target):
                        raise
            index = by_turn.index_by_turn(target, index)
        try:
            return super().get_item(target, index)
        except DTypeError as error:
            _blame(error, getitem, target, index)
            raise

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """`target[index] = value`."""
        if holds_number(index):
            index = by_turn.index_by_turn(target, index, value)
        if isinstance(target, np.ndarray) and holds_number(value):  # an array of the graph takes its place
            value = map_leaves(with_tensors, value)
        try:
            return super().set_item(target, index, value)
        except DTypeError as error:
            _blame(error, setitem, target, index, value)
            raise

    def augment_item(self, target: Any, index: Any, change: Callable[[Any], Any]) -> Any:
        """`target[index] += …`."""
        if holds_number(index):
            index = by_turn.index_by_turn(target, index)
        return super().augment_item(target, index, change)

    def copies_item(self, target: Any, index: Any) -> bool:
        """Whether `target[index]` is an array of its own."""
        return super().copies_item(target, with_tensors(index))


_ASKED = frozenset({list, tuple, str, range, np.ndarray})
"""Classes whose items a value of the graph may choose, or be: Python or NumPy says what is wrong with it."""


def _blame(error: DTypeError, sign: Callable[..., Any], target: Any, *others: Any) -> None:
    """Says which call of Python's an error of ours is about; what is in lists has no part in it."""
    if type(target) in _ASKED:
        operands = (target, *others)
        blame(error, sign, operands if isinstance(target, np.ndarray) else [*map(_outline, operands)])


def _outline(value: Any) -> Any:
    return type(value)([None] * len(value)) if type(value) in (list, tuple) else value


LOOKED_UP = frozenset({dict, list, range, str, tuple})
"""Classes of Python's whose items are there while a loop is rolled."""
