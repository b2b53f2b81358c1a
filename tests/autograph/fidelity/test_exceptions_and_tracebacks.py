"""An exception passes through converted code as it is; its traceback shows the user's lines and no others."""

import sys
import traceback

import pytest

from autograph.frames import SHOW_FRAMES, is_ours


def shown(error):
    """What a traceback shows below the frames of this file's own helper."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.name != "raised"]
    return [(frame.filename, frame.lineno, frame.name, frame.line) for frame in frames]


def raised(function, *arguments):
    try:
        function(*arguments)
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def deep(items, key):
    total = 0
    for item in items:
        if item:
            while total < 10:
                try:
                    total += callee(item, key)
                finally:
                    total += 1
    return total


def callee(item, key):
    if key == "lambda":
        return (lambda x: x / 0)(item)
    elif key == "comprehension":
        return [1 // (item - i) for i in range(3)]
    if key == "arm":
        return (item and key and item.missing) if item else key
    return inner_of(item)[key]


def inner_of(item):
    def inner():
        return {"one": item} if item else None

    return inner()


@pytest.mark.parametrize("key", ["lambda", "comprehension", "arm", "missing"])
def test_the_traceback_is_the_one_of_plain_python(key, convert):
    plain, converted = raised(deep, [0, 1], key), raised(convert(deep), [0, 1], key)
    assert (type(plain), str(plain)) == (type(converted), str(converted))
    assert shown(converted) == shown(plain)


def test_every_call_of_a_function_that_recurs_is_in_the_traceback(convert):
    def recurs(n):
        if n > 0:
            for _ in range(2):
                recurs(n - 1)
        return 1 // n

    plain, converted = raised(recurs, 3), raised(convert(recurs), 3)
    assert len(shown(plain)) == 4
    assert shown(converted) == shown(plain)


def test_our_frames_show_when_asked_for(convert, monkeypatch):
    monkeypatch.setenv(SHOW_FRAMES, "1")
    error = raised(convert(deep), [0, 1], "missing")
    assert any(is_ours(frame.filename) for frame in traceback.extract_tb(error.__traceback__))


def test_the_object_its_arguments_notes_cause_and_context_are_kept(convert):
    class Special(Exception):
        def __init__(self, *arguments, **facts):
            super().__init__(*arguments)
            self.facts = facts

    thrown = Special("message", 3, code=4)
    thrown.add_note("a note")

    def raises(kind):
        for n in range(2):
            if n:
                try:
                    {}[n]
                except KeyError as missing:
                    if kind == "cause":
                        raise thrown from missing
                    if kind == "none":
                        raise thrown from None
                    raise thrown

    for kind in ("cause", "none", "context"):
        thrown.__cause__, thrown.__context__, thrown.__suppress_context__ = None, None, False
        error = raised(convert(raises), kind)
        assert error is thrown
        assert (error.args, error.facts, error.__notes__) == (("message", 3), {"code": 4}, ["a note"])
        assert isinstance(error.__context__, KeyError)
        assert (error.__cause__ is error.__context__) == (kind == "cause")
        assert error.__suppress_context__ == (kind != "context")


def test_the_exception_being_handled_is_known_in_blocks_and_callees(check):
    def known(t):
        log = []

        def current():
            return type(sys.exc_info()[1]).__name__

        try:
            if t:
                raise KeyError(t)
        except KeyError:
            if t > 1:
                log.append(current())
            for _ in range(1):
                try:
                    raise ValueError(t)
                except ValueError as error:
                    log.append((current(), type(error.__context__).__name__))
                log.append(current())
        log.append(current())
        return log

    def again(t):
        try:
            try:
                raise KeyError(t)
            except KeyError:
                if t:
                    raise
                else:
                    raise ValueError("other")
        except Exception as error:
            return type(error).__name__, type(error.__context__).__name__

    def nothing_to_raise(t):
        if t:
            raise
        return t

    check(known, (0,), (1,), (2,))
    check(again, (0,), (1,))
    check(nothing_to_raise, (0,), (1,))


def test_an_exception_may_be_raised_in_every_way(check):
    def in_every_way(kind):
        if kind == "class":
            raise KeyError
        elif kind == "no exception":
            raise kind
        elif kind == "cause that is none":
            raise KeyError(1) from 3
        elif kind == "group":
            raise ExceptionGroup("group", [ValueError(1), KeyError(2)])
        elif kind == "exit":
            raise SystemExit(3) if kind else KeyboardInterrupt
        while kind == "stop":
            raise StopIteration(5)
        assert kind != "assert", f"not {kind}"
        return next(iter(())) if kind == "next" else kind

    kinds = ["class", "no exception", "cause that is none", "group", "stop", "next", "fine"]
    check(in_every_way, *[(kind,) for kind in kinds])


def test_interrupts_and_exits_pass(convert):
    def leaves(kind):
        log = []
        try:
            for n in range(3):
                if n == 1:
                    raise kind(n)
        finally:
            log.append("finally")

    for kind in (SystemExit, KeyboardInterrupt, GeneratorExit):
        error = raised(convert(leaves), kind)
        assert type(error) is kind
        assert error.args == (1,)


def test_a_context_manager_sees_the_exception_and_its_traceback(check):
    class Manager:
        def __init__(self, log):
            self.log = log

        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            self.log.append((kind.__name__, str(error), trace is not None, error.__traceback__ is trace))
            return kind is KeyError

    def managed(kind):
        log = []
        for i in range(2):
            with Manager(log):
                if i:
                    raise kind(i)
                raise KeyError(i)
        return log

    def outcome(kind):
        try:
            return managed(kind)
        except ValueError as error:
            return str(error)

    check(outcome, (KeyError,), (ValueError,))


def test_errors_of_unbound_names_are_those_of_plain_python(check):
    def unbound(kind, t):
        if t:
            x = 1
        if kind == "read":
            return x
        if kind == "augmented":
            x += 1
        if kind == "deleted":
            del x
        if kind == "item":
            x[0] = 1
        if kind == "lambda":
            return (lambda: x)()
        if kind == "comprehension":
            return [x for _ in range(2)]
        if kind == "generator":
            return list(x for _ in range(2))
        if kind == "call":
            return x(1)
        if kind == "format":
            return f"{x}"
        if kind == "global":
            return no_such_name
        if kind == "attribute":
            return x.real
        return kind and x or x

    kinds = ["read", "augmented", "deleted", "lambda", "comprehension", "generator", "format", "global"]
    check(unbound, *[(kind, t) for kind in [*kinds, "attribute", "other", ""] for t in (0, 1)])
    check(unbound, ("item", 0), ("call", 0))


def test_what_the_interpreter_bases_its_suggestions_on_is_there(convert):
    thing = []

    def misspelled(t):
        if t:
            return thing.appendd
        counter = 1
        return countre + counter

    wrong_attribute, wrong_name = raised(convert(misspelled), 1), raised(convert(misspelled), 0)
    assert (wrong_attribute.name, wrong_attribute.obj) == ("appendd", thing)
    assert wrong_attribute.obj is thing
    assert wrong_name.name == "countre"
    trace = wrong_name.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    assert trace.tb_frame.f_locals["counter"] == 1
