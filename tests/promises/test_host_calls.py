"""Calls that touch the world happen when the graph runs: clocks, files, logs, and `ag.host_call`."""

# ruff: noqa: DTZ005, G004, PTH102, PTH110, PTH123  (programs are written as users write them)

import bz2
import contextlib
import csv
import datetime as dt
import fnmatch
import hashlib
import hmac
import io
import logging
import os
import platform
import random
import socket
import subprocess
import threading
import time
import urllib.parse
import uuid
import warnings
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf
from runtime.core.spec import ObjectSpec
from runtime.errors import CalledOnceWarning, GraphError, InvalidValue, NoConcreteValue, ResultDisagrees
from runtime.graph.file import from_bytes, to_bytes
from tests.beyond.kit import EXECUTORS, Number, check
from tests.promises.kit import function_of

log = logging.getLogger("promises")


class Kept(logging.Handler):
    """Keeps what is logged, with the line that logged it."""

    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        error = record.exc_info and repr(record.exc_info[1])
        self.records.append(
            (
                record.levelname,
                record.getMessage(),
                record.lineno,
                record.funcName,
                Path(record.pathname).name,
                error,
            )
        )


@pytest.fixture
def kept():
    handler = Kept()
    before = log.level, log.propagate
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    yield handler.records
    log.removeHandler(handler)
    log.level, log.propagate = before


# ── logs and warnings ──


def inner(x):
    log.debug("in a callee %s", x)
    log.debug("for its caller", stacklevel=2)
    warnings.warn(f"careful: {x}", stacklevel=2)


def logged(x):
    log.info("plain")
    if x > 1:
        log.warning("x is %s and %.2f", x, x)
    inner(x)
    try:
        if x > 2:
            raise ValueError(f"too much: {x}")
    except ValueError as error:
        log.exception("failed with %s", 3)
        log.error("once more", exc_info=error)
    finally:
        log.log(logging.INFO, "last %d", 3)
    for i in range(2):
        log.info(f"turn {i}")
    warnings.warn("old", DeprecationWarning, stacklevel=1)
    return x


@pytest.mark.parametrize("executor", EXECUTORS)
def test_logs_and_warnings_name_the_line_on_every_call(kept, executor):
    staged = ag.function(logged, executor=executor)
    for number in (1.0, 2.0, 3.0, 1.0):
        found = []
        for function in (logged, staged):
            kept.clear()
            with warnings.catch_warnings(record=True) as given:
                warnings.simplefilter("always")
                function(np.float64(number))
            told = [(str(each.message), each.category, each.lineno, each.filename) for each in given]
            found.append((list(kept), told))
        assert found[0] == found[1]


def test_a_warning_that_is_an_error_leaves_the_graph():
    @ag.function
    def f(x):
        if x > 1:
            warnings.warn("too much", stacklevel=1)
        return x

    f(rt.asarray(0.0))
    with pytest.raises(UserWarning, match="too much"):
        f(rt.asarray(2.0))


# ── clocks, files, the system ──


def test_clocks_are_asked_on_every_run():
    @ag.function
    def f(x):
        start = time.perf_counter()
        now = dt.datetime.now()
        return (
            x,
            start,
            time.time(),
            time.time_ns(),
            now.year,
            f"{now:%Y-%m}",
            (dt.datetime.now() - now).days,
        )

    first, second = f(rt.asarray(1.0)), f(rt.asarray(1.0))
    assert first[1].numpy() < second[1].numpy()
    assert first[2].numpy() <= second[2].numpy()
    assert first[3].numpy() < second[3].numpy()
    today = dt.datetime.now()
    assert (int(second[4]), second[5], int(second[6])) == (today.year, f"{today:%Y-%m}", 0)


def test_an_object_of_the_run_is_itself_for_the_caller():
    f = ag.function(lambda x: (dt.datetime.now(), uuid.uuid4(), x))
    now, number, _ = f(rt.asarray(1.0))
    assert isinstance(now, dt.datetime)
    assert isinstance(number, uuid.UUID)
    assert f(rt.asarray(1.0))[1] != number


