"""`bind()`: the one place where an op meets its operands, and which graph is being built.

With no graph open an op runs its NumPy kernel at once; while a graph is open it becomes a node of it.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from runtime.core.dtypes import NUMPY_DEFAULTS, Defaults, as_dtype, low_precision, number_class, result_type
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.core.structure import flatten
from runtime.core.tensor import EAGER, Tensor, TensorLike, as_array
from runtime.core.text import Slot
from runtime.core.tracing import tracing
from runtime.errors import Error, as_ours
from runtime.graph import strict
from runtime.graph.builder import Builder
from runtime.graph.frames import no_defect
from runtime.graph.graph import Node, Value
from runtime.graph.location import Location, caller_location
from runtime.graph.op import Op
from runtime.graph.symbol import Symbol, refuse_leak

__all__ = [
    "ResultWatcher",
    "array_spec_of",
    "as_operand",
    "as_tensor",
    "bind",
    "bind_all",
    "builder_in_use",
    "building",
    "class_of",
    "current_builder",
    "current_defaults",
    "effects_run",
    "is_of_numbers",
    "is_pythons_own",
    "is_strict",
    "is_symbolic",
    "is_weak",
    "kind_of",
    "known_as_eager",
    "note_kind_told",
    "open_graphs",
    "outside_graphs",
    "promotion_operand",
    "set_loud",
    "set_pack",
    "set_remake",
    "slot_of",
    "spec_of",
    "unwatch_results",
    "value_in",
    "watch_growth",
    "watch_results",
]


_PYTHON_NUMBERS = (bool, int, float, complex)
_NUMBERS = {*_PYTHON_NUMBERS}


def current_builder() -> Builder | None:
    """Of the graph that this thread is building; None in eager code."""
    return tracing.builder


def note_kind_told(value: Any) -> None:
    """Says that the program sees of what kind the numbers of a tensor are."""
    builder = tracing.builder
    if builder is not None and type(value) is Symbol:
        builder.context.told_of_kind.add(value.value)


def builder_in_use() -> Builder:
    """Of the graph that this thread is building: whoever asks knows that there is one."""
    builder = tracing.builder
    assert builder is not None, "asked while a graph is built"
    return builder


def current_defaults() -> Defaults:
    """The dtypes that Python numbers take here."""
    return tracing.builder.defaults if tracing.builder is not None else NUMPY_DEFAULTS


def is_strict() -> bool:
    """Whether what TensorFlow refuses is refused here: in the graphs of strict functions."""
    return tracing.builder is not None and tracing.builder.strict


def effects_run() -> bool:
    """Whether what the program does beside computing is left to the graph that is being built."""
    return tracing.builder is not None and tracing.builder.effects_run


class _OpenGraphs:
    """How many graphs are being built, by any thread: where there is none, nobody asks what its own builds.

    Each call asks, and what belongs to a thread takes half as long to find as a small graph takes to run.

    Attributes
    ----------
    count : int
    word : c_ssize_t
        The same, for calls from C.
    """

    def __init__(self) -> None:
        self.count = 0
        self.word = ctypes.c_ssize_t()
        self._lock = threading.Lock()

    def change(self, by: int) -> None:
        """Counts a graph that is begun, or done."""
        with self._lock:
            self.count += by
            self.word.value = self.count


open_graphs = _OpenGraphs()


class building:  # noqa: N801  # read as a word of `with`
    """Ops bound inside become nodes of the graph that `builder` builds."""

    __slots__ = ("_builder", "_outer")

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def __enter__(self) -> Builder:
        open_graphs.change(1)
        self._outer, tracing.builder = tracing.builder, self._builder
        return self._builder

    def __exit__(self, *_: object) -> None:
        tracing.builder = self._outer
        open_graphs.change(-1)


@contextmanager
def outside_graphs() -> Iterator[None]:
    """Ops bound inside run at once, whatever graphs are open around them."""
    outer, tracing.builder = tracing.builder, None
    try:
        yield
    finally:
        tracing.builder = outer


def is_symbolic(value: Any) -> bool:
    """Whether `value` is a tensor of a graph."""
    return isinstance(value, (Symbol, Value))


def is_recorded(value: Any) -> bool:
    """Whether what is computed of `value` is recorded: of a tensor from outside, while a graph is built."""
    return is_symbolic(value) or (tracing.builder is not None and isinstance(value, Tensor))


def is_of_run(value: Any) -> bool:
    """Whether a value is recorded, or there is one in it."""
    return any(map(is_recorded, flatten(value)[0]))


_remake: Callable[[ListValue], Tensor] | None = None


def set_remake(remake: Callable[[ListValue], Tensor]) -> None:
    """Says how a graph makes a list that eager code has made; `runtime.ops.tensor_list` knows."""
    global _remake  # noqa: PLW0603  # set once, at import: making a list is itself a matter of ops
    _remake = remake


_pack: Callable[[Sequence[Any]], Tensor] | None = None


def set_pack(pack: Callable[[Sequence[Any]], Tensor]) -> None:
    """Says how a list with tensors inside becomes one tensor; `runtime.ops.joining` knows."""
    global _pack  # noqa: PLW0603  # set once, at import: joining tensors is itself an op
    _pack = pack


_loud: Callable[[Op, Sequence[Any], Sequence[Spec]], Op] | None = None


def set_loud(loud: Callable[[Op, Sequence[Any], Sequence[Spec]], Op]) -> None:
    """Says what an op is recorded as where errors of floats are raised; `runtime.ops.core` knows."""
    global _loud  # noqa: PLW0603  # set once, at import: what calls another op is itself an op
    _loud = loud


def as_operand(value: Any) -> Any:
    """`value` as promotion and `Op.prepare` see it: a tensor, a value of a graph, or a Python number."""
    kind = type(value)
    if kind in _OPERANDS:
        return value
    convert = getattr(kind, "__tensor__", None)
    if convert is not None:
        return convert(value)
    if isinstance(value, (list, tuple)) and _has_tensor(value):
        assert _pack is not None, "runtime.ops is loaded by now"
        return _pack(value)
    return Tensor(as_array(value))


def _has_tensor(items: Sequence[Any]) -> bool:
    kinds = set(map(type, items))  # of a long list there are few
    if kinds <= _NUMBERS:
        return False
    if any(issubclass(kind, (Tensor, Value)) or hasattr(kind, "__tensor__") for kind in kinds):
        return True
    nested = tuple([kind for kind in kinds if issubclass(kind, (list, tuple))])
    return bool(nested) and any(_has_tensor(item) for item in items if isinstance(item, nested))


def as_tensor(value: TensorLike) -> Tensor:
    """`value` as a tensor: a variable is read, a Python number takes the default dtype, a list is packed."""
    if type(value) in EAGER:
        known: Tensor = value
        return known
    operand = as_operand(value)
    if isinstance(operand, _PYTHON_NUMBERS):
        return Tensor(np.asarray(operand, current_defaults().of(operand).numpy))
    return Symbol(operand) if type(operand) is Value else operand


def spec_of(operand: Any) -> Spec:
    """The spec of an operand that `Op.prepare` meets; a Python number has its default one."""
    if isinstance(operand, _PYTHON_NUMBERS):
        return ArraySpec((), current_defaults().of(operand))
    spec: Spec = operand.spec
    return spec


def array_spec_of(operand: Any) -> ArraySpec:
    """As `spec_of`, of an operand that must be a tensor or a number."""
    return as_array_spec(spec_of(operand))


def kind_of(operand: Any) -> str:
    """NumPy's kind letter of an operand that `Op.prepare` meets: of its dtype, or of a Python number."""
    kind: str | None = _NUMBER_KINDS.get(type(operand))
    if kind is None:
        kind = _NUMBER_KINDS[number_class(operand)] if is_pythons_own(operand) else operand.dtype.kind
    return kind


