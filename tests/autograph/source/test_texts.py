"""Anywhere Python runs: the text of a function is found, or the decorator says that it cannot be had."""

import ast
import io
import linecache
import subprocess
import sys
import zipapp
import zipfile
from contextlib import redirect_stdout
from types import SimpleNamespace

import pytest

from tests.autograph.source.terminal import environment, pasted, run, typed

HALVES = """\
import autograph as ag
import runtime as rt

@ag.function
def halves(x):
    steps = 0
    while x > 1:
        x = x / 2
        steps += 1
    return steps

print("steps:", int(halves(rt.asarray(9.0))))
"""
TYPED = HALVES.replace("import runtime as rt\n\n", "import runtime as rt\n")
FOUND = "steps: 4\n"


# ── programs that are no file ──


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", HALVES),
        ("-Wignore", "-X", "utf8", "-Bc", HALVES),
        (f"-c{HALVES}",),
        ("-c", HALVES, "-c", "more"),
    ],
    ids=["alone", "behind options", "in one argument", "before arguments"],
)
def test_the_text_of_a_command_is_found(arguments):
    assert run(*arguments) == FOUND


def test_a_program_in_the_standard_input_is_found_where_that_is_a_file(tmp_path):
    (tmp_path / "program.py").write_text("# -*- coding: latin-1 -*-\nname = 'Gr\xe6y'\n" + HALVES, "latin-1")
    with (tmp_path / "program.py").open() as program:
        assert run("-", stdin=program) == FOUND


def test_a_program_that_comes_through_a_pipe_is_told_so_at_the_decorator():
    shown = run("-W", "error", "-", input=HALVES)
    assert "line 4, in <module>" in shown
    assert "came through a pipe, which cannot be read twice" in shown
    assert "`python < program.py`" in shown


def test_a_text_of_exec_is_told_so_at_the_decorator():
    shown = run("-W", "error", "-c", f"exec({HALVES!r})")
    assert "line 4, in <module>" in shown
    assert "exec() and eval() keep no text" in shown
    assert "linecache.cache[name] =" in shown


def test_what_the_message_says_about_exec_works():
    text = HALVES
    program = (
        "import linecache\n"
        f"text, name = {text!r}, 'generated 1'\n"
        "linecache.cache[name] = len(text), None, text.splitlines(True), name\n"
        "exec(compile(text, name, 'exec'))\n"
    )
    assert run("-W", "error", "-c", program) == FOUND


def test_a_text_of_exec_is_not_mistaken_for_the_command_around_it():
    shown = run("-c", f"{HALVES}\nexec({HALVES.replace('x / 2', 'x / 3')!r})")
    assert shown.startswith(FOUND)
    assert "exec() and eval() keep no text" in shown


# ── prompts ──


def test_functions_typed_into_a_prompt_of_a_program_are_found():
    shown = typed(f"{TYPED}\nexit()", "-c", "import code; code.interact()")
    assert FOUND in shown
    assert "Warning" not in shown


def test_a_long_history_is_searched_in_short_time():
    shown = typed(
        "import readline, time, linecache\n"
        "from autograph.errors import SourceNotFound\n"
        "from autograph.source.parse import find\n"
        "for n in range(2000): readline.add_history('def f(x):'); readline.add_history(f'    return {n}')\n\n"
        "names = {}\n"
        "exec(compile('def f(x):\\n  x += 1\\n  y = 2\\n  return y', '<stdin>', 'exec'), names)\n"
        "start = time.process_time()\n"
        "try: find(names['f'])\nexcept SourceNotFound: print('took', time.process_time() - start)\n\n"
    )
    assert float(shown.rpartition("took ")[2].split()[0]) < 5


def test_functions_typed_long_ago_are_found_when_they_are_called():
    shown = typed(
        "import autograph as ag, runtime as rt\n"
        "def half(x):\n    if x > 1:\n        x /= 2\n        x /= 2\n        x /= 2\n    return x\n\n"
        "class Box:\n    def flip(self, x):\n        if x > 0: return -x\n        return x\n\n"
        "flipped = lambda x: x if x < 0 else -x\n"
        "def all_of_it(x):\n    return half(x) + Box().flip(x) + flipped(x)\n\n"
        "f = ag.function(all_of_it)\n"
        "float(f(rt.asarray(8.0)))\n"
    )
    assert "\n-15.0\n" in shown
    assert "Warning" not in shown


def test_functions_typed_at_the_prompt_are_found_also_when_they_are_typed_again():
    again = "\n".join(TYPED.splitlines()[2:]).replace("x / 2", "x / 2.5")
    shown = typed(f"{TYPED}\n{again}\n")
    assert FOUND in shown
    assert "steps: 3\n" in shown
    assert "Warning" not in shown


PASTED = """\
import autograph as ag
import runtime as rt


@ag.function
def spread(x):
    if rt.sum(x) > 0:
        return rt.max(x) - rt.min(x)
    return rt.sum(x)


print("the spread", int(spread(rt.asarray([1, 2, 5]))))
"""


