"""Lowering of draws of random numbers, from generators of NumPy's and Python's that lie outside of the graph.

A draw is a call of a method of such a generator (`PyFunc`). Numbers, and arrays of them, of the distributions
in the table of methods are drawn by machine code; in other cases it is Python that draws.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, bool_, float64, int64, uint64
from runtime.core.spec import ArraySpec, GeneratorSpec
from runtime.core.structure import Structure
from runtime.core.text import Slot
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import (
    Apply,
    Array,
    Cast,
    Draw,
    Expression,
    Load,
    Number,
    Store,
    Variable,
    add,
)
from runtime.executors.native.lower.building import Shared
from runtime.executors.native.lower.distributions import METHODS, NEEDED, Arguments, Method, Way, at_least
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Dims, InMemory, Lowered, Scalar, Source, count_of
from runtime.executors.native.randomness.draws import (
    DRAWS,
    LINEAR,
    is_linear,
    is_there,
    samples_as_known,
)
from runtime.executors.native.randomness.streams import Stream
from runtime.graph.graph import Node, Value
from runtime.graph.module import Module
from runtime.graph.resources import HostObject
from runtime.ops.host import PyFunc, called_method, order_of_shuffle, place_of_choice

__all__ = ["drawn", "has_sources", "is_draw", "order", "several"]


@lowers(PyFunc, of_objects=True)
def _drawn(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    op = node.op
    assert isinstance(op, PyFunc), "it lowers these"
    if _is_maker(op):
        return [_made(lowering, node)]
    method = _method_of(node)
    if method is None:
        raise Unsupported("it calls a function of the program's")
    if lowering.shared.beyond is Beyond.NOBODY:
        raise Unsupported("it draws from a generator of this process")
    source, given = _bound(method, op, node.inputs)
    numbers = {value for value, slot in zip(node.inputs, _slots(op), strict=True) if slot.is_number}
    arguments = Arguments(lowering, given, numbers, node, raises=source is not None)
    way = method.way(arguments)
    if way.is_of_gauss and not lowering.shared.keeps_gauss and way.function.startswith("twister"):
        raise Unsupported("Python's code may ask for what a generator keeps of normal numbers")
    if not is_there(way.function):
        raise Unsupported("generators lie in memory in another way than is known")
    size = given.get("size", given.get("*size"))
    dims = None if size is None or ("*size" in given and not size) else _dims(arguments, size)
    if source is None:
        stream = _stream(lowering.shared, op, way)
    else:
        made = lowering.values[source]
        if not isinstance(made, Source):
            raise Unsupported("a generator is an object of Python's")
        stream = made.array
    way = replace(way, arguments=tuple([lowering.name(each) for each in way.arguments]))
    known = lowering.shared.program.streams.get(stream.name)
    if source is not None or (known is not None and known.kind == "PCG64"):
        way = _quicker(way)
    if way.function == "old_seed" and (known is None or known.kind != "MT19937"):
        raise Unsupported("bits of another kind take no seed")
    if method.is_order:
        return [order(lowering, way, stream)]
    if way.is_sample:
        return [_sampled(lowering, node, way, stream, dims, arguments)]
    if dims is None:
        found = lowering.name(way.found(drawn(lowering, way, stream)))
        if not method.gives:
            return []
        if node.specs != (ArraySpec((), found.dtype),):
            raise Unsupported("it gives a number of another dtype")
        return [Scalar(found)]
    (spec,) = node.specs
    assert isinstance(spec, ArraySpec), "a size is given"
    return [several(lowering, way, stream, dims, spec.dtype)]


_QUICKER: Mapping[str, str] = {
    "double": "pcg64_double",
    "standard_normal": "pcg64_normal",
    "standard_exponential": "pcg64_exponential",
}


def _quicker(way: Way) -> Way:
    """The same without calls, where the bits are those of `default_rng`."""
    if way.function in LINEAR and is_linear(way.function):
        *first, factor = way.arguments

        def found(number: Expression) -> Expression:
            part = Apply("multiply", (factor, number), float64)
            return way.found(Apply("add", (first[0], part), float64) if first else part)

        return _quicker(Way(LINEAR[way.function], (), found))
    name = _QUICKER.get(way.function, "")
    return Way(name, way.arguments, way.found) if name and is_there(name) else way


def is_draw(node: Node) -> bool:
    """Whether a node makes a generator, or draws in a way that has machine code, as its method says."""
    return isinstance(node.op, PyFunc) and (_is_maker(node.op) or _method_of(node) is not None)


def has_sources(module: Module) -> bool:
    """Whether the generators that a module makes are only drawn from, and handed on inside of it."""
    outside = [*module.entry.inputs, *module.entry.outputs]
    return not any(map(_is_generator, outside)) and all(
        node.op.regions
        or node.op.callee is not None
        or (is_draw(node) and not any(map(_is_generator, node.inputs[1:])))
        for graph in module.graphs()
        for inner in graph.walk()
        for node in inner.nodes
        if any(map(_is_generator, (*node.inputs, *node.outputs)))
    )


def _is_generator(value: Value) -> bool:
    return isinstance(value.spec, GeneratorSpec)


def _is_maker(op: PyFunc) -> bool:
    """Whether a generator is made of a seed, or of none: `numpy.random.default_rng`."""
    module = sys.modules.get("numpy.random")
    return module is not None and op.function.value is module.default_rng


_WORDS = 14
"""Words of memory of a generator that the program has made."""


def _made(lowering: Lowering, node: Node) -> Source:
    """A generator of NumPy's, in the state in which a seed has it."""
    op = node.op
    assert isinstance(op, PyFunc), "as asked"
    if not lowering.shared.has_sources or not is_there("pcg64_made"):
        raise Unsupported("a generator is an object of Python's")
    if lowering.shared.beyond is Beyond.NOBODY:
        raise Unsupported("NumPy's functions are in this process")
    _, given = _bound(Method((("seed", NEEDED),), lambda _: Way("pcg64_made")), op, node.inputs)
    arguments = Arguments(lowering, given, (), node, raises=True)
    seed = arguments.whole("seed")
    arguments.require("expected non-negative integer", at_least(seed, 0))
    made = lowering.allocated((Number(_WORDS, int64),), uint64)
    drawn(lowering, Way("pcg64_made", (seed,)), made.array)
    return Source(made.array)


