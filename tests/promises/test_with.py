"""`with` means what it means in Python, also around what a graph raises."""

import contextlib
import statistics

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees
from tests.promises.kit import function_of

NUMBERS = (np.int64(3), np.int64(5), np.int64(0), np.int64(1))

SUPPRESSED = """
import contextlib
def f(n):
    k = 0
    for i in range(n):
        with contextlib.suppress(ValueError, IndexError):
            if i == 2: raise ValueError('two')
            k += i + [1, 2, 3, 4][i]
        with contextlib.suppress(KeyError):
            k += 1
    return k
"""
SWALLOWED = """
class Swallow:
    n = 0
    def __init__(self, kind): self.kind, self.seen = kind, ''
    def __enter__(self):
        Swallow.n += 1
        return self
    def __exit__(self, kind, error, trace):
        if kind is None:
            return False
        self.seen = str(error)
        return issubclass(kind, self.kind)
def f(n):
    k = 0
    with Swallow(ValueError) as s:
        k = 1
        if n == 3: raise ValueError(f'three {n}')
        if n == 5: raise TypeError('five')
        k = 2
    return k, s.seen, Swallow.n
"""
TOLD = """
class Swallow:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        print(kind.__name__ if kind else 'nothing', error)
        return True
def f(n):
    k = 0
    with Swallow() as s:
        k = 1
        if n == 3: raise ValueError(f'three {n}')
        if n == 5: raise TypeError('five')
        k = 2
    return k
"""
DECIDED = """
class S:
    def __init__(self, x): self.x = x
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): return bool(self.x > 2)
def f(n):
    k = 0
    with S(n):
        k = 1
        if n > 0: raise ValueError('more')
        k = 2
    return k
"""
GENERATED = """
from contextlib import contextmanager
log = []
@contextmanager
def section(x):
    log.append(1)
    try:
        yield x * 2
    except ValueError as error:
        log.append(len(log))
    finally:
        log.append(x)
def f(n):
    k = 0
    with section(n) as y:
        k = y
        if n == 3: raise ValueError(f'three {n}')
        if n == 5: raise TypeError('five')
        k += 100
    return k, y, len(log)
"""
NESTED = """
from contextlib import contextmanager
import random
class C:
    depth = 0
    total = 0.0
    @contextmanager
    def nested(self, x):
        self.depth += 1
        yield random.random()
        self.depth -= 1
        if x > 1: self.total += x
def f(n):
    random.seed(3)
    c = C()
    k = 0.0
    for i in range(n):
        with c.nested(i) as a, c.nested(i + 1):
            k += a + c.depth
    return k, c.depth, c.total
"""
LEFT_BY_JUMPS = """
from contextlib import contextmanager, suppress
log = []
@contextmanager
def section():
    log.append(1)
    try:
        yield
    finally:
        log.append(2)
def f(n):
    for i in range(n):
        with section(), suppress(IndexError):
            if i == 4: return i * 100
            if i == 1: continue
            [1, 2, 3][i]
            if i > 6: break
        log.append(3)
    return -1
"""
STACKED = """
import contextlib
class M:
    log = []
    def __init__(self, x): self.x = x
    def __enter__(self):
        M.log.append(self.x)
        return self.x
    def __exit__(self, *raised):
        M.log.append(-self.x)
        return raised[0] is IndexError
def f(n):
    k = 0
    with contextlib.ExitStack() as s:
        k = s.enter_context(M(n))
        s.callback(M.log.append, 99)
        k += s.enter_context(M(7))
        k += [1, 2, 3, 4][n]
        if n == 3: raise ValueError('three')
    return k, len(M.log)
"""
TARGETS = """
class S:
    def __enter__(self): return 5
    def __exit__(self, kind, error, trace): return kind is ValueError
class O: pass
def f(n):
    o = O()
    o.x, o.l = 1, []
    with S() as o.y:
        o.x = n
        o.l.append(n)
        if n > 2: raise ValueError
        o.x = 3
    return o.x, o.y, o.l
"""
UNBOUND = """
from contextlib import suppress
def f(n):
    with suppress(ValueError):
        if n > 4: raise ValueError
        z = 3
    return z
"""
LOCKED = """
import threading
lock = threading.Lock()
def f(n):
    k = 0
    for i in range(n):
        with lock:
            k += i
    return k
"""
RAISED_AGAIN = """
def f(n):
    k = 7
    try:
        try:
            k = [1, 2, 3, 4][n]
        except BaseException as error:
            if not isinstance(error, ZeroDivisionError): raise
    except BaseException as error:
        if not isinstance(error, IndexError): raise
    return k
"""
CHANGED_BEFORE = """
log = []
def f(n):
    log.append(n)
    try:
        if n == 3: raise ValueError('three')
    except KeyError:
        log.append(-n)
    finally:
        log.append(0)
    return len(log)
"""
LEFT_ON_THE_WAY_OUT = """
import contextlib
class Quiet:
    def __enter__(self): return self
    def __exit__(self, kind, *_): return kind is not None and issubclass(kind, LookupError)
@contextlib.contextmanager
def quiet():
    try: yield
    except LookupError: pass
def found(items, n):
    return items[n]
def f(n):
    items, log = [10, 20], []
    def one():
        with contextlib.suppress(LookupError):
            return found(items, n)
        return -1
    def two():
        with Quiet(), contextlib.suppress(KeyError):
            return found(items, n)
        return -2
    def three():
        with quiet():
            return found(items, n)
        return -3
    def four():
        with contextlib.ExitStack() as stack:
            stack.enter_context(Quiet())
            return found(items, n)
        return -4
    def five():
        for k in range(3):
            with quiet():
                log.append(k)
                return found(items, n - k)
            log.append(-k)
        return -5
    return one(), two(), three(), four(), five(), log
"""
PROGRAMS = [
    SUPPRESSED,
    SWALLOWED,
    DECIDED,
    GENERATED,
    NESTED,
    LEFT_BY_JUMPS,
    TARGETS,
    UNBOUND,
    LOCKED,
    LEFT_ON_THE_WAY_OUT,
]
PROGRAMS += [TOLD, RAISED_AGAIN, CHANGED_BEFORE, STACKED]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_with_does_what_it_does_in_python(program):
    ag.check(function_of(program), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


@pytest.mark.parametrize(("body", "message"), [("return", "didn't yield"), ("yield; yield", "didn't stop")])
def test_a_generator_that_does_not_yield_once_is_no_manager(body, message):
    program = f"""
import contextlib
@contextlib.contextmanager
def section():
    if False: yield
    {body}
def f(n):
    with section():
        n = n + 1
    return n
"""
    with pytest.raises(RuntimeError, match=message):
        ag.function(function_of(program))(np.int64(3))


def test_what_is_refused_has_not_happened():
    log = []

    def f(n):
        log.append(1)
        return statistics.mean([1, n])

    with pytest.raises(NoConcreteValue, match=r"statistics\.mean"):
        ag.function(f)(np.int64(3))
    assert log == []


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, KeyError)