_NUMBER_KINDS = {bool: "b", int: "i", float: "f", complex: "c"}


def is_pythons_own(operand: Any) -> bool:
    """Whether an operand is a number of Python's own; of NumPy's, two are below its classes."""
    return isinstance(operand, _PYTHON_NUMBERS) and not isinstance(operand, np.generic)


def is_weak(operand: Any) -> bool:
    """Whether an operand is a Python number, or stands for one: then it promotes as such."""
    if type(operand) is Symbol:
        value = operand.value
    elif type(operand) is Value:
        value = operand
    else:
        return is_pythons_own(operand)
    builder = tracing.builder
    return builder is not None and value in builder.context.weak


def slot_of(operand: Any) -> Slot:
    """The place of a value in a text or among arguments, which says what plain Python has there."""
    builder = tracing.builder
    if builder is None or type(operand) is not Symbol:
        return Slot(is_number=is_weak(operand))
    return builder.slot_of(operand.value)


def promotion_operand(operand: Any) -> Any:
    """What an operand counts as in promotion: its dtype, or the Python number that it is or stands for."""
    if isinstance(operand, _PYTHON_NUMBERS):
        return as_dtype(operand.dtype) if isinstance(operand, np.generic) else operand
    dtype = operand.dtype
    return _ZEROS[dtype.kind] if is_weak(operand) else dtype


