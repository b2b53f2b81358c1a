"""The picture of what others take for the programs of the table in `docs/native.md`."""

from __future__ import annotations

import math
from statistics import median
from xml.sax.saxutils import escape

from docs.written.forms import ROOT

__all__ = ["rivals"]

_PAGE = ROOT / "docs" / "native.md"
_HEAD = "| a call | machine code |"
_LEFT, _WIDTH, _ROW, _TOP, _BOTTOM = 190, 620, 50, 44, 34
_DECADES = -1, 4
"""Powers of ten at the ends of the axis."""
_RADIUS, _APART = 3.5, 6.0
_TITLE = "A call, in times of our machine code. Each dot is a program, and each bar the middle of them."
_NAMES = {"Python on NumPy": "plain Python, NumPy", "gcc -O3": "C, gcc -O3"}
_STYLE = """
.rivals { font-family: system-ui, sans-serif; font-size: 12px; }
.rivals text { fill: #1f2328; } .rivals .detail { fill: #656d76; } .rivals .ground { fill: #ffffff; }
.rivals .grid { stroke: #d0d7de; } .rivals .ours { stroke: #1f2328; stroke-width: 1.5; }
.rivals circle { fill: #0969da; fill-opacity: 0.55; } .rivals .ahead { fill: #cf222e; fill-opacity: 0.8; }
.rivals .middle { stroke: #1f2328; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  .rivals text { fill: #e6edf3; } .rivals .detail { fill: #8b949e; } .rivals .ground { fill: #0d1117; }
  .rivals .grid { stroke: #30363d; } .rivals .ours, .rivals .middle { stroke: #e6edf3; }
  .rivals circle { fill: #58a6ff; } .rivals .ahead { fill: #ff7b72; }
}
"""


def rivals() -> str:
    """Each program as a dot for each rival, by the time of its call in times of our machine code."""
    table = times()
    width, height = _LEFT + _WIDTH + 20, _TOP + _ROW * len(table) + _BOTTOM
    size = f'width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rivals" {size} viewBox="0 0 {width} {height}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" {size}/>',
        text(12, 18, _TITLE),
        *axis(height),
    ]
    for number, (name, found) in enumerate(table.items()):
        parts += row(name, found, _TOP + _ROW * number + _ROW / 2)
    return "\n".join([*parts, "</svg>"]) + "\n"


def times() -> dict[str, dict[str, float]]:
    """Of each rival, by program, the times of the table; the slowest in the middle come first."""
    said = _PAGE.read_text(encoding="utf-8")
    lines = said[said.index(_HEAD) :].partition("\n\n")[0].splitlines()
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    found: dict[str, dict[str, float]] = {}
    for program, _, *cells in rows:
        for name, cell in zip(head[2:], cells, strict=True):
            if cell and name != "NumPy program":  # which is ours
                ratio = float(cell.rstrip(" ×").replace(",", ""))
                found.setdefault(name, {})[program.replace("`", "")] = ratio
    return dict(sorted(found.items(), key=lambda each: -median(each[1].values())))


def axis(height: int) -> list[str]:
    """A line for each power of ten."""
    parts = [
        text(place(0.94), _TOP, "they are faster", "detail", "end"),
        text(place(1.07), _TOP, "machine code is", "detail"),
    ]
    for power in range(_DECADES[0], _DECADES[1] + 1):
        x = place(10.0**power)
        parts.append(line("grid" if power else "ours", x, _TOP - 10, height - _BOTTOM))
        parts.append(text(x, height - 16, f"{10.0**power:,g} ×", "detail", "middle"))
    return parts


def row(name: str, found: dict[str, float], y: float) -> list[str]:
    """A rival, and a dot for each program that it runs; those that would meet stand one above the other."""
    middle = median(found.values())
    parts = [
        text(12, y + 1, _NAMES.get(name, name)),
        text(12, y + 15, f"{middle:.2g} × of {len(found)} programs", "detail"),
    ]
    taken: list[tuple[float, float]] = []
    for program, ratio in sorted(found.items(), key=lambda each: each[1]):
        x = place(ratio)
        high = next(
            high
            for high in (_APART * ((step + 1) // 2) * (-1) ** step for step in range(len(found)))
            if all(math.hypot(x - other, high - beside) >= _APART for other, beside in taken)
        )
        taken.append((x, high))
        kind = ' class="ahead"' if ratio < 1.0 else ""
        parts.append(
            f'<circle{kind} cx="{x:.1f}" cy="{y + high:.1f}" r="{_RADIUS}">'
            f"<title>{escape(program)}: {ratio:,g} ×</title></circle>"
        )
    return [*parts, line("middle", place(middle), y - 14, y + 14)]


def text(x: float, y: float, said: str, kind: str = "name", anchor: str = "start") -> str:
    """Words that begin, end or have their middle at a point."""
    return f'<text class="{kind}" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{escape(said)}</text>'


def line(kind: str, x: float, top: float, bottom: float) -> str:
    """An upright line."""
    return f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}"/>'


def place(ratio: float) -> float:
    """Where a time is on the axis, which is of logarithms."""
    first, last = _DECADES
    return _LEFT + _WIDTH * (math.log10(ratio) - first) / (last - first)
