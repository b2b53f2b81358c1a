"""An explanation as text: the source on the left, what became of it on the right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from autograph.diagnosis.marks import Mark, Section

if TYPE_CHECKING:
    from autograph.diagnosis.explanation import Explanation

__all__ = ["lines", "noteworthy", "plain", "show"]

STYLES = {
    "staged": "green",
    "python": "dim",
    "rolled": "green",
    "unrolled": "yellow",
    "not converted": "red",
    "not reached": "dim italic",
}
"""How a mark looks, by what became of its statement."""

WIDEST = 60
"""Columns of source; a mark behind a longer line stands below it."""


def plain(explanation: Explanation) -> str:
    """The text without colours."""
    return "\n".join(line.rstrip() for line in lines(explanation).plain.splitlines())


def show(explanation: Explanation) -> None:
    """Prints the text, in colours where the output is a terminal."""
    Console(highlight=False).print(lines(explanation), soft_wrap=True)


def lines(explanation: Explanation) -> Text:
    """The text with its colours."""
    return Text("\n").join(_lines(explanation))


def _lines(explanation: Explanation) -> Iterator[Text]:
    """The whole explanation, line by line."""
    yield Text.assemble((explanation.name, "bold"), f"({explanation.signature})")
    for section in explanation.sections:
        yield Text()
        yield from _section(section)
    if explanation.nodes:
        shown = ", ".join(name if number == 1 else f"{name} ×{number}" for name, number in explanation.nodes)
        yield Text()
        yield Text.assemble(("graph: ", "bold"), shown)
    if explanation.error:
        yield Text()
        yield Text.assemble(("tracing ended with an error", "bold red"), "\n\n", explanation.error)


def _section(section: Section) -> Iterator[Text]:
    """A function: its lines, and beside or below each what became of it."""
    where = f'File "{section.filename}", line {section.line}, in {section.name}'
    yield Text.assemble((where, "bold"))
    if section.reason:
        yield Text.assemble("  ", (f"not converted: {section.reason}", STYLES["not converted"]))
    number_width = len(str(section.line + len(section.source)))
    width = min(WIDEST, max(map(len, section.source), default=0))
    for number, source in enumerate(section.source, start=section.line):
        notes = list(_notes(section.at(number)))
        gutter = f"  {number:>{number_width}} │ "
        below = f"  {'':{number_width}} │ {'':{width}}"
        first = Text.assemble((gutter, "dim"), f"{source:{width}}")
        if notes and len(source) <= width:
            first.append_text(Text("  ")).append_text(notes.pop(0))
        first.rstrip()
        yield first
        for note in notes:
            yield Text.assemble((below, "dim"), "  ", note)


def _notes(marks: tuple[Mark, ...]) -> Iterator[Text]:
    """What stands beside a line, and below that."""
    said: set[str] = set()
    for mark in filter(noteworthy, marks):
        if mark.kind == "statement" and mark.summary in said:
            continue  # two statements in a line
        said.add(mark.summary)
        style = STYLES[mark.how]
        subject = "" if mark.kind == "statement" else f"`{mark.text}`: "
        yield Text.assemble((f"{subject}{mark.summary}", style))
        for variable in mark.state:
            yield Text.assemble((f"  {variable.name}: {variable.before} → {variable.after}", style))
            different = len({spec for _, spec in variable.paths}) > 1
            for path, spec in variable.paths if different else ():
                yield Text.assemble((f"    {path}: {spec}", style))


def noteworthy(mark: Mark) -> bool:
    """Whether a mark says more than the statement around it does."""
    return mark.kind == "statement" or mark.how == "not converted" or bool(mark.reason)