def test_a_list_grows_under_a_manager_that_may_swallow_what_nothing_raises():
    def f(n):
        items = [1, 2]
        with Swallowing():
            items.append(n)
            items.insert(n, n)
        return items

    ag.check(f, np.int64(3), then=[(np.int64(0),)])


def test_a_function_that_a_context_manager_decorates_is_converted():
    notes = []

    @contextlib.contextmanager
    def noted(name):
        notes.append(name)
        yield
        notes.append(-name)

    class Counted(contextlib.ContextDecorator):
        def __enter__(self):
            notes.append(3)

        def __exit__(self, *raised):
            notes.append(-3)

    @noted(1)
    def upper(x):
        return x if x > 1 else -x

    @Counted()
    @noted(2)
    def lower(x):
        if x > 2:
            return -upper(x)
        return x

    def program(x):
        return upper(x) + lower(x), len(notes)

    ag.check(program, np.float64(3.0), then=[(np.float64(1.0),)])


def test_a_manager_that_a_function_defines_changes_what_lies_around_it_on_the_path_that_is_taken():
    def program(x):
        notes = []

        @contextlib.contextmanager
        def noted(name):
            notes.append(name)
            yield
            notes.append(-name)

        if x > 2:
            with noted(1):
                x = -x
        return x, notes

    ag.check(program, np.float64(1.0), then=[(np.float64(3.0),)])


