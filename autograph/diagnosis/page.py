"""An explanation as HTML: one file, which needs no other and nothing from the network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from autograph.diagnosis.marks import Carried, Mark, Section
from autograph.diagnosis.text import noteworthy

if TYPE_CHECKING:
    from autograph.diagnosis.explanation import Explanation

__all__ = ["fragment", "page"]

STYLE = """
.ag { font: 14px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; max-width: 76rem; }
.ag h1, .ag h2 { font-weight: 600; margin: 1.2em 0 .4em; }
.ag h1 { font-size: 1.3em; } .ag h2 { font-size: 1em; }
.ag h2 span { font-weight: 400; color: #656d76; }
.ag code, .ag pre, .ag td { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12.5px; }
.ag table { border-collapse: collapse; width: 100%; }
.ag td { padding: 0 .8em; vertical-align: top; border: 0; text-align: left; }
.ag td.number { color: #8c959f; text-align: right; user-select: none; width: 3em; }
.ag td.source { white-space: pre; border-left: 4px solid transparent; }
.ag td.notes { white-space: pre-wrap; width: 55%; }
.ag ul { list-style: none; margin: 0; padding: 0 0 0 1.5em; }
.ag .staged { color: #116329; } .ag td.source.staged { color: inherit; border-color: #2da44e; }
.ag .rolled { color: #1a7f37; }
.ag .unrolled { color: #7d4e00; } .ag td.source.unrolled { color: inherit; border-color: #bf8700; }
.ag .not-converted { color: #a40e26; } .ag td.source.not-converted { color: inherit; border-color: #cf222e; }
.ag .python { color: #57606a; } .ag td.source.python { color: inherit; border-color: #d0d7de; }
.ag .not-reached { color: #8c959f; font-style: italic; } .ag td.source.not-reached { font-style: normal; }
.ag pre.error { color: #a40e26; white-space: pre-wrap; }
@media (prefers-color-scheme: dark) {
  .ag { color: #e6edf3; background: #0d1117; }
  .ag .staged { color: #56d364; } .ag .rolled { color: #56d364; }
  .ag .unrolled { color: #e3b341; } .ag .not-converted { color: #ff7b72; }
  .ag .python { color: #8b949e; } .ag td.source.python { border-color: #30363d; }
}
"""


def page(explanation: Explanation) -> str:
    """The whole page."""
    title = escape(f"{explanation.name}, explained")
    head = f'<head><meta charset="utf-8"><title>{title}</title></head>'
    body = f"<body>\n{fragment(explanation)}\n</body>"
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


def fragment(explanation: Explanation) -> str:
    """What stands in the body of the page, with its style: a notebook shows that."""
    parts = [
        f"<style>{STYLE}</style>",
        f"<h1><code>{escape(explanation.name)}({escape(explanation.signature)})</code></h1>",
        *map(_section, explanation.sections),
    ]
    if explanation.nodes:
        shown = ", ".join(name if number == 1 else f"{name} ×{number}" for name, number in explanation.nodes)
        parts.append(f"<p>The graph has <code>{escape(shown)}</code>.</p>")
    if explanation.error:
        parts.append(
            f'<h2>Tracing ended with an error</h2>\n<pre class="error">{escape(explanation.error)}</pre>'
        )
    return '<div class="ag">\n' + "\n".join(parts) + "\n</div>"


def _section(section: Section) -> str:
    """A function as a heading and a table of its lines."""
    name, place = escape(section.name), escape(f"{section.filename}, line {section.line}")
    parts = [f"<h2><code>{name}</code> <span>{place}</span></h2>"]
    if section.reason:
        parts.append(f'<p class="not-converted">Not converted: {escape(section.reason)}.</p>')
    rows = [
        _row(number, line, section.at(number))
        for number, line in enumerate(section.source, start=section.line)
    ]
    return "\n".join([*parts, "<table>", *rows, "</table>"])


def _row(number: int, line: str, marks: tuple[Mark, ...]) -> str:
    shown = list(filter(noteworthy, marks))
    how = next((_class(mark) for mark in shown if mark.kind == "statement"), "")
    notes = "".join(map(_note, shown))
    return (
        f'<tr><td class="number">{number}</td><td class="source {how}">{escape(line)}</td>'
        f'<td class="notes">{notes}</td></tr>'
    )


def _note(mark: Mark) -> str:
    subject = "" if mark.kind == "statement" else f"<code>{escape(mark.text)}</code>: "
    variables = "".join(_variables(mark.state))
    listed = f"<ul>{variables}</ul>" if variables else ""
    return f'<div class="{_class(mark)}">{subject}{escape(mark.summary)}{listed}</div>'


def _variables(state: tuple[Carried, ...]) -> Iterator[str]:
    for variable in state:
        paths = "; ".join(f"{path}: {spec}" for path, spec in variable.paths)
        title = f' title="{escape(paths)}"' if paths else ""
        yield f"<li{title}>{escape(f'{variable.name}: {variable.before} → {variable.after}')}</li>"


def _class(mark: Mark) -> str:
    return mark.how.replace(" ", "-")
