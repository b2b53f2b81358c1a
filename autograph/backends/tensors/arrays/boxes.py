"""Boxing: a NumPy array is replaced by an array of the graph once a value of the graph is written into it.

A program makes arrays while it is traced (`np.zeros(3)`), or reaches them from outside. They are NumPy's own
until a value of the graph is written into one, or a tensor decides whether something is: then an array of the
graph takes the place of the array that owns the memory, and views of that take the places of its views,
wherever the program reads them (`autograph/staging/heap.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from autograph.backends.tensors.arrays.arrays import is_listed, is_numpys, set_may_show
from autograph.backends.tensors.arrays.homes import home_of, is_made_here, note_made, note_met
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.statements import running
from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.places import Place
from runtime import ops
from runtime.core.tensor import EAGER, Array, Tensor, owner_of, require_plain
from runtime.errors import StateDisagrees
from runtime.graph.arrays import Arrays, Unknown, watch_writes
from runtime.graph.build import as_tensor, builder_in_use, building, current_builder
from runtime.graph.builder import Builder, Watcher
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.op import Const
from runtime.graph.refusals import of_arrays
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Tie
from runtime.numpy_functions.protocols import loaded_late
from runtime.numpy_functions.writing import fills_in_place
from runtime.ops.casting import Cast
from runtime.ops.control_flow import NoOutcome
from runtime.ops.raising import record

__all__ = ["box", "in_the_graph"]


def decided_by_tensor() -> bool:
    """Whether a tensor decides if, or how often, what is traced now happens; or a `try` may take it back."""
    builder = current_builder()
    return builder is not None and (builder.watcher is not None or running.is_below_branch())


def is_of_graph(array: Array) -> bool:
    """Whether writes of known values into an array of NumPy's are a matter of the graph."""
    owner = owner_of(array)
    return (
        (decided_by_tensor() and not is_made_here(owner))
        or is_shown(array)
        or is_listed(owner)
        or other_names().is_shown_in_part(owner)
        or any(has(owner) for has in staging.arrays_outside)
    )


def has_given_way(array: Array) -> bool:
    """Whether an array of the graph is in the place of the array whose memory an array of NumPy's shows."""
    owner = owner_of(array)
    return heap.moved_to(owner) is not owner


@contextmanager
def with_arrays_outside(has: Callable[[Any], bool]) -> Iterator[None]:
    """While a function is traced: what is written into an array that was there before is for every run."""
    staging.arrays_outside.append(has)
    try:
        yield
    finally:
        staging.arrays_outside.pop()


class OutsideArray(Place):
    """What an array of NumPy's holds that is there before a function runs, and after it.

    Parameters
    ----------
    array : array
        The owner of its memory.
    """

    __slots__ = ()

    def __init__(self, array: Array) -> None:
        self.key = "contents", id(array)
        self.name = "an array"
        self.owner = array

    def at(self, owner: Any) -> Place:
        return OutsideArray(owner)

    def get(self) -> Any:
        """The elements; while a graph is built that writes to them, the array of the graph."""
        found = heap.moved_to(self.owner)
        return found if found is not self.owner else self.owner.copy()

    def set(self, value: Any) -> None:
        if isinstance(value, Symbol) and heap.moved_to(self.owner) is self.owner:
            heap.move(self.owner, value)
        elif isinstance(value, Symbol):
            ops.overwrite(heap.moved_to(self.owner), value)
        else:
            heap.take_back(self.owner)
            self.owner[...] = value

    def announce(self) -> None:
        """Nothing: an array of the graph says so itself."""


def changed_arrays(arrays: Iterable[Array]) -> Iterator[tuple[Place, Any, Any]]:
    """The arrays that gave way and were written to: each with what it held before, and what it holds now.

    One that gave way in a graph around is an array of that. Where nobody knows what one holds, who reads that
    is told so.
    """
    builder = builder_in_use()
    for array in arrays:
        staged = heap.moved_to(array)
        if isinstance(staged, Symbol) and not builder.is_around(staged.value):
            now = builder.arrays.contents.get(staged.value)
            if now is not None:
                yield OutsideArray(array), array.copy(), staged if isinstance(now, Unknown) else Symbol(now)