@pytest.mark.parametrize("executor", EXECUTORS)
def test_files_are_written_and_read_in_turn(tmp_path, executor):
    path = str(tmp_path / "log.txt")

    def f(x):
        with open(path, "a") as file:
            file.write(f"x={x}\n")
            print("and", x + 1, file=file)
            if x > 1:
                file.write("large\n")
        with open(path) as file:
            first = file.readline()
            rest = file.read()
        return first, rest, os.path.exists(path)

    wanted = [f(np.float64(number)) for number in (1.0, 2.0)]
    Path(path).unlink()
    staged = ag.function(f, executor=executor)
    staged.get_concrete_function(rt.TensorSpec((), rt.float64))
    assert not Path(path).exists()
    assert [(a, b, bool(c)) for a, b, c in map(staged, map(rt.asarray, (1.0, 2.0)))] == wanted


def test_text_files_in_memory_are_made_anew_on_every_run():
    def f(x):
        buffer = io.StringIO()
        print("x is", x, file=buffer)
        with contextlib.redirect_stdout(buffer):
            print("inside")
        count = buffer.write("more")
        return buffer.getvalue(), count

    check(f, 1.0)
    check(f, 2.0)


def test_input_is_asked_for_when_the_graph_runs(monkeypatch):
    answers = iter(["one", "two"])
    monkeypatch.setattr("sys.stdin", io.StringIO("one\ntwo\n"))
    f = ag.function(lambda x: (f"{input('> ')}!", x))
    assert f(rt.asarray(1.0))[0] == f"{next(answers)}!"
    assert f(rt.asarray(1.0))[0] == f"{next(answers)}!"


def test_a_call_in_a_branch_happens_where_it_is_taken(tmp_path):
    @ag.function
    def f(x):
        if x > 1:
            os.mkdir(tmp_path / "made")
        return x

    f(rt.asarray(0.0))
    assert not (tmp_path / "made").exists()
    f(rt.asarray(2.0))
    assert (tmp_path / "made").exists()
    with pytest.raises(FileExistsError):
        f(rt.asarray(2.0))


def test_what_nobody_knows_is_called_once_with_a_warning():
    @ag.function
    def f(x):
        return x, socket.gethostname()

    with pytest.warns(CalledOnceWarning, match=r"gethostname\(\) of _socket was called once"):
        f(rt.asarray(1.0))


def test_of_libraries_that_only_compute_nothing_is_said():
    def keyed(x, text):
        key = hashlib.md5(text.encode()).hexdigest()
        rows = list(csv.reader(text.splitlines()))
        packed = len(bz2.compress(text.encode()))
        return x * len(rows[0]) + packed * 0, key, hmac.digest(b"key", text.encode(), "sha256")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ag.check(keyed, np.float64(2.0), "a,b", then=[(np.float64(2.0), "a,b,c")])


def test_a_hash_that_is_fed_may_have_been_there_before():
    seen = hashlib.sha256()

    @ag.function
    def fed(x):
        seen.update(b"more")
        return x

    with pytest.warns(CalledOnceWarning, match=r"HASH.update\(\)"):
        fed(np.float64(1.0))


def test_what_a_call_gives_is_found_out_of_examples_that_are_there_once():
    def read(x):
        return np.loadtxt(io.StringIO("1 2\n3 4")) * x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ag.check(read, np.float64(2.0), then=[(np.float64(3.0),)])


def test_what_a_call_makes_of_what_the_run_has_written_is_asked_for():
    @ag.function
    def through_a_file(x):
        file = io.BytesIO()
        np.save(file, np.arange(3) * x)
        file.seek(0)
        return np.load(file)

    with pytest.raises(NoConcreteValue, match=r"what load\(\) gives for values of the graph is not known"):
        through_a_file(np.float64(2.0))


def test_of_what_only_computes_nothing_is_said():
    @ag.function
    def f(x):
        path = urllib.parse.urlparse("https://example.org/a/b.py").path
        return x, path, fnmatch.fnmatch(path, "*.py"), platform.system()

    assert f(rt.asarray(1.0))[1:] == ("/a/b.py", True, platform.system())