def several(lowering: Lowering, way: Way, stream: Array, dims: Dims, dtype: DType) -> InMemory:
    """An array, of which NumPy draws one element after the other."""
    result = lowering.allocated(dims, dtype)
    with lowering.loop(lowering.name(count_of(result.dims), "n")) as place:
        element = way.found(drawn(lowering, way, stream))
        if element.dtype is not dtype:
            raise Unsupported("it gives numbers of another dtype")
        lowering.emit(Store(result.array, place, element))
    return result


def order(
    lowering: Lowering, way: Way, stream: Array, limit: Callable[[Expression], Expression] | None = None
) -> InMemory:
    """The whole numbers below one, shuffled as NumPy and Python do it, from the last one on.

    `limit` makes of a number's place what it may change places with; by default, what the way makes of it.
    """
    (count,) = way.arguments
    result = lowering.allocated((count,), int64)
    (length,) = result.dims
    with lowering.loop(length) as place:
        lowering.emit(Store(result.array, place, place))

    up_to = limit or way.found

    def drawn_up_to(last: Expression) -> Expression:
        return drawn(lowering, Way(way.function, (Cast(up_to(last), uint64),)), stream)

    _shuffled(lowering, result, length, drawn_up_to)
    return result


def _sampled(
    lowering: Lowering, node: Node, way: Way, stream: Array, dims: Dims | None, arguments: Arguments
) -> Lowered:
    """An array of things of which none is drawn twice, in the way of NumPy's `choice`."""
    (spec,) = node.specs
    if dims is None or not isinstance(spec, ArraySpec) or not samples_as_known(way.function):
        raise Unsupported("it draws without putting back")
    (count,), size = way.arguments, lowering.name(count_of(dims))
    told = _TOLD_OF_LARGE_SAMPLES[way.function]
    arguments.require(told, Apply("less_equal", (size, count), bool_))
    if way.function == "interval":
        chosen = order(lowering, way, stream, lambda last: last)
    else:
        chosen = _by_floyd(lowering, way, stream, count, size)
    result = lowering.allocated(dims, spec.dtype)
    with lowering.loop(size) as place:
        element = way.found(lowering.name(Load(chosen.array, place)))
        if element.dtype is not spec.dtype:
            raise Unsupported("it gives numbers of another dtype")
        lowering.emit(Store(result.array, place, element))
    return result