def box(array: Any) -> Symbol:
    """The array of the graph in the place of an array of NumPy's, or of a tensor that has its value.

    Where nobody may write to the array, the graph raises a ValueError.

    Raises
    ------
    StateDisagrees
        When it shows the memory of another array in a way that no graph has.
    """
    found = heap.moved_to(array)
    if isinstance(found, Symbol):
        return found
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        record(ValueError("assignment destination is read-only"), caller_location())
        raise NoOutcome
    owner = owner_of(array)
    for each in (array, owner):
        if isinstance(each, np.ndarray):
            require_plain(each)
    _require_own_memory(owner)
    _require_whole(owner)
    if not isinstance(heap.moved_to(owner), Symbol):
        heap.move(owner, _started(owner))
        _tell_who_shows(owner)
    found = _current(array)
    assert isinstance(found, Symbol), "the owner of the memory has moved"
    return found


def in_the_graph(array: Array) -> Tensor:
    """An array of NumPy's as one of the graph, which sees what is written into it later."""
    return box(array) if is_numpys(array) and ops.can_write() else as_tensor(array)


def _require_whole(owner: Any) -> None:
    """Sees to it that nobody shows a part of an array as it was: another trace has that part of the array."""
    if other_names().is_shown_in_part(owner):
        raise of_arrays(
            StateDisagrees(
                "an array is written to after a tensor has said which part of it is taken",
                where=caller_location(),
                why="The part shows what the array held when it was taken.",
                way_out="Write to a copy (`x.copy()`), or take the part when everything is written.",
            )
        )


def _require_own_memory(owner: Any) -> None:
    """Sees to it that an array which is made while a program is traced is the only one to show its memory."""
    if not isinstance(owner, np.ndarray) or owner.base is None:
        return
    if not any(has(owner) for has in staging.arrays_outside):
        kind = type(owner.base).__name__
        raise StateDisagrees(
            f"an array is written to that shows the memory of a {kind}",
            where=caller_location(),
            why=f"It is written when the graph runs, and the {kind} is there while the function is traced.",
            way_out="Write into a copy (`x.copy()`), or into the array that the memory belongs to.",
        )


def _started(owner: Any) -> Symbol:
    """An array of the graph that starts with what is in an array of NumPy's."""
    elements = np.array(owner._array if type(owner) in EAGER else owner, order="C")
    builder, since = home_of(owner)
    with builder.unwatched():  # the constant is there before any `try`
        value = builder.add(Const(elements)).outputs[0]
    inside = _attempts_since(builder, since)
    if inside:
        value = builder.add(Cast(value.dtype), [value]).outputs[0]  # the array is not
        builder.arrays.starts[value.node] = since or 0
        for each in inside:
            each.when_forgotten.append(partial(heap.take_back, owner))
    if isinstance(owner, np.ndarray):
        builder.arrays.take_place(value, owner)
    note_met(owner, value)
    if is_listed(owner):
        builder.arrays.listed.add(value)
    if not elements.ndim:
        builder.arrays.without_axes.add(value)
    return Symbol(value)


def _attempts_since(builder: Builder, since: int | None) -> list[Watcher]:
    """The bodies of `try` that are traced into a graph and were begun before this time."""
    found, watcher = [], builder.watcher
    while since is not None and watcher is not None:
        if watcher.builder is builder and watcher.began <= since:
            found.append(watcher)
        watcher = watcher.around
    return found


_Decided: TypeAlias = tuple[Value, bool] | None
_Shown: TypeAlias = tuple[Value, Array, _Decided]
_shown_by: WeakKeyDictionary[Arrays, dict[int, list[_Shown]]] = WeakKeyDictionary()
_kept: WeakKeyDictionary[Arrays, dict[Value, list[Array]]] = WeakKeyDictionary()


def _tell_who_shows(owner: Array) -> None:
    """Says which arrays of the graph may be an array of NumPy's that has given way, or a view of it."""
    arrays = home_of(owner).builder.arrays
    for value, array, decided in _shown_by.get(arrays, {}).get(id(owner), ()):
        _tie(arrays, value, array, decided)


def _tie(arrays: Arrays, value: Value, array: Array, decided: _Decided) -> None:
    whole = arrays.root(heap.moved_to(owner_of(array)).value)
    tie = None
    if decided is not None:
        shown = _current(array)
        tie = Tie(*decided, value, shown.value) if isinstance(shown, Symbol) else None
    arrays.may_be_same(value, whole, tie)


