"""`autograph_base.waiting`: a module is loaded when something of it is first used."""

import importlib.util
import inspect
import subprocess
import sys
import threading

import pytest

from autograph_base import waiting
from autograph_base.waiting import is_waiting, when_used

ROOM = "rooms_that_wait"


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A package whose modules wait, by their texts."""

    def written(**texts):
        folder = tmp_path / ROOM
        folder.mkdir()
        (folder / "__init__.py").write_text("", "utf-8")
        for name, text in texts.items():
            (folder / f"{name}.py").write_text(text, "utf-8")
        package = importlib.import_module(ROOM)
        when_used(ROOM, *texts)
        return package

    monkeypatch.syspath_prepend(tmp_path)
    yield written
    for name in [name for name in sys.modules if name.partition(".")[0] == ROOM]:
        del sys.modules[name]
        waiting._TURNS.pop(name, None)


def test_a_module_is_loaded_when_something_of_it_is_first_used(room):
    module = room(one="made = []\ndef answer():\n    return 42\n").one
    assert is_waiting(f"{ROOM}.one")
    assert module.answer() == 42
    assert not is_waiting(f"{ROOM}.one")
    assert type(module) is type(sys)
    assert module is importlib.import_module(f"{ROOM}.one")
    assert module.answer.__globals__ is vars(module)


def test_to_look_for_a_module_loads_none(room):
    room(one="raise AssertionError")
    importlib.import_module(f"{ROOM}.one")
    inspect.getmodule(test_to_look_for_a_module_loads_none)
    assert sys.modules[f"{ROOM}.one"].__name__ == f"{ROOM}.one"
    assert importlib.util.find_spec(f"{ROOM}.one").origin.endswith("one.py")
    assert is_waiting(f"{ROOM}.one")


def test_a_name_of_it_may_be_imported(room):
    room(one="answer = 42\n")
    names = {}
    exec(f"from {ROOM}.one import answer", names)
    assert names["answer"] == 42
    assert sys.modules[f"{ROOM}.one"].__file__.endswith("one.py")


def test_what_is_set_in_it_stays(room):
    module = room(one="answer = 42\ndef ask():\n    return answer\n").one
    module.answer = 43
    assert module.ask() == 43


def test_a_name_that_is_not_there_is_an_error_as_of_any_module(room):
    module = room(one="answer = 42\n").one
    with pytest.raises(AttributeError, match=f"module '{ROOM}.one' has no attribute 'question'"):
        _ = module.question


def test_modules_that_wait_may_use_each_other(room):
    package = room(
        one=f"from {ROOM} import two\nfrom {ROOM}.three import base\ndef ask():\n    return two.ask()\n",
        two=f"from {ROOM} import one\ndef ask():\n    return one.base\n",
        three="base = 42\n",
    )
    assert package.one.ask() == 42


def test_what_a_module_raises_is_raised_each_time_until_it_is_there(room, monkeypatch):
    module = room(one="import sys\nif sys.is_refused: raise ValueError('not yet')\nanswer = 42\n").one
    monkeypatch.setattr(sys, "is_refused", True, raising=False)
    for _ in range(2):
        with pytest.raises(ValueError, match="not yet"):
            _ = module.answer
    monkeypatch.setattr(sys, "is_refused", False)
    assert module.answer == 42


def test_a_module_that_is_not_there_is_missing(room):
    package = room()
    when_used(ROOM, "nowhere")
    with pytest.raises(ModuleNotFoundError, match=f"'{ROOM}.nowhere'"):
        _ = package.nowhere.answer


def test_threads_that_use_it_at_once_see_it_as_a_whole(room):
    text = "import time\nmade = []\ntime.sleep(0.05)\nmade.append(1)\nanswer = 42\n"
    module, found, start = room(one=text).one, [], threading.Barrier(8)

    def ask():
        start.wait()
        found.append((module.answer, list(module.made)))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [(42, [1])] * 8


LISTED = """
import autograph as ag
ag.function
from autograph_base import waiting
print(*[name for name in waiting._TURNS if {}waiting.is_waiting(name)])
"""


def said_by(program):
    run = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True)
    return run.stdout.split()


def test_what_waits_waits_until_a_function_is_called():
    assert said_by(LISTED.format("not ")) == []


def test_all_that_waits_can_be_loaded():
    listed = said_by(LISTED.format(""))
    assert len(listed) > 50
    program = f"import autograph as ag, sys; ag.function; [vars(sys.modules[each]) for each in {listed}]"
    said_by(
        f"{program}; from autograph_base.waiting import is_waiting; assert not any(map(is_waiting, {listed}))"
    )
