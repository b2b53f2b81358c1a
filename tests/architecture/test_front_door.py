"""What the packages show, and what importing them loads."""

import subprocess
import sys
import traceback

import pytest

import autograph
import runtime
from autograph.compat import tf

PLACES = [autograph, runtime, runtime.random, tf, tf.math]


@pytest.mark.parametrize("package", [autograph, runtime], ids=lambda package: package.__name__)
def test_every_public_name_is_there_and_listed_once(package):
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert hasattr(package, name), name


@pytest.mark.parametrize("package", [autograph, runtime], ids=lambda package: package.__name__)
def test_public_functions_and_classes_say_what_they_are(package):
    for name in package.__all__:
        value = getattr(package, name)
        if callable(value):
            assert value.__doc__, name


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("jit", "`ag.function` makes graphs"),
        ("grad", "no gradients"),
        ("vmap", "write the loop"),
        ("nothing", "'nothing'$"),
    ],
)
def test_names_of_other_libraries_say_where_to_go(name, told):
    with pytest.raises(AttributeError, match=told):
        getattr(autograph, name)


def said_by(program):
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    return run.stdout.split()


def loaded_by(statement):
    """The modules that a fresh Python has loaded after a statement."""
    return set(said_by(f"{statement}; import sys; print(*sys.modules)"))


def test_importing_autograph_loads_no_tensors():
    assert loaded_by("import autograph").isdisjoint({"runtime", "numpy", "astunparse", "google"})


def test_importing_runtime_loads_neither_autograph_nor_protobuf():
    assert loaded_by("import runtime").isdisjoint({"autograph", "google", "astunparse"})


def test_importing_runtime_loads_nothing_that_writes_graphs_for_others():
    written = {"runtime.interchange.graphdef.writer", "runtime.interchange.messages", "importlib.resources"}
    assert loaded_by("import runtime").isdisjoint({*written, "tempfile"})


@pytest.mark.parametrize("jit_compile", ["None", "True"])
def test_a_first_call_loads_nothing_large_that_it_has_no_use_for(jit_compile):
    call = "ag.function(lambda x: x * 2, autograph=False, jit_compile={})(rt.asarray(1))"
    loaded = loaded_by(f"import autograph as ag, runtime as rt; {call.format(jit_compile)}")
    assert loaded.isdisjoint(
        {"google", "rich", "pdb", "numpy.random", "importlib.metadata", "runtime.numpy_functions.calls"}
    )
    assert loaded.isdisjoint({"argparse", "gettext", "astunparse", "difflib", "_hashlib"})


def test_a_new_process_loads_nothing_of_the_standard_library_that_takes_its_time():
    call = "ag.function(lambda x, y: x * 2 + y, jit_compile=False)(rt.asarray(1.5), rt.asarray([1, 2]))"
    loaded = loaded_by(f"import autograph as ag, runtime as rt; {call}")
    assert loaded.isdisjoint({"base64", "codeop", "logging", "pathlib", "random", "signal", "string"})
    assert loaded.isdisjoint({"traceback", "urllib.parse"})


COUNTS = """
import autograph as ag, runtime as rt
from autograph_base.waiting import is_waiting

@ag.function(executor="numpy")
def root(n):
    k = 0
    while k * k < n:
        k += 1
    return k

root(rt.asarray(50))
"""
LEFT = {
    "autograph.backends.tensors.containers": ("histories", "numbered_lists", "ragged", "records", "sets"),
    "autograph.backends.tensors.iteration": ("generators", "ordering", "produced", "pushed"),
    "autograph.backends.tensors.text": ("text", "words"),
    "runtime.executors.native.randomness": ("draws", "pcg64", "philox"),
}
"""Modules that a loop over numbers has no use for."""


def test_a_loop_over_numbers_loads_nothing_of_containers_text_and_draws(tmp_path):
    names = [f"{room}.{name}" for room, waiting in LEFT.items() for name in waiting]
    (tmp_path / "counts.py").write_text(COUNTS, "utf-8")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from counts import is_waiting"
    assert said_by(f"{program}; print(*[each for each in {names} if not is_waiting(each)])") == []


def test_nothing_looks_for_garbage_in_what_has_just_been_loaded():
    collections = "gc.get_stats()[0]['collections']"
    program = (
        f"import autograph as ag, gc; before = {collections}; ag.function; made = [[] for _ in range(99)]; "
        f"print({collections} - before, gc.isenabled(), gc.get_freeze_count())"
    )
    looked, is_on, aside = said_by(program)
    assert (is_on, aside) == ("True", *said_by("import gc; print(gc.get_freeze_count())"))
    assert aside != "0" or looked == "0"  # Python 3.12 has put some aside itself, which stays there


def test_what_importing_runtime_has_loaded_is_old_at_once():
    objects = "[len(gc.get_objects(generation=each)) for each in range(3)]"
    program = f"import gc; aside = gc.get_freeze_count(); import runtime; print(aside, *{objects})"
    aside, young, middle, old = map(int, said_by(program))
    assert aside or 10 * (young + middle) < old  # as above: what Python 3.12 has put aside stays there


def test_what_a_program_has_put_aside_stays_there():
    program = (
        "import autograph as ag, gc; gc.freeze(); aside = gc.get_freeze_count(); ag.function; "
        "print(aside * 0.9 < gc.get_freeze_count() <= aside)"  # some of it ends
    )
    assert said_by(program) == ["True"]


@pytest.mark.parametrize("package", PLACES, ids=lambda package: package.__name__)
def test_a_name_that_is_not_there_shows_the_line_that_asks(package):
    with pytest.raises(AttributeError, match="no_such_name") as caught:
        _ = package.no_such_name
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)] == [
        "test_a_name_that_is_not_there_shows_the_line_that_asks"
    ]


@pytest.mark.parametrize("package", PLACES, ids=lambda package: package.__name__)
def test_python_may_guess_which_name_was_meant(package):
    with pytest.raises(AttributeError) as caught:
        _ = package.no_such_name
    assert (caught.value.name, caught.value.obj) == ("no_such_name", package)


@pytest.mark.parametrize(("package", "asked"), [(autograph, "vmap"), (runtime, "array"), (tf, "keras")])
def test_python_guesses_no_name_where_something_is_told(package, asked):
    with pytest.raises(AttributeError) as caught:
        getattr(package, asked)
    assert caught.value.name is None
