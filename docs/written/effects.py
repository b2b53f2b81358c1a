"""The page of what Python functions outside become."""

from __future__ import annotations

import textwrap

from autograph.staging.outside import FUNCTIONS as OUTSIDE
from autograph.staging.outside import PURE, PURE_BUT_OBJECTS, RECEIVERS
from docs.written.forms import WIDTH, page, table

__all__ = ["effects"]


def effects() -> str:
    """What touches the world: by what it touches, and how it is known what it gives."""
    rows: dict[tuple[str, str], list[str]] = {}
    for name, known in OUTSIDE.items():
        if known.gives != "declared":
            rows.setdefault((known.touches, known.gives), []).append(f"`{shown_name(name)}`")
    for kind, methods in RECEIVERS.items():
        named = sorted({name.removeprefix(".") for name in methods} - {""})
        for name in [*named, ""]:
            known = methods.get(f".{name}") or methods.get(name)
            if known is not None:
                title = (
                    f"`{shown_name(kind)}.{name}`" if name else f"`{shown_name(kind)}` (all other methods)"
                )
                rows.setdefault((known.touches, known.gives), []).append(title)
    meanings = {"None": "nothing"} | GIVES
    return page(
        "Effects",
        "the tables of `autograph/staging/outside.py`",
        "What a program does beside computing, a graph does on every run, in its turn: it prints and logs, "
        "asks clocks, draws random numbers and opens files. [Beyond TensorFlow](beyond.md#effects) shows it. "
        "These functions are called when the graph runs; `ag.host_call` does the same for any other one.",
        table(
            "touches | gives | functions and methods",
            [
                (touches, meanings.get(gives, f"`{gives}`"), ", ".join(dict.fromkeys(names)))
                for (touches, gives), names in sorted(rows.items())
            ],
        ),
        "## Others",
        "Functions of these modules run while a graph is traced, since they only compute, or speak about the "
        "program itself:",
        textwrap.fill(
            ", ".join(f"`{name}`" for name in sorted(PURE) if not name.startswith("_")) + ".", WIDTH
        ),
        textwrap.fill(
            "So do those of "
            + ", ".join(f"`{name}`" for name in sorted(PURE_BUT_OBJECTS) if not name.startswith("_"))
            + ", and methods of their objects that change nothing (`digest`). One that changes an object "
            "(`update`), which may have been there before, is a call of the next kind.",
            WIDTH,
        ),
        textwrap.fill(
            "Of all other functions that are not converted nothing is known. Such a call happens once, while "
            "the function is traced, and a `CalledOnceWarning` says so once for each line. Where a tensor of "
            "the graph is among its arguments there is no warning: it takes tensors, or refuses them.",
            WIDTH,
        ),
    )


GIVES = {
    "asked": "what it gives when it is asked while tracing",
    "drawn": "what a copy of the object gives",
    "file": "an open file of text",
    "filters": "nothing: what they ignore in a `with warnings.catch_warnings()` the graph ignores; refused "
    "where warnings are to be recorded or raised",
    "settings": "nothing: it holds in the graph for the body of a `with`, and else while tracing; "
    "refused where it asks for more than warnings, exceptions or none",
    "refused": "nobody knows: refused, with `ag.host_call` as the way out",
    "in place": "a list or an array in another order",
}


def shown_name(name: str) -> str:
    """A name as programs write it."""
    for private, public in HOMES.items():
        if name.startswith(private):
            return public + name.removeprefix(private)
    return name


HOMES = {
    "_io.open": "open",
    "_io._IOBase": "io.IOBase",
    "_io._TextIOBase": "io.TextIOBase",
    "_io.": "io.",
    "_warnings.": "warnings.",
    "builtins.": "",
    "genericpath.": "os.path.",
    "io.open": "open",
    "nt.": "os.",
    "numpy.random._generator.": "numpy.random.",
    "numpy.random._mt19937.": "numpy.random.",
    "numpy.random._pcg64.": "numpy.random.",
    "numpy.random._philox.": "numpy.random.",
    "numpy.random._sfc64.": "numpy.random.",
    "numpy.random.bit_generator.": "numpy.random.",
    "numpy.random.mtrand.": "numpy.random.",
    "posix.": "os.",
    "posixpath.": "os.path.",
}
"""Where a name is defined, and what programs call it."""
