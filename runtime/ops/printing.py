"""Printing when the graph runs."""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from runtime.core.printed import count_printed
from runtime.core.spec import ArraySpec
from runtime.core.structure import map_leaves
from runtime.core.tensor import Array, TensorLike
from runtime.core.text import Apply, Slot, Template, filled, marking
from runtime.errors import ExportError
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Effects, Op
from runtime.graph.resources import HostObject
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample, raising

__all__ = ["PrintV2", "print"]


class PrintV2(Op):
    """Prints text with values in it."""

    template: Template
    end: str
    stream: str | HostObject
    """``stdout`` or ``stderr``, as they are when the graph runs, or a file that is open."""
    flush: bool = False

    is_core = True
    input_names: ClassVar[tuple[str, ...]] = ("input",)
    raises = raising()
    samples = (
        Sample((), {"template": "ready", "end": "\n", "stream": "stdout", "flush": False}),
        Sample(
            (np.arange(3),),
            {"template": Apply("str", (Slot(),)), "end": "", "stream": "stdout", "flush": True},
        ),
    )

    @property
    def is_standard(self) -> bool:
        """Whether it prints to a standard stream, as that is when the graph runs."""
        return isinstance(self.stream, str)

    @property
    def effects(self) -> Effects:
        return Effects.PRINTS

    def infer(self, *_: ArraySpec) -> tuple[ArraySpec, ...]:
        return ()

    def kernel(self, *arrays: Array) -> tuple[Array, ...]:
        text = filled(self.template, arrays)
        if isinstance(self.stream, HostObject):
            builtins.print(text, end=self.end, file=self.stream.value, flush=self.flush)
        else:
            builtins.print(text, end=self.end, file=getattr(sys, self.stream), flush=self.flush)
            count_printed(self.stream, len(text) + len(self.end))
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        pieces = list(_pieces(self.template))
        fixed = "".join(piece for piece in pieces if piece is not None)
        holes = ("{" + "_" * length + "}" for length in itertools.count())
        hole = next(hole for hole in holes if hole not in fixed)
        text = builder.node(
            "StringFormat",
            inputs,
            T=[spec.dtype for spec in specs],
            template="".join(hole if piece is None else piece for piece in pieces),
            placeholder=hole,
            summarize=-1,
        )
        stream = self.stream if isinstance(self.stream, str) else _path(self.stream.value)
        builder.effect(self.name, [text], end=self.end, output_stream=stream)
        return []


def _pieces(template: Template) -> Iterator[str | None]:
    """The literal parts of a template, and None for each value that stands in it as it is."""
    match template:
        case str():
            yield template
        case Apply("join", parts):
            for part in parts:
                yield from _pieces(part)
        case Apply("str" | "repr" | "ascii", (Slot(),)) | Apply("format", (Slot(), "")):
            yield None
        case _:
            raise ExportError(
                f"the printed text {str(template)!r} cannot be written to a GraphDef",
                why="TensorFlow has no such format for values.",
                way_out="Print the value as it is in the function that you export.",
            )


def _path(stream: Any) -> str:
    """An open file as TensorFlow names it."""
    name = getattr(stream, "name", None)
    if not isinstance(name, str):
        raise ExportError(
            f"what is printed goes to {stream!r}, which cannot be written to a GraphDef",
            why="It only exists in this process.",
            way_out="Print to a file on disk, or to `sys.stdout`.",
        )
    return f"file://{name}"


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
    shown = [map_leaves(_as_shown, value) for value in values]
    with marking(bare=True) as marks:
        text = sep.join([str(value) for value in shown])
    template, tensors = marks.read(text)
    bind(PrintV2(template, end, stream, flush=True), *tensors)


def _as_shown(leaf: Any) -> Any:
    """A variable as its value, and everything else as it is."""
    return as_tensor(leaf) if hasattr(type(leaf), "__tensor__") else leaf
