"""Records of programs that have code on disk: a process lowers none of these, and takes none for another."""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph_base.waiting import loaded
from runtime.core.spec import ArraySpec
from runtime.executors.native import records, whole
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.llvm import cache, engine
from runtime.executors.native.llvm.processors import VARIABLE as PROCESSOR
from runtime.executors.native.run import Native
from runtime.executors.numpy_plan.run import NumPyPlan
from runtime.graph.builder import Builder
from runtime.graph.file import from_bytes, to_bytes
from runtime.graph.location import Location
from runtime.graph.module import Module
from runtime.graph.parser import from_text
from runtime.ops.arithmetic import AddV2
from runtime.ops.control_flow.nodes import RecursiveCall
from tests.ops.cases import FUNCTIONS
from tests.runtime.executors.native.test_every_op import FAMILIES

ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def better_code_from_the_start():
    """Here, code is as it is in other processes."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "code"))
    monkeypatch.setattr(records, "is_waiting", lambda _: True)  # as in a process that has lowered nothing
    return tmp_path / "code"


@pytest.fixture
def lowerings(monkeypatch):
    """What is lowered from here on."""
    found, made = [], whole.decomposed

    def decomposed(module):
        found.append(module)
        return made(module)

    monkeypatch.setattr(whole, "decomposed", decomposed)
    return found


LOOP = """
    x: f64[]
    n: i64[]
    a = Const(0, dtype=i64)
    b, c = StatelessWhile(a, x, n, cond=test, body=turn)
        test:
            i: i64[]
            y: f64[]
            m: i64[]
            a = Less(i, m)
            return a
        turn:
            i: i64[]
            y: f64[]
            m: i64[]
            a = Const(FACTOR, dtype=f64)
            b = Mul(y, a)
            c = Const(1, dtype=i64)
            d = AddV2(i, c)
            return d, b
    return c
"""


def module(text):
    return Module(from_text(text))


def key(module, beyond=Beyond.PYTHON, written=()):
    """The name of a module's record; None where it has none."""
    record = records.record_of(module, beyond, written)
    return None if record is None else record._key


# ── two programs that differ in one thing ──

