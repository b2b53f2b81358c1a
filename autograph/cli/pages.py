"""The pages about errors: what the identifier at the end of a message stands for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.metadata import files
from pathlib import Path

from autograph.cli.wrong import WrongCommand

__all__ = ["page"]

_SOURCE = Path(__file__).parents[2] / "docs"
_INSTALLED = ("share", "autograph-runtime", "strict.md")


def page(identifier: str) -> str:
    """The page about an identifier, with programs that fail, what they say, and the same programs mended.

    Parameters
    ----------
    identifier : str
        As at the end of a message, with or without its brackets; an empty one for the list of all.

    Raises
    ------
    WrongCommand
        When there is none.
    """
    folder = _folder()
    found = {path.stem: path for path in sorted((folder / "errors").glob("*.md"))}
    sections = _sections(folder / "strict.md")
    known = [*found, *sections]
    wanted = identifier.strip("[] ")
    if not wanted:
        return "\n".join(known) + "\n"
    if wanted not in known:
        near = get_close_matches(wanted, known, 1)
        told = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
        raise WrongCommand(f"there is no error {wanted!r}.\n{told}")
    if wanted in sections:
        return sections[wanted]
    lines = found[wanted].read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(lines[:2] + lines[4:])  # without who wrote the page


def _folder() -> Path:
    """Where the pages lie: in the source they are documents, and what is installed brings them along."""
    if (_SOURCE / "errors").is_dir():
        return _SOURCE
    brought = files("autograph-runtime") or ()
    return next(Path(str(each.locate())).parent for each in brought if each.parts[-3:] == _INSTALLED)


def _sections(path: Path) -> dict[str, str]:
    """What a page says under each of its headings."""
    parts = path.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0]: f"## {part}" for part in parts}