_TOLD_OF_LARGE_SAMPLES = {
    "bounded": "Cannot take a larger sample than population when replace is False",
    "interval": "Cannot take a larger sample than population when 'replace=False'",
}


def _by_floyd(lowering: Lowering, way: Way, stream: Array, count: Expression, size: Expression) -> InMemory:
    """Some of the whole numbers below one, by Floyd's way: one that is drawn again is the last one."""
    is_drawn, result = lowering.allocated((count,), bool_), lowering.allocated((size,), int64)
    with lowering.loop(count) as place:
        lowering.emit(Store(is_drawn.array, place, Number(False, bool_)))
    first = lowering.name(Apply("subtract", (count, size), int64))
    with lowering.loop(size) as place:
        last = lowering.name(Apply("add", (first, place), int64))
        chosen = drawn(lowering, _up_to(way, last), stream)
        number = lowering.name(Apply("select", (Load(is_drawn.array, chosen), last, chosen), int64))
        lowering.emit(Store(is_drawn.array, number, Number(True, bool_)))
        lowering.emit(Store(result.array, place, number))
    if way.is_shuffled:
        _shuffled(lowering, result, size, lambda last: drawn(lowering, _up_to(way, last), stream))
    return result


def _up_to(way: Way, last: Expression) -> Way:
    return Way(way.function, (Number(0, int64), Cast(last, uint64)))


def _shuffled(
    lowering: Lowering, result: InMemory, length: Expression, drawn_up_to: Callable[[Expression], Expression]
) -> None:
    """From the last one on, each changes places with one that is drawn."""
    with lowering.loop(lowering.name(add(length, -1), "n")) as turn:
        last = lowering.name(Apply("subtract", (add(length, -1), turn), int64))
        chosen = drawn_up_to(last)
        other = lowering.name(Load(result.array, last))
        lowering.emit(Store(result.array, last, Load(result.array, chosen)))
        lowering.emit(Store(result.array, chosen, other))


def drawn(lowering: Lowering, way: Way, stream: Array) -> Variable:
    """A number that is drawn."""
    found = lowering.variable(DRAWS[way.function].gives, "drawn")
    lowering.shared.program.draws[way.function] = None
    lowering.emit(Draw(found, way.function, stream, tuple([lowering.name(each) for each in way.arguments])))
    return found


def _dims(arguments: Arguments, size: Any) -> Dims:
    """The lengths of the axes of what is drawn."""
    lengths = size if isinstance(size, tuple) else (size,)
    dims = tuple([arguments.as_whole(each) for each in lengths])
    arguments.require("negative dimensions are not allowed", *[at_least(dim, 0) for dim in dims])
    return dims


# ── which method, of what ──


def _method_of(node: Node) -> Method | None:
    """What is known of the method that is called; None where it is none of the table."""
    op = node.op
    assert isinstance(op, PyFunc), "it calls something"
    if op.function.value is called_method:
        known = METHODS["numpy.random._generator.Generator"] if _is_generator(node.inputs[0]) else {}
        return known.get(op.arguments.leaves[1])
    owner, name = _owner_and_name(op)
    kind = type(owner)
    return METHODS.get(f"{kind.__module__}.{kind.__qualname__}", {}).get(name)


