"""The command line: what each command prints and writes, and how it refuses."""

import argparse
import os
import re
import runpy
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from autograph.cli import contenders, pages
from autograph.cli.main import _COMMANDS, _parser, main
from runtime.executors.native.llvm.cache import Store

ROOT = Path(__file__).parents[3]

MODEL = """
import autograph as ag
import runtime as rt

@ag.function
def shrink(x, limit=1.0):
    turns = 0
    while rt.sum(x) > limit:
        x = x / 2
        turns += 1
    return x, turns

def double(x):
    return x * 2

def inverted(x):
    return rt.linalg.inv(x)

def growing(x):
    y = x
    while x > 1:
        x = x / 2
        y = (y, x)
    return y

def fails(x):
    return missing + x

def first(x, /, y):
    return x - y

class Net:
    @ag.function
    def step(self, x):
        return x + 1

    def still(self, x):
        return x

net = Net()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with a program and some arrays, which is the current one."""
    (tmp_path / "commanded.py").write_text(MODEL)
    np.save(tmp_path / "x.npy", np.arange(6.0).reshape(2, 3))
    np.savez(tmp_path / "several.npz", x=np.arange(3.0), limit=np.float64(2.0))
    (tmp_path / "x.csv").write_text("a,b,c\n1,2,3\n4,5,6\n")
    (tmp_path / "text.npy").write_text("1, 2", encoding="utf-8")
    np.save(tmp_path / "objects.npy", np.array([object()]), allow_pickle=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("commanded", None)


def said(capsys, *arguments, status=0):
    """What a command prints, or what it says is wrong."""
    assert main(arguments) == status
    printed = capsys.readouterr()
    return printed.err if status else printed.out


def test_code_prints_the_generated_source(capsys):
    assert said(capsys, "code", "commanded:double").startswith("def tf__double(x):\n")
    assert said(capsys, "code", "commanded.py:shrink").startswith("def tf__shrink(x, limit=1.0):\n")


def test_explain_prints_what_became_of_each_line_and_writes_a_page(capsys, folder):
    text = said(capsys, "explain", "commanded:shrink", "--spec", "float32[?,3]")
    assert "staged as StatelessWhile" in text
    said(capsys, "explain", "commanded:shrink", "--spec", "x=f32[?]", "--output", "page.html")
    assert (folder / "page.html").read_text().startswith("<!DOCTYPE html>")


def test_explain_says_how_far_tracing_came(capsys):
    assert main(["explain", "commanded:growing", "--spec", "float64"]) == 1
    printed = capsys.readouterr()
    assert "tracing ended here" in printed.out
    assert printed.err == ""


def test_graph_prints_the_graph_as_traced_and_as_it_runs(capsys, folder):
    command = ("graph", "commanded:shrink", "--spec", "float64[3]", "--value", "limit=3.0")
    assert "StatelessWhile" in said(capsys, *command)
    assert said(capsys, *command, "--optimised").startswith("x: f64[3]\n")
    said(capsys, *command, "--output", "graph.txt")
    assert (folder / "graph.txt").read_text().startswith("x: f64[3]\n")


@pytest.mark.parametrize(
    ("format_", "start"), [("dot", "digraph"), ("svg", "<svg"), ("html", "<!DOCTYPE html>")]
)
def test_graph_writes_pictures(capsys, format_, start):
    text = said(capsys, "graph", "commanded:shrink", "--spec", "float64[3]", "--format", format_)
    assert text.startswith(start)


def test_compile_writes_a_library_and_its_header(capsys, folder):
    chosen = ("commanded:double", "--spec", "float64[?]", "--name", "twice")
    command = ("compile", *chosen, "--output", "twice.o")
    assert main(command) == 0
    assert capsys.readouterr() == ("twice.o and twice.h written\n", ""), "no progress where nobody looks"
    assert "int twice(const double *x, int64_t x_dim0, double *result);" in (folder / "twice.h").read_text()
    assert said(capsys, *command[:-1], "other.o", "--no-header") == "other.o written\n"
    assert not (folder / "other.h").exists()


def test_run_prints_the_result(capsys):
    assert "numpy=4" in said(capsys, "run", "commanded:shrink", "--input", "x=x.npy")
    assert "numpy=2" in said(capsys, "run", "commanded:shrink", "--input", "x=several.npz:x", "--value", "1")
    assert "numpy=1" in said(capsys, "run", "commanded:shrink", "--input", "several.npz")
    assert "[2. 3. 4.]" in said(capsys, "run", "commanded:net.step", "--input", "[1.0, 2.0, 3.0]")
    assert said(capsys, "run", "commanded:first", "--input", "y=1", "--input", "x=3").startswith("Tensor(2,")
    assert "plain Python" in said(capsys, "bench", "commanded:first", "--input", "3", "--input", "1")


@pytest.mark.parametrize("name", ["y.npy", "y.npz", "y.csv"])
def test_run_writes_the_result_and_reads_it_again(capsys, folder, name):
    said(capsys, "run", "commanded:double", "--input", "x=x.csv", "--output", name)
    place = f"{name}:result" if name == "y.npz" else name
    said(capsys, "run", "commanded:double", "--input", place, "--output", "z.npy")
    np.testing.assert_array_equal(np.load(folder / "z.npy"), 4 * np.arange(1, 7).reshape(2, 3), strict=True)


def test_a_result_of_several_arrays_is_written_by_place(capsys, folder):
    said(capsys, "run", "commanded:shrink", "--input", "x.npy", "--output", "y.npz")
    assert np.load(folder / "y.npz").files == ["result[0]", "result[1]"]


def test_numbers_are_written_as_they_are(capsys, folder):
    said(capsys, "run", "commanded:double", "--input", "[0.05, 1e300, 1.0]", "--output", "y.csv")
    assert (folder / "y.csv").read_text().split() == ["0.1", "2e+300", "2.0"]


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(capsys, folder, monkeypatch):
    (folder / "y.npy").write_bytes(b"before")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    message = said(capsys, "run", "commanded:double", "--input", "x.npy", "--output", "y.npy", status=2)
    assert message == "autograph: 'y.npy' cannot be written: No space left on device.\n"
    assert (folder / "y.npy").read_bytes() == b"before"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.fixture
def alone(monkeypatch):
    """No rival is looked for, whatever is installed here."""
    monkeypatch.setattr(contenders, "_RIVALS", {})


@pytest.mark.usefixtures("alone")
def test_bench_compares_the_ways_to_run(capsys):
    table = said(capsys, "bench", "commanded:double", "--input", "x.npy")
    assert [line.split()[0].strip(":") for line in table.splitlines()[1:]] == ["plain", "NumPy", "machine"]


def test_cache_says_how_much_code_is_kept_and_removes_it(capsys, monkeypatch, folder):
    monkeypatch.setenv("AUTOGRAPH_CACHE", "off")
    assert said(capsys, "cache") == "no machine code is kept: AUTOGRAPH_CACHE is off\n"
    monkeypatch.setenv("AUTOGRAPH_CACHE", "kept")
    assert said(capsys, "cache") == "kept: 0 files, 0.0 MB\n"
    Store(Path("kept")).save(bytes(32), b"x" * 2_000_000)
    assert said(capsys, "cache") == "kept: 1 files, 2.0 MB\n"
    assert said(capsys, "cache", "--clear") == "1 files removed from kept\n"
    assert said(capsys, "cache") == "kept: 0 files, 0.0 MB\n"


def test_bench_times_rivals_where_they_are_installed(capsys, monkeypatch):
    """A library of that name stands for each: what it compiles runs, refuses, or computes something else."""

    def refuses(program):
        raise TypeError("no type for x\nand much more")

    numba = SimpleNamespace(njit=lambda program: program)
    tensorflow = SimpleNamespace(
        constant=np.negative, function=lambda program: program, autograph=SimpleNamespace(set_verbosity=print)
    )
    jax = SimpleNamespace(
        config=SimpleNamespace(update=lambda *_: None), numpy=np, jit=lambda program, **_: refuses(program)
    )
    for name, library in {"numba": numba, "jax": jax, "tensorflow": tensorflow}.items():
        library.__spec__ = name
        monkeypatch.setitem(sys.modules, name, library)
    table = said(capsys, "bench", "commanded:double", "--input", "x.npy").splitlines()
    assert [line.split()[0] for line in table[1:5]] == ["plain", "NumPy", "machine", "Numba"]
    assert table[5:] == [
        "JAX: refuses it: TypeError: no type for x",
        "TensorFlow: gives something else than plain Python",
    ]


def test_bench_raises_what_the_function_raises(capsys):
    assert "`y` has a different structure" in said(
        capsys, "bench", "commanded:growing", "--input", "4.0", status=1
    )


@pytest.mark.parametrize("identifier", ["state-disagrees", "[state-disagrees]", "refused-value"])
def test_error_shows_the_page_about_an_identifier(capsys, identifier):
    text = said(capsys, "error", identifier)
    assert text.splitlines()[0].strip("# ") == identifier.strip("[]")
    assert "caught as" in text


def test_what_is_installed_brings_the_pages_along(capsys, monkeypatch, folder):
    (folder / "errors").mkdir()
    (folder / "errors" / "an-error.md").write_text("# an-error\n")
    (folder / "strict.md").write_text("# Strict\n\n## another\n\nrefused\n")
    place = SimpleNamespace(
        parts=("..", "share", "autograph-runtime", "strict.md"), locate=lambda: folder / "strict.md"
    )
    monkeypatch.setattr(pages, "_SOURCE", folder / "nowhere")
    monkeypatch.setattr(pages, "files", lambda name: [place])
    assert said(capsys, "error").split() == ["an-error", "another"]
    assert said(capsys, "error", "another") == "## another\n\nrefused\n"


def test_every_identifier_has_a_page(capsys):
    explained = runpy.run_path(str(ROOT / "docs" / "generate.py"))["explained"]()
    listed = said(capsys, "error").split()
    assert sorted(listed) == sorted(kind.identifier for kind in explained)


def test_the_command_alone_says_what_there_is(capsys):
    assert said(capsys, status=2).startswith("usage: autograph")
    assert said(capsys, "--version") == f"autograph {version('autograph-runtime')}\n"


@pytest.mark.parametrize("command", ["code", "explain", "graph", "run", "compile", "bench", "error", "cache"])
def test_each_command_has_a_help_with_examples(capsys, command):
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    shown = capsys.readouterr().out
    assert f"\n  autograph {command}" in shown[shown.index("example") :]


def test_the_examples_of_the_help_can_be_read():
    for line in re.findall(r"^  autograph (.*?)(?: \||$)", _helps(), re.MULTILINE):
        _parser().parse_args(shlex.split(line))  # which ends the process where it cannot


def _helps():
    parser = _parser()
    [commands] = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    return "\n".join(each.format_help() for each in (parser, *commands.choices.values()))


@pytest.mark.usefixtures("alone")
def test_bench_says_why_there_is_no_machine_code(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    table = said(capsys, "bench", "commanded:inverted", "--input", "x=[[3.0, 1.0], [1.0, 2.0]]")
    assert table.splitlines()[-1].split(":")[0] == "machine code"


@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        ("run commanded:double", 2, "double(x) is not given `x`"),
        (
            "run commanded:nothing",
            2,
            "commanded has no 'nothing'.\nIt has shrink, double, inverted, growing, fails",
        ),
        ("run nowhere.at.all:f", 2, "there is no module 'nowhere' here"),
        ("run nowhere.py:f", 2, "there is no file 'nowhere.py'"),
        ("run commanded", 2, "'commanded' does not name a function"),
        ("run commanded:double --input x=none.npy", 2, "'none.npy' cannot be read: No such file"),
        ("run commanded:double --input x=objects.npy", 2, "'objects.npy' holds no arrays of numbers"),
        ("run commanded:double --input x=several.npz", 2, "holds x, limit.\nGive one of them"),
        ("run commanded:double --input x=several.npz:y", 2, "'several.npz' has no array 'y'"),
        ("run commanded:double --input y=x.npy", 2, "double(x) has no parameter 'y'"),
        ("run commanded:double --input x=1 --input x=2", 2, "the argument 'x' is given twice"),
        ("run commanded:double --input 1 --input 2", 2, "takes 1 argument, and is given 2"),
        ("run commanded:double --value x=abc", 2, "'abc' is not a Python literal"),
        (
            "run commanded:double --input x=x.npy --output y.txt",
            2,
            "the ending of 'y.txt' does not say a format",
        ),
        ("run commanded:double --input x=x.npy --output no/y.npy", 2, "'no/y.npy' cannot be written"),
        ("run commanded:shrink --input x=x.npy --output y.npy", 2, "the result has 2 arrays"),
        ("compile commanded:shrink --spec float64[3] --output a.dll", 2, "'a.dll' has no ending that says"),
        ("compile commanded:shrink --spec float64[3] --output no/a.o", 2, "'no/a.o' cannot be written"),
        ("compile commanded:shrink --spec float64[3] --output a.o --cpu z80", 2, "no code for the processor"),
        ("compile commanded:inverted --spec float64[3,3] --output a.o", 1, "has no machine code"),
        ("graph commanded:double --spec flot32[?]", 2, "'flot32[?]' is not a spec"),
        ("graph commanded:growing --spec float64", 1, "`y` has a different structure"),
        (
            "run commanded:double 3",
            2,
            "`autograph run` does not take '3'.\nArguments of the function are",
        ),
        (
            "explain commanded:double float64[3]",
            2,
            "and specs as --spec NAME=DTYPE[DIMS]; ",
        ),
        ("run commanded:Net --input 3", 2, "'commanded:Net' is a class"),
        ("run commanded:Net.still --input 3", 2, "Net.still(self, x) is a method, and has no object"),
        ("run commanded:double --input [[1,2],[3]]", 2, "'[[1,2],[3]]' has rows of different lengths"),
        ("run commanded:double --input [1,2", 2, "'[1,2' is neither numbers nor a file of arrays"),
        (
            "run commanded:double --input x=text.npy",
            2,
            "'text.npy' holds no arrays of numbers: it was not written",
        ),
        ("code numpy:sum", 1, "no Python function behind `sum`"),
        ("cache all", 2, "`autograph cache` does not take 'all'.\n`autograph cache --help`"),
        ("-V", 2, "there is no option '-V'.\n`autograph --help`"),
        ("error state-disagree", 2, "there is no error 'state-disagree'.\nDid you mean state-disagrees?"),
        ("run commanded:fails --input x.npy", 1, "NameError: name 'missing' is not defined"),
    ],
)
def test_an_error_is_one_message(capsys, command, status, message):
    shown = said(capsys, *shlex.split(command), status=status)
    assert shown.startswith("autograph: ")
    assert message in shown
    assert f"{os.sep}autograph{os.sep}" not in shown, "a frame of ours"