def test_what_gives_what_nobody_knows_is_refused():
    @ag.function
    def f(x):
        subprocess.run(["true"], check=False)
        return x

    with pytest.raises(NoConcreteValue, match=r"ag\.host_call"):
        f(rt.asarray(1.0))


# ── any function ──

seen = []


def remember(x, label="none"):
    """Keeps what it is called with."""
    seen.append((type(x).__name__, np.asarray(x).tolist(), label))
    return float(np.sum(x))


def through_host_calls(x):
    total = ag.host_call(remember, x, result=float)
    ag.host_call(print, "called with", x, [x, 1], {"k": (x, "text")}, sep="|")
    if total > 2:
        total = total + ag.host_call(remember, x, label=f"large {total}", result=float)
    return total, ag.host_call(str, x, result=str)


@pytest.mark.parametrize("argument", [1.0, 3.0, [1.0, 2.0]])
def test_any_function_is_called_with_values_of_numpy_and_python(argument):
    seen.clear()
    check(through_host_calls, argument)
    count = len(seen) // 5
    assert seen[:count] * 5 == seen


def test_numbers_of_python_stay_numbers_of_python():
    kinds = []

    def keep(*values):
        kinds.append([type(value) for value in values])

    @ag.function
    def f(n, x):
        count = 0
        for _ in range(n):
            count += 1
        ag.host_call(keep, count, n, x, 1.5, x > 1, None, "text", [x])
        return count

    f(rt.asarray(2), rt.asarray([1.0]))
    assert kinds == [[int, np.int64, np.ndarray, float, np.ndarray, type(None), str, list]]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_an_exception_leaves_the_graph_as_itself(executor):
    class Own(Exception):
        pass

    error = Own("no")

    def refuse(x):
        raise error

    def f(x):
        if x > 1:
            return ag.host_call(refuse, x, result=float)
        return x

    staged = ag.function(f, executor=executor)
    assert float(staged(rt.asarray(0.5))) == 0.5
    with pytest.raises(Own) as caught:
        staged(rt.asarray(2.0))
    assert caught.value is error
    assert "ag.host_call(refuse, x, result=float)" in error.__notes__[0]


def refuse_large(x):
    """Takes small numbers."""
    if x > 1:
        raise KeyError("large")
    return int(x)


def test_the_program_may_catch_it():
    def f(x):
        try:
            y = ag.host_call(refuse_large, x, result=int)
        except KeyError:
            print("caught")
            return -1
        return y

    check(f, 0.5)
    check(f, 3.0)


def test_arrays_are_for_reading():
    def write(x):
        x[0] = 1.0

    f = ag.function(lambda x: ag.host_call(write, x))
    with pytest.raises(ValueError, match="read-only"):
        f(rt.asarray([0.0]))


def test_a_function_may_keep_the_array_that_it_gives():
    held = np.zeros(2)

    def give():
        return held

    @ag.function
    def f(x):
        first = ag.host_call(give, result=rt.TensorSpec((2,), rt.float64))
        ag.host_call(held.fill, 7.0)
        return first + x

    assert f(rt.asarray(0.0)).numpy().tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (float, "text"),
        (rt.float64, np.float32(1.0)),
        (rt.TensorSpec((2,), rt.float64), np.zeros(3)),
        (int, 2.5),
        (int, 2**80),
        (None, 3),
        ((int, int), (1, 2, 3)),
        (str, 3),
    ],
)
def test_what_is_not_as_it_was_said_is_an_error(result, value):
    f = ag.function(lambda: ag.host_call(lambda: value, result=result))
    with pytest.raises(ResultDisagrees, match="where the graph has"):
        f()


def test_a_result_is_a_nest():
    def give(x):
        return {"a": (x, 1), "b": [True, "text", x.sum()]}

    spec = rt.TensorSpec((None,), rt.float64)

    def f(x):
        return ag.host_call(give, x, result={"a": (spec, int), "b": [bool, str, rt.float64]})

    check(f, [1.0, 2.0])


