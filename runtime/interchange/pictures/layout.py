"""Where the boxes of a drawing stand: in rows, so that few lines cross and each is near its neighbours.

The layered layout of Sugiyama, Tagawa and Toda (1981), in its simplest form. A box with graphs in it is as
large as they are, side by side, so the layout goes from the innermost graph outwards.
"""

from __future__ import annotations

from dataclasses import field
from statistics import fmean as mean

from autograph_base.dataclass import dataclass
from runtime.interchange.pictures.drawing import Box, Drawing

__all__ = ["BEND", "DETAIL", "GAP", "HEAD", "PAD", "ROW_GAP", "Placed", "Spot", "layout"]

CHARACTER, HEAD, DETAIL, PAD, GAP, ROW_GAP, BEND = 7.0, 20.0, 14.0, 8.0, 14.0, 26.0, 6.0
"""Sizes in pixels: of a character, of a box's lines, in and between boxes, between rows, of a bend."""

SWEEPS = 6
"""Times that rows are ordered, and moved, after their neighbours."""


@dataclass
class Spot:
    """A box with its place within its graph.

    Attributes
    ----------
    box : Box
    inner : list of Placed
    x, y, width, height : float
        The corner above on the left, and the size.
    """

    box: Box
    inner: list[Placed]
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0

    @property
    def middle(self) -> float:
        """The middle of its width."""
        return self.x + self.width / 2


@dataclass
class Placed:
    """A drawing with its places.

    Attributes
    ----------
    drawing : Drawing
    spots : list of Spot
        One for each box.
    rows : list of list of int
        The boxes of each layer, from left to right.
    width, height : float
    """

    drawing: Drawing
    spots: list[Spot]
    rows: list[list[int]] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0


def layout(drawing: Drawing) -> Placed:
    """Gives each box of a drawing its place.

    Parameters
    ----------
    drawing : Drawing

    Returns
    -------
    Placed
    """
    placed = Placed(drawing, [_sized(box) for box in drawing.boxes])
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for line in drawing.lines:
        above.setdefault(line.end, []).append(line.start)
        below.setdefault(line.start, []).append(line.end)
    rows: list[list[int]] = [[] for _ in range(drawing.layers)]
    for index, box in enumerate(drawing.boxes):
        rows[box.layer].append(index)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        _order(rows if down else rows[::-1], above if down else below)
    placed.rows = rows
    for row in rows:
        _pack(placed.spots, row)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else rows[::-1]:
            _move(placed.spots, row, above if down else below)
    _settle(placed)
    return placed


def _sized(box: Box) -> Spot:
    if box.kind == "bend":
        return Spot(box, [], BEND, BEND)
    width = max(len(box.title), len(box.detail)) * CHARACTER + 2 * PAD
    height = HEAD + DETAIL * bool(box.detail)
    inner = [layout(each) for each in box.inner]
    if inner:
        width = max(width, sum(each.width + PAD for each in inner) + PAD)
        height = HEAD + DETAIL + max(each.height for each in inner) + HEAD + PAD
    return Spot(box, inner, width, height)


def _order(rows: list[list[int]], neighbours: dict[int, list[int]]) -> None:
    """Orders each row after the mean position of what its boxes are linked to in the row before."""
    position: dict[int, float] = {}
    for row in rows:
        wanted = {
            index: mean(position[each] for each in neighbours[index]) if index in neighbours else float(place)
            for place, index in enumerate(row)
        }
        row.sort(key=wanted.__getitem__)
        position |= {index: float(place) for place, index in enumerate(row)}


def _pack(spots: list[Spot], row: list[int]) -> None:
    x = 0.0
    for index in row:
        spots[index].x = x
        x += spots[index].width + GAP


def _move(spots: list[Spot], row: list[int], neighbours: dict[int, list[int]]) -> None:
    """Moves the boxes of a row towards those that they are linked to, without changing their order."""
    wanted = []
    for index in row:
        linked = neighbours.get(index)
        middle = mean(spots[each].middle for each in linked or [index])
        wanted.append(middle - spots[index].width / 2)
    left = -float("inf")
    for index, x in zip(row, wanted, strict=True):
        spots[index].x = max(x, left)
        left = spots[index].x + spots[index].width + GAP
    shift = sum(x - spots[index].x for index, x in zip(row, wanted, strict=True)) / max(len(row), 1)
    for index in row:
        spots[index].x += shift


def _settle(placed: Placed) -> None:
    """Sets the rows below each other, and all of it right of the edge."""
    spots = placed.spots
    left = min((spot.x for spot in spots), default=0.0)
    y = PAD
    for row in placed.rows:
        height = max((spots[index].height for index in row), default=0.0)
        for index in row:
            spots[index].x += PAD - left
            if spots[index].box.kind == "bend":  # lines go straight past the boxes beside them
                spots[index].height = height
            free = height - spots[index].height
            if spots[index].box.kind == "constant":
                spots[index].y = y + free
            elif spots[index].inner or free > 2 * spots[index].height:
                spots[index].y = y
            else:
                spots[index].y = y + free / 2
        y += height + ROW_GAP
    title = len(placed.drawing.name) * CHARACTER + 2 * PAD
    placed.width = max(max((spot.x + spot.width for spot in spots), default=0.0) + PAD, title)
    placed.height = max(y - ROW_GAP, 0.0) + PAD