_ZEROS: dict[str, complex] = {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}


def bind(op: Op, *inputs: TensorLike) -> Tensor:
    """Runs `op` on `inputs`, or records it.

    Parameters
    ----------
    op : Op
        With one output; `bind_all` is for the others.
    *inputs : Tensor, Value, Variable, number, array or list
        Python's numbers, in lists too, take the dtypes of what stands beside them.

    Returns
    -------
    Tensor

    Raises
    ------
    ShapeError, DTypeError
        As `op.infer` says, in eager code and in graphs alike.
    LeakedTensor
        When an input belongs to a graph that is not open.
    """
    builder = tracing.builder
    if low_precision and builder is None and op.takes_mixed and _has_low_precision(inputs):
        # Here NumPy's promotion is not ours.
        inputs = tuple(op.prepare([as_operand(value) for value in _with_weak_lists(inputs)]))
    kinds = {*map(type, inputs)}
    if builder is not None and kinds <= _OPERANDS:
        recorded: Tensor = stage(builder, op, inputs)
        return recorded
    if builder is None and (op.is_ready or op.takes_mixed) and kinds == _TENSORS:
        return _run(op, inputs, [each._array for each in inputs], Tensor)
    if builder is None and op.takes_mixed and not kinds.isdisjoint(EAGER) and kinds <= _READY:
        arrays = [each._array if type(each) in EAGER else each for each in inputs]
        return _run(op, inputs, arrays, class_of(inputs))
    weak_lists = op.takes_mixed and not _LISTS.isdisjoint(kinds)
    ready = _with_weak_lists(inputs) if weak_lists else inputs
    operands: Sequence[Any] = [as_operand(value) for value in ready]
    if builder is not None:
        staged: Tensor = stage(builder, op, operands)
        return staged
    if not (op.takes_mixed and not EAGER.isdisjoint(map(type, operands))):
        operands = op.prepare(operands)
    arrays = [operand._array if type(operand) in EAGER else _eager_array(op, operand) for operand in operands]
    return _run(op, operands, arrays, class_of(operands))


def bind_all(op: Op, *inputs: TensorLike) -> tuple[Tensor, ...]:
    """As `bind`, for an op with any number of outputs."""
    results: Any = bind(op, *inputs)
    return results if type(results) is tuple else (results,)


def class_of(operands: Sequence[Any]) -> type[Tensor]:
    """The class of what is computed from these: that of a tensor of another namespace, where there is one."""
    for operand in operands:
        kind = type(operand)
        if kind is not Tensor and kind in EAGER:
            found: type[Tensor] = kind
            return found
    return Tensor


def known_as_eager(kind: type[Tensor]) -> None:
    """Has a class of another namespace count among those of tensors that have their value."""
    EAGER.add(kind)
    _READY.add(kind)
    _OPERANDS.add(kind)


def _run(op: Op, operands: Sequence[Any], arrays: Sequence[Any], kind: type[Tensor]) -> Tensor:
    """What the kernel of `op` makes of `arrays`, which are the operands', in tensors of a class."""
    try:
        results: Any = op.kernel(*arrays)
    except Exception as error:  # noqa: BLE001  # raised again, as ours
        raise no_defect(kind.failed(_explained(op, operands, error))) from None
    for watcher in _result_watchers:
        watcher.computed(op, operands, results if type(results) is tuple else (results,), kind)
    if type(results) is tuple:
        return tuple([kind(result) for result in results])  # type: ignore[return-value]  # for `bind_all`
    return kind(results)


def _has_low_precision(inputs: Sequence[TensorLike]) -> bool:
    return any(getattr(each, "dtype", None) in low_precision for each in inputs)


_TENSORS = {Tensor}
_READY = {Tensor, *_PYTHON_NUMBERS}
"""Classes of operands that a kernel takes as they are where it promotes by itself: the hot path."""
_OPERANDS = {*_READY, Symbol, Value}
"""Classes of operands as promotion sees them."""
_LISTS = frozenset((list, tuple))


def _with_weak_lists(inputs: Sequence[TensorLike]) -> Sequence[Any]:
    """The inputs, lists of Python numbers among them in the dtype that one such number would take."""
    operands = [as_operand(value) for value in inputs]
    weak = [type(value) in _LISTS and is_of_numbers(value) for value in inputs]
    weights = [
        _ZEROS[operand.dtype.kind] if is_list else promotion_operand(operand)
        for operand, is_list in zip(operands, weak, strict=True)
    ]
    dtype = result_type(*weights, defaults=current_defaults()).numpy
    try:
        return [
            Tensor(np.asarray(value, dtype)) if is_list else operand
            for value, operand, is_list in zip(inputs, operands, weak, strict=True)
        ]
    except OverflowError:  # an integer that only its own dtype holds
        return operands