def test_a_result_that_says_nothing_is_refused():
    with pytest.raises(InvalidValue, match="does not say what the function gives"):
        ag.host_call(len, [1], result="a word")
    with pytest.raises(InvalidValue, match="cannot be called"):
        ag.host_call(3)


def test_an_object_goes_from_call_to_call():
    def make(x):
        return {"held": x}

    def ask(thing):
        return thing["held"]

    def f(x):
        thing = ag.host_call(make, x, result=object)
        if x > 1:
            thing = ag.host_call(make, x * 10, result=object)
        return ag.host_call(ask, thing, result=rt.float64)

    check(f, 1.0)
    check(f, 2.0)


def test_a_module_with_host_calls_is_data_but_for_the_functions():
    f = ag.function(lambda x: ag.host_call(remember, x, result=float))
    module = f.get_concrete_function(rt.TensorSpec((), rt.float64)).module
    again = from_bytes(to_bytes(module), objects=module.resources)
    assert again.text(longest=None) == module.text(longest=None)
    assert str(ObjectSpec()) == "object"


def test_tensorflow_s_names_call_functions_when_the_graph_runs():
    calls = []

    def halved(x):
        calls.append(type(x).__name__)
        return (x / 2).astype(np.float32)

    @tf.function
    def f(x):
        return tf.numpy_function(halved, [x], tf.float32), tf.py_function(lambda t: t * 2, [x], tf.float32)

    for number in (4.0, 8.0):
        half, double = f(tf.constant([number]))
        assert (half.numpy().tolist(), double.numpy().tolist()) == ([number / 2], [number * 2])
    assert calls == ["ndarray"] * 2


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_recursion_generators_and_loops_call_as_often_as_the_program():
    def count(n):
        if n <= 0:
            return 0
        return ag.host_call(remember, n, result=float) + count(n - 1)

    def items(n):
        for i in range(n):
            yield ag.host_call(remember, i, result=float)

    def f(n):
        return count(n), sum(items(n)), [ag.host_call(remember, i, result=float) for i in range(2)]

    check(f, 3)
    check(f, Number(0))


def test_eager_code_calls_at_once():
    assert ag.host_call(remember, 3.0, result=float) == 3.0
    assert isinstance(ag.host_call(remember, rt.asarray(3.0), result=float), rt.Tensor)


def test_what_asks_numpy_for_errors_of_floats_is_refused_where_it_would_hold_for_the_trace_alone():
    def printed(x):
        with np.errstate(divide="print"):
            return np.array([1.0]) / x

    def set_for_good(x):
        before = np.seterr(all="raise")
        np.seterr(**before)
        return x

    for program, mode in ((printed, "print"), (set_for_good, "raise")):
        with pytest.raises(GraphError, match=f"is asked for '{mode}' in a function that becomes a graph"):
            ag.function(program)(np.float64(2.0))

    def silent(x):
        with np.errstate(divide="ignore"):
            return np.array([1.0]) / x

    ag.check(silent, np.float64(2.0))


def test_threads_are_not_started_while_a_graph_is_traced():
    def f(x):
        thread = threading.Thread(target=print, args=(x,))
        thread.start()
        thread.join()
        return x

    with pytest.raises(NoConcreteValue, match=r"Thread\.start\(\) was called while a graph is traced"):
        ag.function(f)(np.float64(1.0))