def _owner_and_name(op: PyFunc) -> tuple[Any, str]:
    """The generator, and the method that is called; None and nothing where there is none."""
    function, whole = op.function.value, None
    if isinstance(function, partial) and function.func in _PARTS:
        whole, (function,) = function.func, function.args
    if function is _seed_of_numpy():
        return np.random.mtrand._rand, "seed"  # noqa: SLF001  # the one that `numpy.random` draws with
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if not _is_original(owner, name, function):
        return None, ""
    return owner, name if whole is None else _PARTS[whole].get(name, "")


_PARTS = {place_of_choice: {"choice": "_randbelow"}, order_of_shuffle: {"shuffle": "shuffle"}}
"""The methods that draw places, of those that draw items."""


def _seed_of_numpy() -> Any:
    """`numpy.random.seed`; `_PARTS`, which is no function, as long as nobody has asked for `numpy.random`."""
    module = sys.modules.get("numpy.random")
    return _PARTS if module is None else module.seed


def _is_original(owner: Any, name: str, function: Any) -> bool:
    """Whether a method is that of the class: an object may have been given one of its own."""
    if not isinstance(owner, random.Random):
        return True  # they have no attributes
    return bool(function == getattr(type(owner), name).__get__(owner))


def _stream(shared: Shared, op: PyFunc, way: Way) -> Array:
    """The stream of a generator, of which a program has one, and one of normal numbers that it keeps."""
    (owner, _), streams = _owner_and_name(op), shared.program.streams
    for name, stream in streams.items():
        if stream.owner is owner and stream.is_of_gauss is way.is_of_gauss:
            return Array(name, uint64)
    name = shared.fresh("stream")
    streams[name] = Stream(owner, is_of_gauss=way.is_of_gauss)
    return Array(name, uint64)


def _bound(method: Method, op: PyFunc, values: Sequence[Value]) -> tuple[Value | None, dict[str, Any]]:
    """A generator of the run, if it is one, and the arguments by the names of parameters.

    These are values of Python's and of the graph, and defaults.
    """
    positional, named = op.arguments.structure.children
    left, rest, source = iter(op.arguments.leaves), iter(values), None
    children = positional.children
    if op.function.value is called_method:
        source, children = values[0], children[2:]
        next(left), next(rest), next(left)
    given = [_part(child, left, rest) for child in children]
    by_name = {
        str(key): _part(child, left, rest)
        for key, child in zip(named.keys or (), named.children, strict=True)
    }
    names = [name for name, _ in method.parameters]
    if names == ["*size"]:
        if by_name:
            raise Unsupported("it is given what is not known of it")
        return source, {"*size": tuple(given)}
    bound = dict(zip(names, given, strict=False)) | by_name
    if len(given) > len(names) or not bound.keys() <= {*names}:
        raise Unsupported("it is given what is not known of it")
    for name, default in method.parameters:
        if default is NEEDED and name not in bound:
            raise Unsupported("it is not given what it needs")
        bound.setdefault(name, default)
    return source, bound


def _slots(op: PyFunc) -> list[Slot]:
    return [leaf for leaf in op.arguments.leaves if isinstance(leaf, Slot)]


def _part(structure: Structure, leaves: Iterator[Any], values: Iterator[Value]) -> Any:
    """An argument, of the next leaves and values: a tuple stands for a sequence."""
    if structure.kind is None:
        leaf = next(leaves)
        if isinstance(leaf, HostObject):  # an array that nobody writes to, as those of outside are looked at
            return leaf.value
        return next(values) if isinstance(leaf, Slot) else leaf
    if structure.kind is type(None):
        return None
    parts = tuple([_part(child, leaves, values) for child in structure.children])
    if structure.kind not in {list, tuple}:
        raise Unsupported("it is given objects of Python's")
    return parts
