"""Arrays of lists of lists: rows that the run has made, which have to be equally long."""

from __future__ import annotations

from typing import Any

from autograph.backends.tensors.containers import set_later
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList
from autograph.backends.tensors.objects.choices import choose
from autograph.backends.tensors.statements.raising import constructed
from autograph.backends.tensors.statements.refused import refused
from autograph.backends.tensors.text import text as texts
from runtime import ops
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor
from runtime.ops.control_flow import while_loop

__all__: list[str] = []


def stacked_rows(contents: Elements, *around: Tensor) -> Tensor:
    """What `np.array` gives for a list whose elements are lists of the graph.

    Parameters
    ----------
    contents : Elements
        The lists.
    *around : Tensor
        How long the lists around them are.
    """
    lengths = (*around, contents.length)
    width = choose(contents.length > 0, lambda: _row(contents, 0).length, lambda: as_tensor(0))

    def turn(index: Any, found: Elements) -> tuple[Any, Elements]:
        row = _row(contents, index)
        refused(row.length != width, _inhomogeneous(lengths))
        return index + 1, found.joined(row)

    start = Elements.like(lambda: _row(contents, 0))
    _, found = while_loop(lambda index, _: index < contents.length, turn, (0, start))
    elements: Elements = found
    inner = stacked_rows(elements, *lengths) if elements.has_rows else elements.stacked()
    shape = [contents.length, width, *[ops.shape(inner)[axis] for axis in range(1, inner.ndim)]]
    rows: Tensor = ops.reshape(inner, shape)
    return rows


def _row(contents: Elements, index: Any) -> Elements:
    row = contents.get(as_tensor(index))
    assert isinstance(row, StagedList), "asked of lists of lists alone"
    return row.contents


def _inhomogeneous(lengths: tuple[Tensor, ...]) -> BaseException:
    """What NumPy says of rows of several lengths."""
    shape = "(%d,)" if len(lengths) == 1 else f"({', '.join(['%d'] * len(lengths))})"
    message = (
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
        f"{len(lengths)} dimensions. The detected shape was {shape} + inhomogeneous part."
    )
    return constructed(ValueError, (texts.percent(message, lengths),), {})


set_later.stacked_rows, set_later.row_kinds = stacked_rows, (StagedList,)