def test_a_manager_made_inside_is_a_generator_as_others_are():
    def f(n):
        found = 0

        @contextlib.contextmanager
        def counting():
            nonlocal found
            try:
                yield
            except KeyError:
                found += 10
            finally:
                found += 100

        with counting():
            if n > 1:
                raise KeyError(n)
            found += 1
        return found

    ag.check(f, np.int64(3), then=[(np.int64(0),)])


@contextlib.contextmanager
def asked(found):
    try:
        found.append((yield) or 1)
    except KeyError:
        found.append(2)


def test_a_generator_that_is_given_values_hears_of_what_python_raises():
    def f(n):
        found = [n]
        with asked(found):
            raise KeyError
        return found

    ag.check(f, np.int64(3))


def test_one_that_cannot_hear_of_what_the_graph_raises_is_refused():
    def f(n):
        found = [n]
        with asked(found):
            if n > 1:
                raise KeyError
        return found

    with pytest.raises(StateDisagrees, match=r"a `with` of asked\(\)"):
        ag.function(f)(np.int64(3))


def test_what_is_to_be_closed_is_closed_where_the_graph_raises():
    class Counter:
        closed = 0

        def close(self):
            self.closed += 1

    def f(n):
        counter = Counter()
        try:
            with contextlib.closing(counter):
                if n > 1:
                    raise KeyError(n)
        except KeyError:
            counter.closed += 10
        return counter.closed

    ag.check(f, np.int64(3), then=[(np.int64(0),)])


@contextlib.contextmanager
def noted(name, notes):
    notes.append("<" + name)
    try:
        yield
    finally:
        notes.append(">" + name)


def test_a_list_that_a_generator_of_python_changes_behind_the_graph_is_refused():
    def f(x):
        notes = []
        with contextlib.ExitStack() as stack:
            stack.enter_context(noted("a", notes))
            if x > 1:
                notes.append("large")
        return notes

    with pytest.raises(StateDisagrees, match="a list is changed by code that is not converted"):
        ag.function(f)(np.float64(3.0))


class OnlyLeft:
    """Swallows what is raised, and cannot be entered."""

    def __exit__(self, kind, error, trace):
        print("left")
        return kind is not None


class OnlyEntered:
    """Can be entered, and not be left."""

    def __enter__(self):
        print("entered")
        return self


class Neither:
    """Is no manager at all."""


@pytest.mark.parametrize("kind", [OnlyLeft, OnlyEntered, Neither])
def test_what_is_no_manager_is_refused_as_python_refuses_it_before_anything_runs(kind, capsys):
    def f(n):
        with kind() as entered:
            print("in", entered)
            if n > 0:
                raise ValueError(n)
        return n

    said = []
    for called in (f, ag.function(f)):
        with pytest.raises(TypeError, match="does not support the context manager protocol") as caught:
            called(np.int64(3))
        said.append((type(caught.value), str(caught.value), capsys.readouterr().out))
    assert said[0] == said[1]
    assert said[0][2] == ""


def test_a_lock_is_free_behind_its_block():
    f = function_of(LOCKED)
    assert int(ag.function(f)(np.int64(3))) == 3
    assert not f.__globals__["lock"].locked()