ADDED = "x: f64[3]\na = Const(2.0, dtype=f64)\nb = AddV2(x, a)\nreturn b"
LESS = "x: f64[]\ny: f64[]\na = Sub(x, y)\nreturn a"
SUM = "x: f64[2,2]\na = Sum(x, axis=(0,), keepdims=False)\nreturn a"
NAN = "a = Const(hex('000000000000f87f'), dtype=f64, shape=())\nreturn a"
TURNS = LOOP.replace("FACTOR", "0.5")
DIFFERENT = {
    "a constant": (ADDED, ADDED.replace("2.0", "2.0000000000000004")),
    "the sign of a zero": (ADDED.replace("2.0", "0.0"), ADDED.replace("2.0", "-0.0")),
    "the bits of a NaN": (NAN, NAN.replace("'00", "'01")),
    "the dtype of a constant": ("a = Const(2, dtype=i32)\nreturn", "a = Const(2, dtype=i64)\nreturn"),
    "the shape of a constant": (ADDED, ADDED.replace("2.0", "[2.0]")),
    "an element": (ADDED.replace("2.0", "[1.0, 2.0, 3.0]"), ADDED.replace("2.0", "[1.0, 2.5, 3.0]")),
    "the dtype of an input": ("x: f64[3]\nreturn x", "x: f32[3]\nreturn x"),
    "the shape of an input": ("x: f64[3]\nreturn x", "x: f64[4]\nreturn x"),
    "a rank": ("x: f64[3]\nreturn x", "x: f64[3,1]\nreturn x"),
    "an unknown length": ("x: f64[3]\nreturn x", "x: f64[?]\nreturn x"),
    "lengths of one name": ("x: f64[n]\ny: f64[n]\nreturn x", "x: f64[n]\ny: f64[m]\nreturn x"),
    "a list among the inputs": ("x: list[f64[]]\nreturn x", "x: list[f32[]]\nreturn x"),
    "the name of an input": ("x: f64[]\nreturn x", "y: f64[]\nreturn y"),
    "an op": (ADDED, ADDED.replace("AddV2", "Sub")),
    "the order of operands": (LESS, LESS.replace("x, y", "y, x")),
    "one operand twice": (LESS, LESS.replace("x, y", "x, x")),
    "the order of inputs": (LESS, LESS.replace("x: f64[]\ny: f64[]", "y: f64[]\nx: f64[]")),
    "an axis": (SUM, SUM.replace("0", "1")),
    "an attribute": (SUM, SUM.replace("False", "True")),
    "the order of outputs": ("x: f64[]\ny: f64[]\nreturn x, y", "x: f64[]\ny: f64[]\nreturn y, x"),
    "how many outputs": ("x: f64[]\ny: f64[]\nreturn x", "x: f64[]\ny: f64[]\nreturn x, y"),
    "the turn of a loop": (TURNS, LOOP.replace("FACTOR", "0.25")),
    "the test of a loop": (TURNS, TURNS.replace("Less(", "LessEqual(")),
    "what a loop gives": (TURNS, TURNS.replace("return d, b", "return d, y")),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_programs_that_differ_in_one_thing_have_two_records(what):
    first, second = DIFFERENT[what]
    assert key(module(first)) == key(module(first)) is not None
    assert key(module(first)) != key(module(second)) is not None


def located(**changes):
    builder = Builder("placed")
    x = builder.input(ArraySpec((), rt.float64))
    place = Location(**{"filename": "a.py", "function": "f", "first_line": 1, "line": 2} | changes)
    node = builder.add(AddV2(), [x, x], place)
    return Module(builder.finish(node.outputs))


@pytest.mark.parametrize(
    "changes",
    [
        {"filename": "b.py"},
        {"function": "g"},
        {"line": 3},
        {"first_line": 2},
        {"told": (("divide", "raise"),)},
    ],
    ids=str,
)
def test_so_have_programs_that_stand_at_two_places(changes):
    assert key(located()) == key(located())
    assert key(located()) != key(located(**changes))


def test_what_is_asked_of_a_program_counts():
    added = module(ADDED)
    assert key(added) != key(added, Beyond.ANOTHER) != key(added, Beyond.NOBODY)
    assert key(added) != key(added, written=(0,)) != key(added, written=(1,))


def test_functions_that_are_called_count():
    x = ArraySpec((), rt.float64)
    entry = Builder("entry")
    node = entry.add(RecursiveCall("called", (x,), (x,), ()), [entry.input(x)])
    called = [from_text(f"x: f64[]\na = {op}(x, x)\nreturn a") for op in ("AddV2", "Mul")]
    graph = entry.finish(node.outputs)
    assert key(Module(graph, {"called": called[0]})) != key(Module(graph, {"called": called[1]}))


@pytest.mark.parametrize(
    "name", ["NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE", "LD_PRELOAD", "GLIBC_TUNABLES"]
)
def test_surroundings_count(name, monkeypatch):
    before = key(module(ADDED))
    monkeypatch.setenv(name, "X")
    assert key(module(ADDED)) != before
    monkeypatch.delenv(name)
    assert key(module(ADDED)) == before


def test_the_processor_counts_that_code_is_made_for(monkeypatch, lowerings):
    before = key(module(ADDED))
    looped(), looped()
    assert len(lowerings) == 1
    monkeypatch.setattr(engine._engine(), "name", "another processor")
    looped()
    assert len(lowerings) == 2
    monkeypatch.setenv(PROCESSOR, "baseline")
    assert key(module(ADDED)) != before


def test_our_own_text_counts(tmp_path, monkeypatch):
    own = tmp_path / "own" / "inner"
    own.mkdir(parents=True)
    monkeypatch.setattr(records, "FOLDERS", dict.fromkeys(records.FOLDERS, str(tmp_path / "own")))
    monkeypatch.setattr(records, "_sources", records._sources.__wrapped__)

    def around(**texts):
        for name, (text, written) in texts.items():
            (own / f"{name}.py").write_text(text)
            os.utime(own / f"{name}.py", ns=(0, written))
        return records._surroundings()

    before = around(one=("x = 1\n", 1))
    assert around(one=("x = 1\n", 1)) == before
    (own / "one.txt").write_text("no text of ours\n")
    assert around() == before
    assert around(one=("x = 2\n", 2)) != before
    assert around(one=("x = 22\n", 1)) != before
    assert around(one=("x = 1\n", 1), two=("", 1)) != before
    (own / "two.py").unlink()
    assert around() == before
    assert around(one=("x = 1\n", time.time_ns())) is None  # it is not what this process has loaded
    (own / "one.py").unlink()
    assert around() is None  # there is no text: who knows which it is


# ── what has no record ──


def test_what_may_read_more_than_the_graph_says_has_none(monkeypatch):
    builder = Builder("turned")
    turned = builder.constant(np.arange(4.0).reshape(2, 2).T)
    node = builder.add(AddV2(), [builder.input(ArraySpec((2, 2), rt.float64)), turned])
    assert key(Module(builder.finish(node.outputs))) is None  # NumPy sums such an array in another order
    generator, variable = np.random.default_rng(0), rt.Variable(1.0)
    for function in (lambda x: x + rt.asarray(generator.normal()), lambda x: x + variable.value()):
        concrete = ag.function(function).get_concrete_function(rt.TensorSpec((), rt.float64))
        assert (key(concrete.module) is None) == bool(concrete.graph.effects)
    monkeypatch.setattr(AddV2, "__module__", "theirs")
    assert key(module(ADDED)) is None  # somebody else says how it is lowered


def test_a_process_that_has_lowered_a_graph_looks_for_none(monkeypatch):
    monkeypatch.undo()
    loaded("runtime.executors.native.whole")
    assert records.record_of(module(ADDED), Beyond.PYTHON) is None


def test_none_is_looked_for_where_nothing_is_kept(monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert records.record_of(module(ADDED), Beyond.PYTHON) is None


# ── lowering reads nothing else ──


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_lowered_is_all_in_the_bytes_of_a_module(family):
    for case in FAMILIES[family]:
        builder = Builder("one")
        node = builder.add(case.op, [builder.input(spec) for spec in case.specs])
        module = Module(builder.finish(node.outputs), FUNCTIONS)
        if records._bytes_of(module) is not None:
            assert text_of(from_bytes(to_bytes(module))) == text_of(module), case


def text_of(module):
    return whole.Texts(module, whole.lowered(module), None).text


# ── a program that is recalled ──


def looped(factor="0.5", beyond=None):
    """A loop, as machine code that somebody has asked for, or in the place of NumPy's program."""
    program = module(LOOP.replace("FACTOR", factor))
    return Native().in_place_of(NumPyPlan(), program) if beyond else Native().compile(program)


@pytest.mark.parametrize("beyond", [None, Beyond.ANOTHER])
def test_a_program_is_lowered_once(lowerings, beyond):
    first = looped(beyond=beyond)
    assert len(lowerings) == 1
    again = looped(beyond=beyond)
    assert len(lowerings) == 1
    for program in (first, again):
        assert [float(each) for each in program.run([8.0, 3])] == [1.0]
    assert [float(each) for each in looped("0.25", beyond).run([64.0, 3])] == [1.0]
    assert len(lowerings) == 2


@pytest.mark.parametrize("beyond", [None, Beyond.ANOTHER])
def test_what_a_recalled_program_says_of_itself_is_what_it_said(lowerings, beyond):
    first, again = looped(beyond=beyond), looped(beyond=beyond)
    assert len(lowerings) == 1
    assert again.report() == first.report()
    assert len(lowerings) == 1
    assert again.source() == first.source()
    in_llvm = [re.sub(r"%context\.\d+", "%context", each.llvm_ir()) for each in (first, again)]
    assert in_llvm[0] == in_llvm[1]
    assert again.assembly() == first.assembly()
    assert again.kernels() == first.kernels()


def test_a_recalled_program_gets_better_code_where_it_lasts(lowerings):
    looped()
    again = looped()
    assert again._first is not None
    for _ in range(100):
        assert [float(each) for each in again.run([8.0, 3])] == [1.0]
    assert again._first is None
    assert len(lowerings) == 2  # for the text that LLVM takes its time for
    last = looped()
    assert last._first is None
    assert [float(each) for each in last.run([8.0, 3])] == [1.0]
    assert len(lowerings) == 2


@pytest.mark.parametrize(
    "harm",
    [
        lambda found: b"",
        lambda found: found[:70],
        lambda found: found[:-1],
        lambda found: found[:-2] + bytes([found[-2] ^ 1]) + found[-1:],
        lambda found: b"something else entirely",
        lambda found: found[:25] + bytes(32) + found[57:],
    ],
    ids=["empty", "cut", "one short", "one bit", "foreign", "of another program"],
)
def test_a_record_that_is_not_whole_is_written_again(folder, lowerings, harm):
    looped()
    (file,) = [each for each in folder.iterdir() if b"has_branches" in each.read_bytes()]
    before = file.read_bytes()
    file.write_bytes(harm(before))
    assert [float(each) for each in looped().run([8.0, 3])] == [1.0]
    assert len(lowerings) == 2
    assert file.read_bytes() == before


def test_a_record_whose_code_is_gone_is_none(folder, lowerings):
    looped()
    for file in folder.iterdir():
        if b"has_branches" not in file.read_bytes():
            file.unlink()
    assert [float(each) for each in looped().run([8.0, 3])] == [1.0]
    assert len(lowerings) == 2


def test_threads_recall_a_program_at_once(lowerings):
    looped()
    with ThreadPoolExecutor(8) as pool:
        found = [each.result() for each in [pool.submit(lambda: looped().run([8.0, 3])) for _ in range(32)]]
    assert {float(value) for (value,) in found} == {1.0}
    assert len(lowerings) == 1


PROGRAM = """
import sys
import numpy as np
import autograph as ag
import runtime as rt
from autograph_base.waiting import is_waiting


def halved(x, n):
    while n > 0:
        x = x / 2
        n -= 1
    return x


def looked_up(items, n):
    total = 0
    for i in range(n):
        total += items[i]
    return total


def gone_up(x, n):
    for i in range(n):
        x = x * x
    return x


for jit_compile in (None, True):
    staged = ag.function(halved, jit_compile=jit_compile)
    print(staged(rt.asarray(8.0), rt.asarray(3)))
print(is_waiting("runtime.executors.native.whole"))
for jit_compile in (None, True):
    staged = ag.function(looked_up, jit_compile=jit_compile)
    print(staged(rt.asarray([1, 2, 4]), rt.asarray(2)))
    try:
        staged(rt.asarray([1, 2, 4]), rt.asarray(4))
    except IndexError as error:
        print(error)
    print(ag.function(gone_up, jit_compile=jit_compile)(rt.asarray(2.0), rt.asarray(20)))
print(is_waiting("runtime.executors.native.whole"))
"""


def test_each_new_process_lowers_one_program_less_and_all_say_the_same(tmp_path, folder):
    (tmp_path / "program.py").write_text(PROGRAM)

    def said():
        process = subprocess.run(
            [sys.executable, tmp_path / "program.py"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
        )
        return (
            re.sub("True|False", "", process.stdout),
            process.stderr,
            re.findall("True|False", process.stdout),
        )

    found = [said() for _ in range(4)]
    assert len({said for said, _, _ in found}) == 1
    assert len({warned for _, warned, _ in found}) == 1
    assert "overflow" in found[0][1]
    assert [waits for _, _, waits in found][:3:2] == [["False", "False"], ["True", "False"]]


def test_a_record_is_no_code_that_is_run():
    """It is JSON: names, numbers and keys."""
    facts = records.Facts(whole.lowered(module(ADDED)), ["ag_entry"], None, has_branches=False)
    kept = engine.Kept(b"1" * 32, None, [(b"2" * 32, ("ag_poll",))])
    found, again = records._read(json.loads(json.dumps(records._written(facts, kept))))
    assert (found.symbols, found.patience, found.has_branches) == (["ag_entry"], None, False)
    assert again == kept