def may_show(value: Value, array: Array, decided: _Decided = None) -> None:
    """Says that an array of the graph may be one of NumPy's.

    Parameters
    ----------
    value : Value
        The array of the graph.
    array : array
        It, or the view of it that the array of the graph may be.
    decided : (Value, bool), optional
        What decided between them in a branch, and what it says where they are one.
    """
    builder = builder_in_use()
    owner = owner_of(array)
    if isinstance(heap.moved_to(owner), Symbol):
        _tie(builder.arrays, value, array, decided)
        return
    _shown_by.setdefault(builder.arrays, {}).setdefault(id(owner), []).append((value, array, decided))
    _kept.setdefault(builder.arrays, {}).setdefault(value, []).append(owner)


def shown_by(value: Value) -> list[Array]:
    """The arrays of NumPy's, as yet, that an array of the graph may be, or one that it may be the same as."""
    builder = builder_in_use()
    kept = _kept.get(builder.arrays)
    alike = (value, *builder.arrays.kin(value)) if kept else ()
    owners = {id(owner): owner for each in alike for owner in (kept or {}).get(each, ())}
    return [owner for owner in owners.values() if heap.moved_to(owner) is owner]


def may_show_one(one: Value, other: Value) -> bool:
    """Whether two arrays of the graph may be one array of NumPy's, as yet: no branch keeps them apart."""
    known = _shown_by.get(builder_in_use().arrays, {})
    both = {id(owner) for owner in shown_by(one)} & {id(owner) for owner in shown_by(other)}
    return any(
        first is None or second is None or first[0] is not second[0] or first[1] == second[1]
        for owner in both
        for first in _decided_by(known[owner], one)
        for second in _decided_by(known[owner], other)
    )


def _decided_by(known: Sequence[_Shown], value: Value) -> Sequence[_Decided]:
    """What decides whether a value is an array of NumPy's; None where it may be another value that is one."""
    kin = builder_in_use().arrays.kin(value)
    return [decided if each is value else None for each, _, decided in known if each is value or each in kin]


def is_shown(array: Array) -> bool:
    """Whether an array of the graph may be this array of NumPy's."""
    builder = current_builder()
    return builder is not None and id(owner_of(array)) in _shown_by.get(builder.arrays, {})


def _box_what_is_shown(array: Value) -> None:
    """Before an array of the graph is written to: the arrays of NumPy's that it may be give way."""
    builder = current_builder()
    if builder is not None and _kept:
        for owner in _kept.get(builder.arrays, {}).pop(array, ()):
            box(owner)


set_may_show(may_show, shown_by, may_show_one)
watch_writes(_box_what_is_shown)


def _current(array: Any) -> Any:
    """What is in the place of an array: of a view, the view of what is in the place of the memory's owner."""
    found = heap.moved_to(array)
    if found is not array or not isinstance(array, np.ndarray):
        return found
    owner = owner_of(array)
    whole = heap.moved_to(owner)
    if whole is owner or not isinstance(whole, Symbol):
        return array
    builder, since = home_of(owner)
    before = len(builder.nodes)
    with building(builder), builder.arrays.as_started(builder.arrays.root(whole.value)):
        heap.move(array, _shown(whole, owner, array))
    for node in builder.nodes[before:]:  # its views are there as long as the array is
        builder.arrays.starts.setdefault(node, since or 0)
    return heap.moved_to(array)


def _to_change(array: Array) -> Any:
    """The array of the graph, where a write into an array of NumPy's is a matter of the graph."""
    may_write = current_builder() is not None and ops.can_write() and array.flags.writeable
    return box(array) if may_write and is_of_graph(array) else array


def _tensor_to_change(tensor: Tensor) -> Tensor:
    """The array of the graph in the place of a tensor from outside: whoever has it gets another tensor."""
    may_write = type(tensor) in EAGER and tensor.ndim and current_builder() is not None and ops.can_write()
    return box(tensor) if may_write else tensor


def _flat_now(elements: Any) -> Any:
    """What is in the place of ``x.flat``: the elements of the array of the graph, once `x` has given way."""
    if current_builder() is None or not has_given_way(elements.base):
        return elements
    if elements.index:
        raise StateDisagrees(
            "an array is written to from which `x.flat` has taken some elements already",
            where=caller_location(),
            why="It is written when the graph runs, and the elements were taken while it is traced.",
            way_out="Take the elements of a copy (`x.copy().flat`), or ask for `x.flat` behind the write.",
        )
    return ops.flat(box(elements.base))