def test_a_command_that_there_is_not_is_told_the_nearest(capsys):
    assert "Did you mean 'explain'?" in said(capsys, "explan", "commanded:double", status=2)
    assert "Did you mean 'code'?" in said(capsys, "to_code", "commanded:double", status=2)
    assert "In Python it is `ag.profile(f, *args)`." in said(capsys, "profile", "commanded:double", status=2)
    shown = said(capsys, "nothing", status=2)
    assert shown.startswith("autograph: there is no command 'nothing'.\nThere are code, explain, graph")


def test_the_commands_that_are_told_are_those_of_the_help(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(f"\n    {command} " in shown for command in _COMMANDS if command != "cache")


def test_python_runs_the_package(folder):
    command = [sys.executable, "-m", "autograph", "run", "commanded:double", "--input", "x=3"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert done.stdout == "Tensor(6, shape=(), dtype=int64)\n"


def test_the_page_about_the_command_line_says_what_is_printed(capsys, folder, golden, monkeypatch):
    page = ROOT / "docs" / "command-line.md"
    text = page.read_text(encoding="utf-8")
    (folder / "model.py").write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1])

    def printed(match):
        main(shlex.split(match[2])[1:])
        shown = capsys.readouterr()
        output = (shown.out + shown.err).replace(f"{folder}{os.sep}", "").rstrip()
        return f"{match[1]}{match[2]}{match[3]}{output}\n```"

    golden(page, re.sub(r"(```sh\n)(.*?)(\n```\n```text\n)(.*?)```", printed, text, flags=re.DOTALL))
    sys.modules.pop("model", None)
