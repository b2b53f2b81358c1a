"""What the site adds to the pages in this folder: the README as its start, and the files that pages link to.

`mkdocs.yml` names it as a hook. A link to a file or folder outside of `docs/` becomes a page that shows it;
a link to what is not there fails the build.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(\]\()([^)\s#:]+)([^)\s:]*\))")
SHOWN = {".py": "python", ".c": "c", ".toml": "toml", ".txt": "text", ".md": "markdown", ".yml": "yaml"}


def on_config(config: Any) -> Any:
    """The navigation names each folder of pages; here it gets the pages in it."""
    for _, part in (item for section in config.nav for item in section.items()):
        for place, entry in enumerate(part):
            if isinstance(entry, dict):
                ((title, folder),) = entry.items()
                pages = sorted((ROOT / "docs" / folder).glob("*.md"))
                start = [f"{folder}.md"] if (ROOT / "docs" / f"{folder}.md").exists() else []
                part[place] = {title: [*start, *[f"{folder}/{page.name}" for page in pages]]}
    return config


def on_files(files: Files, config: Any) -> Files:
    """The start page, and a page for each thing outside of this folder that one inside links to."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "index.md", content=links_moved(readme, "README.md", "index.md")))
    pages = [file for file in files.documentation_pages() if file.src_uri != "index.md"]
    wanted = {path for page in pages for path in outside(page.content_string, f"docs/{page.src_uri}")}
    for path in sorted(wanted | outside(readme, "README.md")):
        files.append(File.generated(config, f"source/{path}.md", content=shown(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to what lies outside of this folder lead to the pages that show it."""
    uri = page.file.src_uri
    is_ours = uri == "index.md" or uri.startswith("source/")
    return markdown if is_ours else links_moved(markdown, f"docs/{uri}", uri)


def outside(text: str, path: str) -> set[str]:
    """What a page links to outside of `docs/`."""
    home = posixpath.dirname(path)
    targets = {posixpath.normpath(posixpath.join(home, link[2])) for link in LINK.finditer(text)}
    return {target for target in targets if not target.startswith(("docs", ".."))}


def links_moved(text: str, path: str, uri: str) -> str:
    """The text of the file at `path` with the links that it has as the page `uri` of the site."""

    def moved(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[2]))
        inside = target.removeprefix("docs/") if target.startswith("docs/") else f"source/{target}.md"
        if target == "docs/decisions":
            inside = "decisions/0001-effects-are-ordered-by-the-node-list.md"
        return f"{link[1]}{posixpath.relpath(inside, posixpath.dirname(uri) or '.')}{link[3]}"

    return LINK.sub(moved, text)


def shown(path: Path) -> str:
    """A page with what is in a file, or which files are in a folder; searches do not look into it."""
    name = path.relative_to(ROOT).as_posix()
    if not path.exists():
        raise PluginError(f"a page links to `{name}`, which is not there")
    title = f"---\nsearch:\n  exclude: true\n---\n\n# `{name}`\n\n"
    if path.is_dir():
        files = sorted(each.name for each in path.iterdir() if not each.name.startswith(("_", ".")))
        return title + "\n".join(f"- `{name}`" for name in files) + "\n"
    language = SHOWN.get(path.suffix, "text")
    return f"{title}``````{language}\n{path.read_text(encoding='utf-8')}``````\n"