heap.gives_way(np.ndarray, _current, changed=_to_change, made=note_made)
heap.gives_way(np.flatiter, _flat_now)
heap.gives_way(Tensor, heap.moved_to, changed=_tensor_to_change)


# ── views ─────────────────────────────────────────────────────────────────────────────────────────────


def _shown(whole: Symbol, owner: Array, view: Array) -> Any:
    """The view of an array of the graph that is to its whole what a view of NumPy's is to the owner.

    Raises
    ------
    StateDisagrees
        When that is no part of the whole with its axes in some order.
    """
    numbers = np.arange(owner.size).reshape(owner.shape)
    shown = _numbers(numbers, owner, view)
    for steps in ([], _of_axes(numbers, shown), _of_blocks(numbers, shown)):
        found = numbers
        for step in steps or ():
            found = step(found)
        if steps is not None and found.size == shown.size and (found.reshape(shown.shape) == shown).all():
            part: Any = whole
            for step in steps:
                part = step(part)
            is_itself = part is whole  # a view of all of it is another object
            return ops.reshape(part, shown.shape) if is_itself or part.static_shape != shown.shape else part
    raise of_arrays(
        StateDisagrees(
            "an array was written to that shows the memory of another one in an unusual way",
            details=[
                f"the owner of the memory:  shape {owner.shape}, strides {owner.strides}",
                f"the view:                 shape {view.shape}, strides {view.strides}",
            ],
            why="In a graph, a view is a part of an array with its axes in some order.",
            way_out="Write to the array itself, or to a copy.",
        )
    )


