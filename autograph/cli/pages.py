"""The pages about errors: what the identifier at the end of a message stands for."""

from __future__ import annotations

from pathlib import Path

from autograph.cli.wrong import WrongCommand

__all__ = ["page"]

_PACKAGE = Path(__file__).parents[1]
_FOLDERS = (_PACKAGE / "pages", _PACKAGE.parent / "docs")
"""Where the pages lie: what is installed brings them along, and in the source they are documents."""


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
    folder = next(each for each in _FOLDERS if each.is_dir())
    found = {path.stem: path for path in sorted((folder / "errors").glob("*.md"))}
    sections = _sections(folder / "strict.md")
    known = [*found, *sections]
    wanted = identifier.strip("[] ")
    if not wanted:
        return "\n".join(known) + "\n"
    if wanted not in known:
        raise WrongCommand(f"there is no error {wanted!r}.\nThere are {', '.join(known)}.")
    return sections[wanted] if wanted in sections else found[wanted].read_text(encoding="utf-8")


def _sections(path: Path) -> dict[str, str]:
    """What a page says under each of its headings."""
    parts = path.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0]: f"## {part}" for part in parts}
