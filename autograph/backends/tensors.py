"""Our own runtime as a backend: `if` becomes `rt.cond`, loops become `rt.while_loop`, and so on.

Only symbolic tensors stage. A tensor that has its value, in eager code or in a trace, decides at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from autograph.staging.backend import Body, LoopOptions, LoopTest, Thunk
from autograph.staging.plain import Plain
from autograph.staging.state import State, Undefined, UndefinedReturnValue
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor, current_graph, is_symbolic, outside_graphs
from runtime.graph.graph import Symbol, Value
from runtime.graph.location import Location, caller_location, hide_folder
from runtime.ops.control_flow import ABSENT, cond, while_loop
from runtime.ops.tensor_list import TensorArray
from runtime.variables import Variable

__all__ = ["TENSORS", "Items", "Range", "Source", "Tensors"]

hide_folder(Path(__file__).resolve().parents[1])


@dataclass(frozen=True)
class Items:
    """What a staged `for` runs over: a length, and the item at an index.

    Attributes
    ----------
    length : int or integer Tensor
    item : callable
        ``item(index) -> object``
    """

    length: Any
    item: Callable[[Any], Any]


class Source(ABC):
    """Base class of what a staged `for` can run over, beside tensors."""

    @property
    @abstractmethod
    def items(self) -> Items:
        """Length and items for one loop; asked for where the loop starts."""


@dataclass(frozen=True)
class Range(Source):
    """`range` with a tensor among its bounds."""

    start: Any
    stop: Any
    step: Any

    def __tensor__(self) -> Tensor:
        numbers: Tensor = ops.arange(self.start, self.stop, self.step)
        return numbers

    @property
    def items(self) -> Items:
        """The numbers by index."""
        if not isinstance(self.step, int) or self.step != 1:
            length = -((self.start - self.stop) // self.step)
            return Items(length, lambda index: self.start + index * self.step)
        if isinstance(self.start, int) and self.start == 0:
            return Items(self.stop, lambda index: index)
        return Items(self.stop - self.start, lambda index: self.start + index)


class Tensors(Plain):
    """Control flow and builtins on symbolic tensors, recorded in the graph that is being built."""

    name = "tensors"
    owns = (Tensor, Variable, Source, Items, TensorArray)

    # ── statements ──

    def if_stmt(self, test: Any, body: Body, orelse: Body, state: State) -> None:
        """`rt.cond`, where the test is symbolic."""
        test = _decided(test)
        if not is_symbolic(test):
            super().if_stmt(test, body, orelse, state)
            return
        where = caller_location()
        with _restored_on_error(state) as before:
            result = cond(
                test,
                _arm(body, state, before),
                _arm(orelse, state, before),
                names=_labels(state.names, before)[: state.nouts],
                reconcile=lambda left, right: _reconcile(left, right, state, where),
            )
        state.set((*result, *before[state.nouts :]))

    def while_stmt(self, test: LoopTest, body: Body, state: State, options: LoopOptions, first: Any) -> None:
        """`rt.while_loop`, from the turn on in which the test is symbolic."""
        going = _decided(first)
        while not is_symbolic(going):
            if not going:
                return
            body()
            going = _decided(test())

        def turn() -> tuple[()]:
            body()
            return ()

        _stage_loop(state, options, (), test, turn)

    def for_stmt(
        self,
        items: Any,
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """`rt.while_loop` over an index, while a graph is built; otherwise a loop over the items."""
        if current_graph() is None:
            super().for_stmt(_iterated(items), extra_test, body, state, options)
            return
        sequence = _as_items(items)

        def test(index: Tensor) -> Any:
            within = index < sequence.length
            return within if extra_test is None else self.and_(within, extra_test)

        def turn(index: Tensor) -> tuple[Tensor]:
            body(sequence.item(index))
            return (index + 1,)

        _stage_loop(state, options, (0,), test, turn)

    def for_stmt_python_items(
        self,
        items: Iterator[Any],
        extra_test: LoopTest,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """A staged loop over what is left, where that is a range or tensors; else an `if` per item."""
        left = _left_over(items)
        if left is None or current_graph() is None:
            super().for_stmt_python_items(items, extra_test, body, state, options)
        else:
            self.for_stmt(left, extra_test, body, state, options)

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        """A check that runs with the graph, where the test is symbolic."""
        test = _decided(test)
        if not is_symbolic(test):
            super().assert_stmt(test, message)
            return
        ops.check(test, "" if message is None else str(message()))

    # ── expressions ──

    def if_exp(self, test: Any, body: Thunk, orelse: Thunk, text: str) -> Any:
        """`rt.cond`, where the test is symbolic."""
        test = _decided(test)
        return cond(test, body, orelse) if is_symbolic(test) else super().if_exp(test, body, orelse, text)

    def and_(self, a: Any, b: Thunk) -> Any:
        """The operand that decides; `b` runs only where `a` is true."""
        a = _decided(a)
        return cond(a, b, lambda: a) if is_symbolic(a) else super().and_(a, b)

    def or_(self, a: Any, b: Thunk) -> Any:
        """The operand that decides; `b` runs only where `a` is false."""
        a = _decided(a)
        return cond(a, lambda: a, b) if is_symbolic(a) else super().or_(a, b)

    def not_(self, a: Any) -> Any:
        """Whether a value is false, as a tensor where it is symbolic."""
        a = _decided(a)
        return ops.logical_not(ops.astype(a, bool_)) if is_symbolic(a) else super().not_(a)

    # ── containers ──

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]`; a list of tensors is stacked where a symbolic index chooses from it."""
        if isinstance(target, (list, tuple)) and is_symbolic(index):
            return as_tensor(target)[index]
        return super().get_item(target, index)

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """The tensor with new values at the index: tensors themselves never change."""
        if isinstance(target, Tensor):
            return ops.set_item(target, index, value)
        return super().set_item(target, index, value)

    # ── builtins ──

    def len_(self, target: Any) -> Any:
        """The length of the first axis: a Python number where it is known."""
        if isinstance(target, (Source, Items, TensorArray)):
            return _as_items(target).length
        return _length(as_tensor(target))

    def range_(self, *bounds: Any) -> Any:
        """A range whose length is known when the graph runs."""
        if not any(map(is_symbolic, bounds)):
            return super().range_(*map(_decided, bounds))
        start, stop, step = _range_bounds(bounds)
        return Range(start, stop, step)

    def int_(self, *arguments: Any, **options: Any) -> Any:
        """The default integer nearest to zero; a Python int where the value is known."""
        if len(arguments) == 1 and not options and is_symbolic(arguments[0]):
            return ops.astype(arguments[0], _defaults().integer)
        return super().int_(*arguments, **options)

    def float_(self, *arguments: Any) -> Any:
        """The default floating dtype; a Python float where the value is known."""
        if len(arguments) == 1 and is_symbolic(arguments[0]):
            return ops.astype(arguments[0], _defaults().floating)
        return super().float_(*arguments)

    def bool_(self, *arguments: Any) -> Any:
        """Whether a number is not zero; a Python bool where the value is known."""
        if len(arguments) == 1 and is_symbolic(arguments[0]):
            return ops.astype(arguments[0], bool_)
        return super().bool_(*arguments)

    def enumerate_(self, items: Any, start: Any = 0) -> Any:
        """Pairs of a number and an item."""
        if current_graph() is None or not isinstance(items, self.owns):
            return super().enumerate_(_iterated(items), start)
        sequence = _as_items(items)
        return Items(sequence.length, lambda index: (index + start, sequence.item(index)))

    def zip_(self, *items: Any, strict: bool = False) -> Any:
        """Tuples of items, as many as the shortest has."""
        if current_graph() is None or not items:
            return super().zip_(*map(_iterated, items), strict=strict)
        sequences = [_as_items(each) for each in items]
        lengths = [sequence.length for sequence in sequences]
        shortest = lengths[0]
        for length in lengths[1:]:
            if strict:
                ops.check(ops.equal(shortest, length), "zip() arguments have different lengths")
            shortest = _least(shortest, length)
        return Items(shortest, lambda index: tuple([sequence.item(index) for sequence in sequences]))

    def max_(self, *arguments: Any, **options: Any) -> Any:
        """The greatest; of one tensor, along its first axis."""
        return self._extreme(ops.max, lambda best, new: new > best, arguments, options, super().max_)

    def min_(self, *arguments: Any, **options: Any) -> Any:
        """The least; of one tensor, along its first axis."""
        return self._extreme(ops.min, lambda best, new: new < best, arguments, options, super().min_)

    def _extreme(
        self,
        reduce: Callable[..., Any],
        better: Callable[[Any, Any], Any],
        arguments: Sequence[Any],
        options: dict[str, Any],
        plain: Callable[..., Any],
    ) -> Any:
        if options or not any(map(is_symbolic, arguments)):
            return plain(*arguments, **options)
        if len(arguments) == 1:
            return reduce(_vector(arguments[0]))
        best, *rest = arguments
        for value in rest:
            best = self.if_exp(better(best, value), partial(_same, value), partial(_same, best), "")
        return best

    def sum_(self, items: Any, start: Any = 0) -> Any:
        """The sum along the first axis."""
        if not is_symbolic(items):
            return super().sum_(_iterated(items), start)
        return ops.sum(items, axis=0) + start

    def any_(self, items: Any) -> Any:
        """Whether one element is true."""
        return ops.any(_vector(items)) if is_symbolic(items) else super().any_(_iterated(items))

    def all_(self, items: Any) -> Any:
        """Whether every element is true."""
        return ops.all(_vector(items)) if is_symbolic(items) else super().all_(_iterated(items))