@pytest.mark.skipif(sys.version_info < (3, 13), reason="the prompt that takes a paste as a whole is of 3.13")
def test_functions_pasted_with_their_imports_are_found():
    shown = pasted(PASTED)
    assert "the spread 4\n" in shown
    assert "Warning" not in shown


def test_functions_of_a_cell_are_found_beside_its_imports():
    """Notebooks, and the prompt of 3.13, run the statements of a text one by one."""
    linecache.cache["<cell 7>"] = len(PASTED), None, PASTED.splitlines(keepends=True), "<cell 7>"
    names = {}
    with redirect_stdout(io.StringIO()) as shown:
        for statement in ast.parse(PASTED).body:
            exec(compile(ast.Module([statement], []), "<cell 7>", "exec"), names)
    assert shown.getvalue() == "the spread 4\n"


def test_functions_of_a_timed_cell_are_found(monkeypatch):
    """IPython compiles what stands below `%%time` under a name that all such cells share."""
    cells = ["", f"%%time\n{PASTED}", "1 + 1", "%%time\nother = 1"]
    shell = SimpleNamespace(
        history_manager=SimpleNamespace(input_hist_raw=cells), transform_cell=lambda cell: cell
    )
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    with redirect_stdout(io.StringIO()) as shown:
        exec(compile(PASTED, "<timed exec>", "exec"), {})
    assert shown.getvalue() == "the spread 4\n"


def test_errors_of_typed_functions_show_their_lines():
    shown = typed(TYPED.replace("        steps += 1", "        steps = (steps, x)"))
    assert "`steps` has a different structure after an iteration of this loop" in shown
    assert "\n    while x > 1:\n    ^^^^^^^^^^^\n" in shown


def test_explanations_of_typed_functions_tell_their_lines_apart():
    shown = typed(
        "import autograph as ag, runtime as rt\n"
        "def half(x):\n    x = x\n    return x / 2\n\n"
        "def twice(x):\n    x = x * 1\n    return half(x)\n\n"
        "print(ag.explain(twice, rt.asarray(8.0)))\n"
    )
    assert "3 │     return half(x)  Python" in shown
    assert "3 │     return x / 2  staged RealDiv" in shown


def test_a_prompt_without_a_history_is_told_so_at_the_decorator():
    program = "import code, sys\nsys.modules['readline'] = None\ncode.interact(banner='', exitmsg='')\n"
    shown = run("-W", "error", "-c", program, input=TYPED)
    assert "this prompt keeps no text" in shown
    assert "`python -i file.py`" in shown


# ── programs that were packed ──


def test_functions_of_a_zip_application_are_found(tmp_path):
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "__main__.py").write_text(HALVES)
    zipapp.create_archive(tmp_path / "program", tmp_path / "program.pyz")
    assert run("-W", "error", str(tmp_path / "program.pyz")) == FOUND


def test_compiled_modules_without_a_text_are_told_so_at_the_decorator(tmp_path):
    (tmp_path / "packed.py").write_text(HALVES)
    subprocess.run([sys.executable, "-m", "compileall", "-bq", tmp_path], check=True, env=environment())
    (tmp_path / "packed.py").unlink()
    shown = run("-W", "error", str(tmp_path / "packed.pyc"))
    assert "line 4, in <module>" in shown
    assert "Ship the .py file beside the compiled one" in shown
    (tmp_path / "packed.py").write_text(HALVES)
    assert run("-W", "error", str(tmp_path / "packed.pyc")) == FOUND


def test_functions_of_a_package_without_texts_are_told_so_and_of_one_with_them_are_found(tmp_path):
    package = tmp_path / "packed"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "steps.py").write_text(HALVES)
    archive = tmp_path / "archive.zip"
    subprocess.run([sys.executable, "-m", "compileall", "-bq", package], check=True, env=environment())
    package = package.rename(tmp_path / "elsewhere")
    program = f"import sys; sys.path.insert(0, {str(archive)!r}); import packed.steps"
    for suffixes, told in [({".pyc"}, "Ship the .py file"), ({".py"}, FOUND), ({".pyc", ".py"}, FOUND)]:
        with zipfile.ZipFile(archive, "w") as packed:
            for file in package.iterdir():
                if file.suffix in suffixes:
                    packed.write(file, f"packed/{file.name}")
        assert told in run("-W", "error", "-c", program)


def test_functions_of_a_doctest_are_found(tmp_path):
    prompts = (line if line[:1] in {"", " ", "d"} else f">>> {line}" for line in HALVES.splitlines())
    lines = [line if not line or line[:1] == ">" else f"... {line}" for line in prompts]
    (tmp_path / "examples.py").write_text("\n".join(['"""', *lines, "steps: 4", '"""', ""]))
    assert run("-W", "error", "-m", "doctest", str(tmp_path / "examples.py")) == ""