def is_of_numbers(items: Sequence[Any]) -> bool:
    """Whether a nested list holds nothing but Python's own numbers."""
    return all(
        is_of_numbers(item) if type(item) in _LISTS else type(item) in _PYTHON_NUMBERS for item in items
    )


def _eager_array(op: Op, operand: Any) -> Any:
    if isinstance(operand, Symbol):
        refuse_leak(operand.value, None)
    if isinstance(operand, Value):
        refuse_leak(operand, None)
    return operand if op.takes_mixed else np.asarray(operand, NUMPY_DEFAULTS.of(operand).numpy)


def _explained(op: Op, operands: Sequence[Any], error: Exception) -> BaseException:
    """The error that a graph would have raised, when `infer` sees what is wrong; else the same, as ours."""
    if not isinstance(error, Error):
        try:
            op.infer(*[spec_of(operand) for operand in op.prepare(operands)])
        except Exception as found:  # noqa: BLE001  # it is raised in the place of the other
            return found
    return as_ours(error)


_LOOKED_AT = 512
"""Nodes from which on a graph that is being built is looked at, whenever it has twice as many."""
_growth_watchers: list[Callable[[Builder], None]] = []


def watch_growth(look: Callable[[Builder], None]) -> None:
    """Has `look` called with every graph that grows large while it is built."""
    _growth_watchers.append(look)


class ResultWatcher(Protocol):
    """Hears of what every op gives: of those that run at once, and of those that a graph records."""

    def computed(self, op: Op, operands: Sequence[Any], results: Sequence[Any], kind: type[Tensor]) -> None:
        """An op has run at once; its results are arrays that become tensors of a class."""

    def recorded(self, builder: Builder, node: Node) -> None:
        """An op became a node of the graph that is being built."""


_result_watchers: tuple[ResultWatcher, ...] = ()


def watch_results(watcher: ResultWatcher) -> None:
    """Has a watcher hear of all results, in every thread, until `unwatch_results`; twice is as once."""
    global _result_watchers  # noqa: PLW0603  # asked for by every op: nothing is cheaper to look at
    if watcher not in _result_watchers:
        _result_watchers = (*_result_watchers, watcher)


def unwatch_results(watcher: ResultWatcher) -> None:
    """Ends `watch_results`."""
    global _result_watchers  # noqa: PLW0603  # as above
    _result_watchers = tuple([each for each in _result_watchers if each is not watcher])


def stage(builder: Builder, op: Op, operands: Sequence[Any]) -> Any:
    """Records `op` in the graph being built; as `bind`, for operands that are tensors, values or numbers."""
    if builder.strict and op.takes_mixed:
        strict.require_one_dtype(op.name, [promotion_operand(operand) for operand in operands])
    where = caller_location()
    values = [value_in(builder, operand, where) for operand in op.prepare(operands)]
    if where.told and where.is_loud:
        assert _loud is not None, "runtime.ops is loaded by now"
        op = _loud(op, operands, [value.spec for value in values])
    node = builder.add(op, values, where)
    count = len(builder.nodes)
    if count >= _LOOKED_AT and not count & (count - 1):
        for look in _growth_watchers:
            look(builder)
    for watcher in _result_watchers:
        watcher.recorded(builder, node)
    if len(node.outputs) == 1:
        return Symbol(node.outputs[0])
    return tuple([Symbol(output) for output in node.outputs])


def value_in(builder: Builder, operand: Any, where: Location | None = None) -> Value:
    """An operand as a value of the graph being built: captured from a graph around it, or a constant.

    A tensor stands for what its array holds now. `where` is the place of the user's that a constant is for,
    if that is known.
    """
    if type(operand) is Symbol:
        value, arrays = operand.value, builder.arrays
        if arrays.contents:
            value = arrays.now(builder, value)
        return value if value.node.graph is builder.graph else builder.resolve(value)
    if type(operand) is Value:
        return builder.resolve(operand)
    if type(operand) in EAGER:
        array: Any = operand._array  # a constant shares the tensor's array: neither changes
        if isinstance(array, ListValue):
            assert _remake is not None, "runtime.ops is loaded by now"
            with building(builder):
                return value_in(builder, _remake(array))
        constant = builder.constant(array, where)
        if array.ndim:
            builder.arrays.taken.add(constant)
        return constant
    return builder.constant(np.asarray(operand, builder.defaults.of(operand).numpy), where)