def _same(value: Any) -> Any:
    """The value itself."""
    return value


def _decided(value: Any) -> Any:
    """A variable's value; anything else as it is."""
    return as_tensor(value) if isinstance(value, (Variable, Range)) else value


def _defaults() -> Any:
    graph = current_graph()
    assert graph is not None, "a symbolic value belongs to a graph that is open"
    return graph.defaults


# ── the state of branches and loops ──


@contextmanager
def _restored_on_error(state: State) -> Iterator[tuple[Any, ...]]:
    """The variables before the statement; they get their values back when tracing fails."""
    before = state.get()
    try:
        yield before
    except BaseException:
        state.set(before)
        raise


def _labels(names: Sequence[str], before: tuple[Any, ...]) -> list[str]:
    """What messages call the variables; the one behind `return` has no name of the user's."""
    return [
        "what is returned" if isinstance(value, UndefinedReturnValue) or name.startswith("retval_") else name
        for name, value in zip(names, before, strict=True)
    ]


def _fresh(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same values in new containers, so that one arm does not see what another appends."""
    leaves, structure = flatten(values)
    copied: tuple[Any, ...] = unflatten(structure, leaves)
    return copied


def _arm(run: Body, state: State, before: tuple[Any, ...]) -> Callable[[], tuple[Any, ...]]:
    def outcome() -> tuple[Any, ...]:
        state.set(_fresh(before))
        run()
        return state.get()[: state.nouts]

    return outcome


def _reconcile(
    left: tuple[Any, ...], right: tuple[Any, ...], state: State, where: Location
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What both arms left, with stand-ins where only one of them gave a variable a value."""
    pairs = [
        _pair(name, one, other, where) for name, one, other in zip(state.names, left, right, strict=False)
    ]
    return tuple([one for one, _ in pairs]), tuple([other for _, other in pairs])


def _pair(name: str, left: Any, right: Any, where: Location) -> tuple[Any, Any]:
    if isinstance(left, Undefined) or isinstance(right, Undefined):
        unknown = left if left is right else _partly_undefined(name, "if", where)
        return unknown, unknown
    absent_left, absent_right = (
        isinstance(left, UndefinedReturnValue),
        isinstance(right, UndefinedReturnValue),
    )
    if absent_left and absent_right:
        return left, left
    if absent_left:
        return map_leaves(lambda _: ABSENT, right), right
    if absent_right:
        return left, map_leaves(lambda _: ABSENT, left)
    return left, right


def _partly_undefined(name: str, statement: str, where: Location) -> Undefined:
    """The value of a variable that only one branch of an `if`, or only a loop's body, assigns."""
    place = "in every branch" if statement == "if" else "before the loop"

    def why() -> str:
        return (
            f"`{name}` may have no value here: this `{statement}` does not always assign it\n\n"
            f"{where.describe()}\n\n"
            f"A tensor decides this `{statement}`, so a graph has to hold both outcomes.\n"
            f"Give `{name}` a value {place}."
        )

    return Undefined(name, why)


class _ReturnsValue(Exception):  # a signal between two functions of this file, never seen outside
    """The body of a staged loop gave a value to a variable that had none: zeros of its form, by index."""

    def __init__(self, zeros: dict[int, Any]) -> None:
        super().__init__()
        self.zeros = zeros


def _stage_loop(
    state: State,
    options: LoopOptions,
    counters: tuple[int, ...],
    test: Callable[..., Any],
    turn: Callable[..., tuple[Tensor, ...]],
) -> None:
    """A loop over the state and, in front of it, counters that `test` and `turn` take.

    A `return` in the body gives the value behind it for the first time there: once that is seen, the loop
    starts anew with zeros in its place, which nobody reads before.
    """
    where = caller_location()
    with _restored_on_error(state) as before:
        labels = _labels(state.names, before)
        start = before
        try:
            after = _staged_turns(state, start, labels, options, counters, test, turn)
        except _ReturnsValue as found:
            start = tuple([found.zeros.get(index, value) for index, value in enumerate(before)])
            after = _staged_turns(state, start, labels, options, counters, test, turn)
    state.set(
        tuple(
            _partly_undefined(name, "loop", where) if isinstance(value, Undefined) else value
            for name, value in zip(state.names, after, strict=True)
        )
    )


def _staged_turns(
    state: State,
    start: tuple[Any, ...],
    labels: Sequence[str],
    options: LoopOptions,
    counters: tuple[int, ...],
    test: Callable[..., Any],
    turn: Callable[..., tuple[Tensor, ...]],
) -> list[Any]:
    """The variables after `rt.while_loop` over those that have a value at its start."""
    count = len(counters)
    carried = [
        index for index, value in enumerate(start) if not isinstance(value, (Undefined, UndefinedReturnValue))
    ]

    def enter(values: tuple[Any, ...]) -> None:
        now = list(start)
        for index, value in zip(carried, values[count:], strict=True):
            now[index] = value
        state.set(tuple(now))

    def going(*values: Any) -> Any:
        enter(values)
        return test(*values[:count])

    def once(*values: Any) -> tuple[Any, ...]:
        enter(values)
        following = turn(*values[:count])
        after = state.get()
        given = {
            index: map_leaves(_zeros_like, after[index])
            for index, value in enumerate(start)
            if isinstance(value, UndefinedReturnValue) and not isinstance(after[index], UndefinedReturnValue)
        }
        if given:
            raise _ReturnsValue(given)
        return (*following, *[after[index] for index in carried])

    result = while_loop(
        going,
        once,
        (*counters, *[start[index] for index in carried]),
        names=[*["the loop counter"] * count, *[labels[index] for index in carried]],
        shape_invariants=_invariants(options, start, carried, count),
        maximum_iterations=options.maximum_iterations,
    )
    left = list(start)
    for index, value in zip(carried, result[count:], strict=True):
        left[index] = value
    return left


def _zeros_like(leaf: Any) -> Any:
    """Eager zeros of the leaf's spec; unknown dims are 0. What is no tensor stays what it is."""
    if not isinstance(leaf, (Tensor, Variable, bool, int, float, complex)):
        return leaf
    tensor = as_tensor(leaf)
    with outside_graphs():
        zeros: Tensor = ops.zeros(tuple(dim or 0 for dim in tensor.shape or ()), dtype=tensor.dtype)
    return zeros


def _invariants(
    options: LoopOptions, start: tuple[Any, ...], carried: Sequence[int], count: int
) -> list[Any] | None:
    """`shape_invariants` by loop variable; an ellipsis where none was given."""
    if not options.shape_invariants:
        return None
    given = {id(value): shape for value, shape in options.shape_invariants}
    return [*[...] * count, *[given.get(id(start[index]), ...) for index in carried]]


# ── what a `for` runs over ──


def _as_items(value: Any) -> Items:
    """Length and items of anything that a staged loop can run over."""
    if isinstance(value, Items):
        return value
    if isinstance(value, Source):
        return value.items
    if isinstance(value, TensorArray):
        return Items(value.size(), value.read)
    tensor = as_tensor(value)
    if tensor.shape == ():
        raise TypeError("a tensor without axes has nothing to iterate over")
    if isinstance(tensor, Symbol) and tensor.dtype.is_integer:
        match tensor.value:
            case Value(ops.Range(), bounds):  # counted: the numbers themselves are not needed
                return Range(*map(Symbol, bounds)).items
    return Items(_length(tensor), lambda index: ops.take(tensor, index, axis=0))


def _left_over(iterator: Iterator[Any]) -> Range | Tensor | None:
    """What an iterator has not given yet, where it is over a range or a list that a staged loop can take."""
    if type(iterator) not in _RESUMABLE:
        return None
    parts: Any = iterator.__reduce__()
    _, (items, *_), *position = parts
    rest = items[position[0] or 0 :] if position else items
    if isinstance(rest, range):
        return Range(rest.start, rest.stop, rest.step)
    numeric = all(isinstance(item, (Tensor, bool, int, float, complex)) for item in rest)
    alike = numeric and len({as_tensor(item).spec for item in rest}) == 1
    return as_tensor(list(rest)) if alike else None


_RESUMABLE: tuple[type, ...] = (
    type(iter(range(0))),
    type(iter(range(1 << 99))),
    type(iter([])),
    type(iter(())),
)
"""Iterators that say where they stand."""


def _iterated(value: Any) -> Any:
    """Something that Python can iterate over, in eager code."""
    if isinstance(value, Items):
        return (value.item(index) for index in range(int(value.length)))
    if isinstance(value, TensorArray):
        return (value.read(index) for index in range(int(value.size())))
    return as_tensor(value) if isinstance(value, Range) else value


def _length(tensor: Tensor) -> Any:
    shape = tensor.shape
    if shape == ():
        raise TypeError("a tensor without axes has no len()")
    if shape is None or shape[0] is None:
        return ops.shape(tensor)[0]
    return shape[0]


def _least(left: Any, right: Any) -> Any:
    return ops.minimum(left, right) if is_symbolic(left) or is_symbolic(right) else min(left, right)


def _range_bounds(bounds: Sequence[Any]) -> tuple[Any, Any, Any]:
    """`range`'s arguments as start, stop and step."""
    if len(bounds) == 1:
        return 0, bounds[0], 1
    if len(bounds) == 2:
        return bounds[0], bounds[1], 1
    if len(bounds) != 3:
        raise TypeError(f"range expected at most 3 arguments, got {len(bounds)}")
    start, stop, step = bounds
    return start, stop, step


def _vector(items: Any) -> Tensor:
    """A tensor of one axis, whose elements Python's builtins look at."""
    tensor = as_tensor(items)
    if tensor.shape is not None and len(tensor.shape) != 1:
        raise ValueError(
            f"the truth of the items of a tensor of shape {tensor.shape} is ambiguous: "
            "reduce it with `rt.any`, `rt.all`, `rt.max` or `rt.min`"
        )
    return tensor


TENSORS = Tensors()
"""The one backend of this kind: what `ag.function` and `ag.convert` speak to beside plain Python."""
