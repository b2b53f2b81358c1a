"""Printing when the graph runs."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from runtime.core.spec import Spec
from runtime.core.structure import Structure, flatten, unflatten
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Effects, Op
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor

__all__ = ["PrintV2", "print"]


class _Input:
    """Stands for the next input among the leaves of a printed nest."""

    def __repr__(self) -> str:
        return "•"


_INPUT = _Input()


class PrintV2(Op):
    """Prints a nest of values and text."""

    structure: Structure
    leaves: tuple[Any, ...]
    """The leaves of the printed tuple: Python objects, and a marker for each input."""
    sep: str
    end: str
    stream: str
    """``stdout`` or ``stderr``, as they are when the graph runs."""
    input_names: ClassVar[tuple[str, ...]] = ("input",)

    @property
    def effects(self) -> Effects:
        return Effects.PRINTS

    def infer(self, *_: Spec) -> tuple[Spec, ...]:
        return ()

    def kernel(self, *arrays: Array) -> tuple[Array, ...]:
        stream = getattr(sys, self.stream)
        stream.write(self.text([str(array) for array in arrays]) + self.end)
        stream.flush()
        return ()

    def text(self, inputs: Iterable[str]) -> str:
        """What is printed, with these texts in the places of the inputs."""
        rest = iter(inputs)
        leaves = [_Bare(next(rest)) if leaf is _INPUT else leaf for leaf in self.leaves]
        return self.sep.join([str(item) for item in unflatten(self.structure, leaves)])

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        fixed = self.text([""] * len(inputs))
        holes = ("{" + "_" * length + "}" for length in itertools.count())
        hole = next(hole for hole in holes if hole not in fixed)
        text = builder.node(
            "StringFormat",
            inputs,
            T=[spec.dtype for spec in specs],
            template=self.text([hole] * len(inputs)),
            placeholder=hole,
            summarize=-1,
        )
        builder.effect(self.name, [text], end=self.end, output_stream=self.stream)
        return []


class _Bare:
    """Text that a printed list or dict shows without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def print(*values: TensorLike, sep: str = " ", end: str = "\n", stream: str = "stdout") -> None:
    """Prints values when the code runs: in a graph, on every run, in program order.

    Parameters
    ----------
    *values : Tensor, Variable, or any object; also nests of them
        Tensors are shown as NumPy shows arrays.
    sep, end : str
        As in Python's `print`.
    stream : {"stdout", "stderr"}

    Notes
    -----
    GraphDef "PrintV2". Semantics: TensorFlow `tf.print`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.print("x =", rt.asarray([1, 2]))
    x = [1 2]
    """
    leaves, structure = flatten(values)
    numeric = [isinstance(leaf, Tensor) or hasattr(type(leaf), "__tensor__") for leaf in leaves]
    inputs = [as_tensor(leaf) for leaf, is_tensor in zip(leaves, numeric, strict=True) if is_tensor]
    marked = tuple([_INPUT if is_tensor else leaf for leaf, is_tensor in zip(leaves, numeric, strict=True)])
    bind(PrintV2(structure, marked, sep, end, stream), *inputs)