def _numbers(numbers: Array, owner: Array, view: Array) -> Array:
    """For each element of a view, which element of the owner it is; -1 where it is none."""
    size = owner.itemsize
    if view.itemsize != size or not owner.size:
        return np.full(view.shape, -1)
    low, high = np.lib.array_utils.byte_bounds(owner)
    memory = np.full((high - low) // size, -1)
    _laid(memory, owner, low)[...] = numbers
    steps = [*view.strides, view.__array_interface__["data"][0] - low]
    if any(step % size for step in steps):
        return np.full(view.shape, -1)
    return np.array(_laid(memory, view, low))


def _laid(memory: Array, array: Array, low: int) -> Array:
    """A view of a memory of numbers that lies in it as an array lies in its own."""
    size = array.itemsize
    start = (array.__array_interface__["data"][0] - low) // size
    strides = [step // size * memory.itemsize for step in array.strides]
    return np.lib.stride_tricks.as_strided(memory[start:], array.shape, strides)


Steps: TypeAlias = list[Callable[[Any], Any]] | None
"""What makes a view of an array, NumPy's or of the graph; None where nothing does."""


def _of_axes(numbers: Array, shown: Array) -> Steps:
    """A key for each axis, and an order of those that are left."""
    axes = _moving(shown)
    if axes is None:
        return None
    start = np.unravel_index(shown.reshape(-1)[0], numbers.shape)
    runs: dict[int, tuple[int, int]] = {}
    for axis in axes:
        other = np.unravel_index(_second(shown, axis), numbers.shape)
        changed = [each for each in range(numbers.ndim) if other[each] != start[each]]
        if len(changed) != 1 or changed[0] in runs:
            return None
        runs[changed[0]] = axis, int(other[changed[0]] - start[changed[0]])
    key: list[Any] = [int(each) for each in start]
    if not runs:  # of one element, which is a view with an axis, too
        key = [slice(each, each + 1) for each in key]
    for own, (axis, step) in runs.items():
        stop = int(start[own]) + step * shown.shape[axis]
        key[own] = slice(int(start[own]), stop if stop >= 0 else None, step)
    return [partial(_part, key=tuple(key)), *_reordered([runs[own][0] for own in sorted(runs)])]


def _of_blocks(numbers: Array, shown: Array) -> Steps:
    """Blocks of the line of all elements, blocks of those, and so on."""
    axes = _moving(shown)
    if axes is None:
        return None
    first, steps = int(shown.reshape(-1)[0]), {axis: int(_second(shown, axis)) for axis in axes}
    steps = {axis: second - first for axis, second in steps.items()}
    back = [axis for axis in axes if steps[axis] < 0]
    start = first + sum(steps[axis] * (shown.shape[axis] - 1) for axis in back)
    order = sorted(axes, key=lambda axis: -abs(steps[axis]))
    found: list[Callable[[Any], Any]] = [partial(_reshaped, shape=(-1,))]
    room, shape = numbers.size, []
    for axis in order:
        step, count = abs(steps[axis]), shown.shape[axis]
        shift = max(0, start + count * step - room)  # the last block is a whole one, too
        if shift > start or shift >= step:
            return None
        found.append(partial(_part, key=(..., slice(start - shift, start - shift + count * step))))
        shape += [count]
        found.append(partial(_reshaped, shape=(*shape, step)))
        start, room = shift, step
    found.append(partial(_part, key=(..., start)))
    turned = tuple([slice(None, None, -1 if axis in back else 1) for axis in order])
    return [*found, *([partial(_part, key=turned)] if back else []), *_reordered(order)]


def _moving(shown: Array) -> list[int] | None:
    """The axes along which a view goes on; None where it shows nothing of the owner."""
    if not shown.size or (shown < 0).any():
        return None
    return [axis for axis in range(shown.ndim) if shown.shape[axis] > 1]


def _second(shown: Array, axis: int) -> Any:
    """What comes after the first element, along an axis."""
    return shown[tuple([int(each == axis) for each in range(shown.ndim)])]


def _reordered(axes: Sequence[int]) -> list[Callable[[Any], Any]]:
    """The step that brings axes into their order, where they are not."""
    order = tuple([list(axes).index(axis) for axis in sorted(axes)])
    return [] if order == tuple(range(len(order))) else [partial(_permuted, order=order)]


def _part(x: Any, key: tuple[Any, ...]) -> Any:
    return x[key]


def _reshaped(x: Any, shape: tuple[int, ...]) -> Any:
    return x.reshape(shape)


def _permuted(x: Any, order: tuple[int, ...]) -> Any:
    return x.transpose(order)


ops.set_give_way(box)


# ── NumPy's own writers ───────────────────────────────────────────────────────────────────────────────

_METHODS = frozenset(
    {"byteswap", "fill", "itemset", "partition", "put", "resize", "setfield", "setflags", "sort"}
)
"""Methods of NumPy's arrays that change them."""
_WRITERS = frozenset({np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask})
"""Functions of NumPy's that change their first argument; and so does `numpy.random.shuffle`."""


def is_write_of_graph(callee: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a function of NumPy's writes into an array where a tensor decides whether that happens."""
    writes = kwargs.get("out") is not None or _is_writer(callee) or fills_in_place(callee, args, kwargs)
    if not (writes and ops.can_write()):
        return False
    arrays = [each for each in (*args, *_outs(kwargs)) if isinstance(each, np.ndarray)]
    return any(map(is_of_graph, arrays))


def _is_writer(callee: Any) -> bool:
    """Whether a function changes its first argument. NumPy loads `random` when somebody asks for it."""
    return callee in _WRITERS or ("numpy.random" in sys.modules and callee == np.random.shuffle)


def _outs(kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    out = kwargs.get("out")
    return out if isinstance(out, tuple) else (out,)


def writing_method(callee: Any, args: Sequence[Any], *, is_staged: bool) -> Callable[..., Any] | None:
    """What is called in the place of a method that writes into an array; None where that is right.

    Parameters
    ----------
    callee : callable
        A method of a class of C's.
    args : sequence
    is_staged : bool
        Whether a value of the graph is among the arguments.
    """
    receiver, name = callee.__self__, callee.__name__
    if not ops.can_write():
        return None
    if isinstance(receiver, np.ndarray) and name in _METHODS and (is_staged or is_of_graph(receiver)):
        method: Callable[..., Any] = getattr(box(receiver), name)
        return method
    is_at = isinstance(receiver, np.ufunc) and name == "at" and bool(args) and isinstance(args[0], np.ndarray)
    if is_at and (is_staged or is_of_graph(args[0])):
        return lambda x, *rest: loaded_late().call_ufunc(receiver, "at", (x, *rest), {})
    return None
