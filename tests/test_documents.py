"""Every example in the README and the docs runs, and prints what stands below it."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import EXAMPLE

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if EXAMPLE.search(path.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="session")
def executed(tmp_path_factory):
    """`executed(document)`: its text with what its examples print, in a process that has run no other's."""
    found = tmp_path_factory.mktemp("documents") / "found.md"
    command = [sys.executable, "-m", "tests.documents"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, bufsize=1, **pipes) as server:

        def run(document):
            print(document, found, sep="\t", file=server.stdin, flush=True)
            assert server.stdout.readline() == "0\n", document
            return found.read_text(encoding="utf-8")

        yield run
        server.stdin.close()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_examples_print_what_the_document_says(document, golden, executed):
    golden(document, executed(document))


GENERATED = runpy.run_path(str(ROOT / "docs" / "generate.py"))["PAGES"]


@pytest.mark.parametrize("name", GENERATED)
def test_generated_pages_say_what_the_code_says(name, golden):
    golden(ROOT / "docs" / name, GENERATED[name]())


def test_the_pages_that_are_generated_are_all_there_are():
    for folder in ("errors", "ops"):
        pages = {f"{folder}/{page.name}" for page in (ROOT / "docs" / folder).glob("*.md")}
        assert pages == {name for name in GENERATED if name.startswith(f"{folder}/")}


def test_every_page_has_a_place_in_the_site():
    places = re.findall(r"^      - (?:.*: )?(\S+)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert {name, name.removesuffix(".md"), name.partition("/")[0]} & set(places), f"{name} is nowhere"


def test_links_in_the_documents_lead_somewhere():
    for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_tour_of_the_readme_is_short():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    tour = readme[readme.index("## What becomes of a function") : readme.index("## Reading on")]
    assert len(re.sub(r"```.*?```", "", tour, flags=re.DOTALL).split()) <= 900


def test_the_checks_run_what_the_readme_says():
    commands = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    checks = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert [command for command in commands if "pytest" in command and command in checks]
