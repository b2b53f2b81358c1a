"""Sums of products over axes that are named by letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import LOW_PRECISION
from runtime.core.shapes import Dim, Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike, short
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.op import FRESH, Aliases
from runtime.ops.core import dot
from runtime.ops.facts import BOOLEAN, NUMERIC, GraphDef, Sample, shaped
from runtime.ops.families import Contraction
from runtime.ops.products import LOWERCASE, UPPERCASE
from runtime.ops.promotion import promoted, require_dtype, rounded_once

__all__ = ["Einsum", "einsum"]


class Einsum(Contraction):
    """A sum of products over axes named by letters."""

    equation: str

    graphdef = GraphDef("Einsum", types={"T": "in0", "N": "count"}, attributes={"equation": "equation"})
    accepts = (NUMERIC | BOOLEAN).difference(LOW_PRECISION)
    samples = (
        shaped((2, 3), (3, 4), equation="ij,jk->ik"),
        shaped((2, 3), equation="ij->ji"),
        shaped((3, 3), equation="ii->"),
        shaped((5, 2, 3), (3,), equation="...j,j->..."),
        Sample((np.arange(3), np.arange(3)), {"equation": "i,j->ij"}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, *operands: ArraySpec) -> ArraySpec:
        require_dtype("einsum", operands[0].dtype, self.accepts)
        inputs, output = self.equation.split("->")
        dims: dict[str, Dim] = {}
        rest: list[Shape] = [()]
        for subscript, operand in zip(inputs.split(","), operands, strict=True):
            if operand.shape is None:  # its letters are as long as the other operands say
                rest += [None] if "..." in subscript else []
                continue
            own, covered = self._read(subscript, operand.shape)
            rest.append(covered)
            for letter, dim in own.items():
                dims[letter] = self._together(letter, dims.get(letter, 1), dim)
        batch = shapes.broadcast(*rest)
        before, dots, after = output.partition("...")
        if batch and not dots:
            raise ShapeError(
                f"the result of {self.equation!r} has no place for the axes that `...` stands for",
                why="It stands for axes of the operands, which are not summed.",
                way_out="Write `...` on the right of the arrow too.",
            )
        if batch is None and dots:
            return operands[0].with_shape(None)
        named = [[dims.get(letter, UNKNOWN) for letter in part] for part in (before, after)]
        return operands[0].with_shape((*named[0], *(batch or ()), *named[1]))

    def _read(self, subscript: str, shape: tuple[Dim, ...]) -> tuple[dict[str, Dim], Shape]:
        """The length of each letter in one operand, and the dims that the dots stand for."""
        before, dots, after = subscript.partition("...")
        covered = len(shape) - len(before) - len(after)
        if covered < 0 or (covered and not dots):
            raise ShapeError(
                f"{subscript!r} in {self.equation!r} does not describe shape {shapes.text(shape)}",
                why="It names each axis of an operand by one letter.",
                way_out="Write a letter for each axis, or `...` for those that are not named.",
            )
        named = [
            *zip(before, shape, strict=False),
            *zip(after, shape[len(shape) - len(after) :], strict=True),
        ]
        dims: dict[str, Dim] = {}
        for letter, dim in named:
            known = dims.setdefault(letter, dim)
            if not shapes.compatible((known,), (dim,)):
                self._refuse(letter, known, dim)
            dims[letter] = shapes.known_of(known, dim)
        return dims, shape[len(before) : len(before) + covered]

    def _together(self, letter: str, known: Dim, dim: Dim) -> Dim:
        """The length of a letter that is of these lengths in two operands: one of length 1 gives way."""
        if shapes.all_known((known, dim)) and known != dim and 1 not in {known, dim}:
            self._refuse(letter, known, dim)
        both = shapes.broadcast((known,), (dim,))
        assert both is not None, "one axis each"
        return both[0]

    def _refuse(self, letter: str, known: Dim, dim: Dim) -> NoReturn:
        raise ShapeError(
            f"{letter!r} in {self.equation!r} is {known} in one place and {dim} in another",
            why="Axes of one letter have one length.",
            way_out="Give axes that differ letters of their own, or transpose the operand.",
        )

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return frozenset([0]) if len(specs) == 1 else FRESH  # axes of one operand may only change places

    def kernel(self, *operands: Array) -> Any:
        return np.asarray(np.einsum(self.equation, *operands))

    def decompose(self, *operands: Tensor) -> Tensor | None:
        inputs, output = self.equation.split("->")
        named = []
        most = 0
        for subscript, operand in zip(inputs.split(","), operands, strict=True):
            if operand.static_shape is None:
                return None
            covered = operand.ndim - len(subscript.replace(".", ""))
            named.append((subscript, covered if "..." in subscript else 0))
            most = max(most, covered)
        free = "".join(name for name in UPPERCASE + LOWERCASE if name not in self.equation)[:most]
        left = [subscript.replace("...", free[most - covered :]) for subscript, covered in named]
        return dot(f"{','.join(left)}->{output.replace('...', free)}", *operands, order="einsum")


def einsum(equation: str, /, *operands: TensorLike) -> Tensor:
    """Sum of products over axes named by letters.

    Parameters
    ----------
    equation : str
        Such as ``"ij,jk->ik"``; ``...`` stands for axes that broadcast. Without ``->``, the result has the
        letters that occur once, in order.
    *operands : Tensor of a numeric dtype or bool

    Returns
    -------
    Tensor of the promoted dtype
        Products of bools are true where all are, and their sums where one is.

    Raises
    ------
    InvalidValue
        When the equation is none.
    ShapeError
        When it does not describe the shapes, or a letter has two lengths, neither of them 1.

    Notes
    -----
    GraphDef "Einsum". Semantics: NumPy `einsum`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.einsum("ij->i", rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 7])>
    """
    if not isinstance(equation, str):
        raise InvalidValue(
            f"the equation of `einsum` is {short(equation)}",
            why="It is a text that names the axes of each operand by letters.",
            way_out="Write it in front of the operands: `rt.einsum('ij,jk->ik', x, y)`.",
        )
    return rounded_once(_parsed(equation, len(operands)), *operands)


@lru_cache(maxsize=1024)
def _parsed(equation: str, count: int) -> Einsum:
    """The op of an equation for so many operands."""
    text = "".join(equation.split())
    inputs, arrow, output = text.partition("->")
    for subscript in (*inputs.split(","), output):
        if not re.fullmatch(r"[A-Za-z]*(\.\.\.)?[A-Za-z]*", subscript):
            raise InvalidValue(
                f"{subscript!r} in {equation!r} names no axes",
                why="Axes are named by letters, and `...` stands once for those without a name.",
                way_out="Write, for instance, 'ij,jk->ik' or '...i,i->...'.",
            )
    if inputs.count(",") + 1 != count:
        raise ShapeError(
            f"{equation!r} describes {inputs.count(',') + 1} operands, but there are {count}",
            why="The letters between commas are the axes of one operand.",
            way_out="Give each operand its letters: `'ij,jk->ik'` is for two.",
        )
    if not arrow:
        output = _letters_that_occur_once(inputs)
    _check_result(equation, inputs, output)
    return Einsum(f"{inputs}->{output}")


def _letters_that_occur_once(inputs: str) -> str:
    counts = Counter(inputs.replace(",", "").replace(".", ""))
    once = sorted(letter for letter, count in counts.items() if count == 1)
    return ("..." if "..." in inputs else "") + "".join(once)


def _check_result(equation: str, inputs: str, output: str) -> None:
    letters = output.replace(".", "")
    unknown = set(letters) - set(inputs)
    if unknown:
        raise ShapeError(
            f"{min(unknown)!r} in the result of {equation!r} names no axis of an operand",
            why="The axes of the result are those of the operands.",
            way_out="Take a letter from the left of the arrow.",
        )
    if len(set(letters)) != len(letters):
        raise InvalidValue(
            f"a letter is named twice in the result of {equation!r}",
            why="Each axis of the result is an axis of its own.",
            way_out="Name it once: sums are taken along the others.",
        )
