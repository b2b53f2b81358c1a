"""Branches and loops over a state: run once for each path, joined, and set to what is left.

The variables of a statement are set before an arm or a turn is traced, and read after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.staging.backend import Body, LoopOptions
from autograph.staging.state import State, Undefined, UndefinedReturnValue
from runtime import ops
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor, outside_graphs
from runtime.graph.location import Location, caller_location
from runtime.ops.control_flow import ABSENT, cond, while_loop
from runtime.variables import Variable

__all__ = ["stage_if", "stage_loop"]


def stage_if(test: Any, body: Body, orelse: Body, state: State) -> None:
    """Both arms as the branches of `rt.cond`."""
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
        unknown = left if left is right else _partly_undefined(name, "`if`", where)
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
    place = "before the loop" if statement == "loop" else "in every branch"

    def why() -> str:
        return (
            f"`{name}` may have no value here: this {statement} does not always assign it\n\n"
            f"{where.describe()}\n\n"
            f"A tensor decides this {statement}, so a graph has to hold both outcomes.\n"
            f"Give `{name}` a value {place}."
        )

    return Undefined(name, why)


class _ReturnsValue(Exception):  # a signal between two functions of this file, never seen outside
    """The body of a staged loop gave a value to a variable that had none: zeros of its form, by index."""

    def __init__(self, zeros: dict[int, Any]) -> None:
        super().__init__()
        self.zeros = zeros


def stage_loop(
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