class Noted:
    """What a function was called with."""

    def __init__(self):
        self.calls = []

    def __call__(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        return 0.5


@pytest.mark.parametrize("executor", EXECUTORS)
def test_an_argument_is_of_the_same_class_whether_it_stands_alone_or_in_a_container(executor):
    noted = Noted()

    @ag.function(executor=executor)
    def program(x, n):
        count = 0
        for _ in range(n):
            count += 1
        return ag.host_call(noted, x, count, [x, count], ("a", x), key=x, rows=[count], result=float)

    program(np.float32(2.0), np.int64(3))
    ((args, kwargs),) = noted.calls
    x, count, listed, pair = args
    assert (x, count, listed, pair) == (2.0, 3, [2.0, 3], ("a", 2.0))
    assert (kwargs["key"], kwargs["rows"]) == (2.0, [3])
    assert {type(each) for each in (x, listed[0], pair[1], kwargs["key"])} == {np.float32}
    assert {type(each) for each in (count, listed[1], kwargs["rows"][0])} == {int}
    assert type(listed) is list
    assert type(pair) is tuple


def first_of(array):
    return float(array[0])


def test_an_array_is_handed_over_with_what_it_holds_at_the_call():
    def changed_in_between(n):
        array = np.array([1.0, 0.0])
        total = n + ag.host_call(first_of, array, result=float)
        array[0] = 5.0
        return total + 10 * ag.host_call(first_of, array, result=float)

    ag.check(changed_in_between, np.int64(4), then=[(np.int64(7),)])


OUTSIDE = np.zeros(3)


def put_first(array, value):
    array[0] = value


def test_an_array_of_outside_is_handed_over_itself():
    def put(n):
        ag.host_call(put_first, OUTSIDE, n)
        return n

    ag.function(put)(rt.asarray(4))
    assert OUTSIDE[0] == 4


class Measured:
    __slots__ = ("parts", "value")

    def __init__(self, value):
        self.value, self.parts = value, [value, (value + 1,)]


def test_instances_that_a_host_call_is_given_hold_values_of_numpy():
    seen = []

    def look(items, by_name):
        for each in (*items, *by_name.values()):
            seen.append([type(part) for part in (each.value, each.parts[0], each.parts[1][0])])
        return items[0].value

    def program(xs):
        items = []
        for x in xs:
            items.append(Measured(x))
        return ag.host_call(look, items, {"a": Measured(xs[0])}, result=np.float64)

    assert ag.function(program)(np.array([1.0, 2.0])) == 1.0
    assert seen == [[np.float64] * 3] * 3


FILES = {
    "np.loadtxt(path, ndmin=1).sum() + n": "text",
    "np.genfromtxt(path, max_rows=1) + n": "text",
    "np.fromfile(path, dtype=np.uint8).sum() + n": "text",
    "np.load(binary)[0] * n": "binary",
    "sum((value * n for value in np.load(binary)), 0.0)": "binary",
}


@pytest.mark.parametrize("program", FILES)
def test_numpys_files_are_read_in_each_call(program, tmp_path):
    text, binary = tmp_path / "numbers.txt", tmp_path / "numbers.npy"
    written = function_of(program, "n", path=str(text), binary=str(binary))
    graph = ag.function(written)
    for count in (1, 2, 3):
        text.write_text("".join(f"{number}\n" for number in range(count, 2 * count)))
        np.save(binary, np.arange(count, 2.0 * count))
        assert float(graph(np.int64(count))) == float(written(np.int64(count)))


def test_an_array_is_written_to_a_file_in_each_call(tmp_path):
    path, numbers = tmp_path / "numbers", np.arange(3.0)

    @ag.function
    def f(n):
        numbers.tofile(path)
        return n

    for n in range(3):
        path.unlink(missing_ok=True)
        f(np.int64(n))
        assert np.fromfile(path).tolist() == [0.0, 1.0, 2.0]


def test_an_event_is_asked_in_each_call():
    event = threading.Event()

    @ag.function
    def f(n):
        if n > 2:
            event.set()
        return event.is_set() + n

    assert [int(f(np.int64(n))) for n in (1, 3, 1)] == [1, 4, 2]
    event.clear()
    assert int(f(np.int64(1))) == 1


def test_the_systems_own_random_numbers_are_drawn_in_each_call():
    system = random.SystemRandom()

    @ag.function
    def f(n):
        items = [1, 1, 1]
        system.shuffle(items)
        return system.randint(0, 10**12) + system.choice([0, 0]) * n + items[0]

    assert len({int(f(np.int64(1))) for _ in range(4)}) == 4


def test_whether_a_lock_is_held_is_not_asked_while_tracing():
    lock = threading.Lock()
    with pytest.raises(NoConcreteValue, match=r"lock\.locked\(\) was called while a graph is traced"):
        ag.function(lambda n: n + lock.locked())(np.int64(1))
