"""Where keys come from that nobody gave: streams of them, in the order of the program.

A stream gives the keys `fold_in(start, 0)`, `fold_in(start, 1)` and so on. Taking one is an effect, so draws
keep their order, in graphs too. Without a seed there is one stream for the process; `set_seed` starts every
stream of the process anew.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from runtime.core.dtypes import int64, uint64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import bind, bind_all, current_builder
from runtime.graph.op import Effects, Failures
from runtime.graph.resources import Resource, refuse_undeclared, resource_kind
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample, Samples, misfits, raising
from runtime.ops.families import Opaque
from runtime.ops.random.keys import KEY, as_key, require_key, require_seed

__all__ = ["NextKey", "StartStream", "Stream", "set_seed"]


@resource_kind
class Stream(Resource):
    """Keys, one after the other.

    Attributes
    ----------
    name : str
        What programs that are printed call it.
    bits : numpy.random.Philox
        Makes the keys: each is the first half of a block. It has a lock of its own.
    """

    kind = "stream"

    def __init__(self, name: str, bits: np.random.Philox) -> None:
        self.name = name
        self.bits = bits

    @classmethod
    def declared(cls, name: str, spec: ArraySpec | None) -> Stream:
        del spec
        stream = object.__new__(Stream)
        stream.name = name
        return stream

    def __getattr__(self, attribute: str) -> Any:
        if attribute == "bits":
            refuse_undeclared(self.kind, self.name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {attribute!r}")

    def __repr__(self) -> str:
        return f"<{self.name}>"


class SeededStream(Stream):
    """A stream that starts anew after `set_seed`.

    Attributes
    ----------
    seed : int or None
        What tells it from the other streams of the process.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "random" if seed is None else f"random_{seed}"
        self.seed = seed
        self._start: object = None
        self._bits: np.random.Philox

    @property
    def bits(self) -> np.random.Philox:  # type: ignore[override]  # an attribute that is made when it is asked for
        """Makes the keys."""
        if self._start is not _process.start:
            with _process.lock:
                if self._start is not _process.start:
                    self._bits = _process.bits(self.seed)
                    self._start = _process.start
        return self._bits


class _Process:
    """The seed of the whole process, and the streams of eager code."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.start = object()
        self.seed: int | None = None
        self.streams: dict[int | None, SeededStream] = {}

    def bits(self, seed: int | None) -> np.random.Philox:
        """Where a stream with this seed of its own starts; somewhere where there is no seed at all."""
        if seed is None and self.seed is None:
            return np.random.Philox(counter=[0, 0, 0, 1])
        return np.random.Philox(key=[self.seed or 0, 0 if seed is None else seed + 1], counter=[0, 0, 0, 1])

    def stream(self, seed: int | None) -> SeededStream:
        """The stream that a draw without a seed, or a draw of eager code, uses."""
        with self.lock:
            return self.streams.setdefault(seed, SeededStream(seed))


_process = _Process()


def set_seed(seed: int) -> None:
    """Starts the draws that are given no key anew, so that a program can be repeated.

    Parameters
    ----------
    seed : int
        From 0 on, below 2**64.

    Raises
    ------
    ValueError
        When it is negative or too large.

    Notes
    -----
    Semantics: TensorFlow `tf.random.set_seed`; the numbers themselves are NumPy's.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.set_seed(1)
    >>> first = rt.random.uniform(())
    >>> rt.random.set_seed(1)
    >>> rt.random.uniform(()) == first
    <Tensor: shape=(), dtype=bool, numpy=True>
    """
    require_seed(seed, 1 << 64)
    with _process.lock:
        _process.seed = seed
        _process.start = object()


class _OfStream(Opaque, abstract=True):
    """An op that changes a stream: it keeps its place among the effects of a graph."""

    stream: Stream

    @property
    def effects(self) -> Effects:
        return Effects.RANDOM


class NextKey(_OfStream):
    """The next key of a stream."""

    samples = (Sample((), {"stream": SeededStream(1)}),)
    raises = raising()

    def infer(self) -> ArraySpec:
        return ArraySpec((2,), uint64)

    def kernel(self) -> Any:
        return self.stream.bits.random_raw(4)[:2]

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: list[GraphDefTensor], specs: list[ArraySpec]
    ) -> list[GraphDefTensor]:
        del inputs, specs
        ends = [builder.constant(end, int64) for end in (int64.min, int64.max)]
        seed = getattr(self.stream, "seed", None) or 0
        numbers = builder.effect(
            "RandomUniformInt",
            [builder.constant([2], int64), *ends],
            "output",
            T=int64,
            Tout=int64,
            seed2=seed,
        )
        return [builder.node("Bitcast", [numbers], T=int64, type=uint64)]


class StartStream(_OfStream):
    """Has a stream start from a key."""

    samples = Samples(lambda: [Sample((KEY,), {"stream": Stream("generator", np.random.Philox(0))})])
    why_no_graphdef = "its generators are variables"

    def infer(self, key: ArraySpec) -> tuple[ArraySpec, ...]:
        require_key(key)
        return ()

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs)

    def kernel(self, key: Array) -> tuple[Array, ...]:
        self.stream.bits = np.random.Philox(key=key, counter=[0, 0, 0, 1])
        return ()


def started(key: TensorLike) -> Stream:
    """A stream that starts from `key`; in a graph, whenever the graph comes by."""
    stream = Stream("generator", np.random.Philox(0))
    bind_all(StartStream(stream), key)
    return stream


def next_key(stream: Stream) -> Tensor:
    """The next key of `stream`."""
    return bind(NextKey(stream))


def key_of_process(seed: int | None = None) -> Tensor:
    """The key of a draw that is given none.

    With a seed it comes from a stream of its own: in eager code one for each seed, in a graph one for each
    place.
    """
    if seed is None or current_builder() is None:
        return next_key(_process.stream(seed))
    return next_key(SeededStream(seed))


def given_or_next(key: TensorLike | None) -> Tensor:
    """The `key` argument of a draw."""
    return key_of_process() if key is None else as_key(key)
