"""Every example in the README and the docs runs, and prints what stands below it."""

import contextlib
import io
import linecache
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(r"```python\n(?P<code>.*?)```(?:\s*```text\n(?P<output>.*?)```)?", re.DOTALL)


def examples(document):
    """The code blocks of a document, and the output that stands below each."""
    found = EXAMPLE.finditer(document.read_text(encoding="utf-8"))
    return [(match["code"], match["output"]) for match in found]


@pytest.mark.parametrize("document", list(filter(examples, DOCUMENTS)), ids=lambda document: document.name)
def test_examples_print_what_the_document_says(document):
    namespace = {"__name__": "__main__"}
    for number, (code, output) in enumerate(examples(document)):
        filename = f"<{document.name} {number}>"
        linecache.cache[filename] = len(code), None, code.splitlines(keepends=True), filename
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, filename, "exec"), namespace)
        if output is not None:
            assert printed.getvalue().strip() == output.strip(), f"example {number} of {document.name}"


def test_links_in_the_documents_lead_somewhere():
    for document in [*DOCUMENTS, *sorted((ROOT / "docs" / "decisions").glob("*.md"))]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
