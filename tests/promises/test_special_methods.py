"""The user's own special methods are converted, and run as often as Python runs them."""

import collections
import threading
import typing

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.promises.kit import function_of

NUMBERS = (np.int64(3), np.int64(5), np.int64(0))

COUNTED = """
class V:
    calls = 0
    def __len__(self):
        V.calls += 1
        return 3
    def __getitem__(self, i):
        V.calls += 1
        return i * 2
    def __contains__(self, i):
        V.calls += 1
        return i > 2
def f(n):
    v, total = V(), 0
    for i in range(n):
        total += v[i] + len(v)
    return total, n in v, V.calls
"""
KEEPS = """
class V:
    def __init__(self):
        self.items, self.removed = [], 0
    def __setitem__(self, i, value):
        self.items.append(value if value > i else i)
    def __getitem__(self, i):
        return 1 if i > 3 else 2
    def __delitem__(self, i):
        self.removed += i if i > 3 else 1
def f(n):
    v = V()
    for i in range(n):
        v[i] = 2
    v[n] += 1
    del v[n]
    return v.items, v.removed
"""
CONSTRUCTED = """
class Base:
    def __init__(self, x):
        self.sign = 1 if x > 0 else -1
class A(Base):
    def __init__(self, x):
        super().__init__(x - 1)
        if x > 2:
            self.y = x
        else:
            self.y = -x
def f(n):
    total = 0
    for i in range(n):
        total += A(i).y
    a = A(n)
    return total + a.y, a.sign
"""
CONTAINS = """
class V:
    def __iter__(self):
        return iter([1, 2])
    def __contains__(self, i):
        return i > 2
def f(n):
    return n in V(), n not in V()
"""
LENGTH = """
class V:
    def __init__(self, x):
        self.x = x
    def __len__(self):
        return 4 if self.x > 2 else 1
    def __abs__(self):
        return self.x if self.x > 1 else 1
    def __float__(self):
        return 1.0 if self.x > 4 else 2.0
def f(n):
    v = V(n)
    return len(v), abs(v), float(v)
"""
ITERATED = """
class R:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield i * i
def f(n):
    total = 0
    for v in R(n):
        total += v
    return total
"""

COMPARED = """
class V:
    asked = 0
    def __init__(self, x): self.x = x
    def __lt__(self, o):
        V.asked += 1
        if o.x > 3: return True
        return self.x < o.x
    def __eq__(self, o):
        V.asked += 1
        if self.x > 1: return bool(o.x > 1)
        return bool(self.x == o.x)
    __hash__ = None
def f(n):
    v, k = V(n), 0
    for i in range(n):
        if V(i) < v: k += 1
        if V(i) == v: k += 10
        if V(i) != v: k += 100
        if V(i) > v: k += 1000
    return k, V.asked
"""
PROPERTY = """
class V:
    reads = 0
    def __init__(self, x): self._x = x
    @property
    def x(self):
        V.reads += 1
        return self._x if self._x > 1 else 1
    @x.setter
    def x(self, v):
        V.reads += 100
        if v > 3:
            self._x = 3
        else:
            self._x = v
def f(n):
    v = V(n)
    k = 0
    for i in range(n):
        v.x = v.x + i
        k += v.x
    return k, v.x, V.reads
"""
CACHED = """
from functools import cached_property
class V:
    reads = 0
    def __init__(self, x): self._x = x
    @cached_property
    def x(self):
        V.reads += 1
        return self._x if self._x > 1 else 1
def f(n):
    v = V(n)
    k = 0
    for i in range(n):
        w = V(i)
        k += w.x + w.x + v.x
    return k, v.x, V.reads
"""
MISSING_NAMES = """
class V:
    reads = 0
    def __init__(self, x): self._x = x
    def __getattr__(self, name):
        if name.startswith('_'): raise AttributeError(name)
        V.reads += 1
        if self._x > 1: return self._x
        return 0
def f(n):
    v = V(n)
    k = 0
    for i in range(n):
        k += V(i).foo + v.bar
    return k, v.x, V.reads
"""
DESCRIPTOR = """
class Positive:
    def __set_name__(self, owner, name): self.name = '_' + name
    def __get__(self, obj, kind=None):
        if obj is None: return self
        return getattr(obj, self.name)
    def __set__(self, obj, value):
        if value < 0: raise ValueError('negative')
        setattr(obj, self.name, value if value < 4 else 4)
class V:
    x = Positive()
    def __init__(self, x): self.x = x
def f(n):
    v = V(n)
    for i in range(n):
        v.x += i
    try:
        v.x = n - 4
    except ValueError as e:
        return str(e), v.x
    return v.x
"""
MANAGED = """
class Timer:
    log = []
    n = 0
    def __init__(self, x): self.x = x
    def __enter__(self):
        Timer.n += 1
        self.y = self.x if self.x > 1 else 10
        return self.y
    def __exit__(self, *a):
        Timer.n += 100
        if self.x > 2: Timer.n += 1000
def f(n):
    k = 0
    for i in range(n):
        with Timer(i) as y:
            k += y
    return k, Timer.n
"""
DRAWN = """
import random, time
rng = np.random.default_rng(0)
random.seed(3)
class D:
    @property
    def x(self): return rng.random()
    def __add__(self, o): return random.random() + o
    def __enter__(self):
        self.v = rng.random()
        return self.v
    def __exit__(self, *a): self.v = random.random()
    def __call__(self): return rng.integers(0, 9)
    def __getitem__(self, i): return rng.random() + i
    def __init__(self): self.y = random.random()
def f(n):
    d = D()
    k = 0.0
    for i in range(n):
        k += d.x + (d + i) + d() + d[i] + D().y
        with d as q:
            k += q + rng.random()
        k += d.v
    return k
"""
SHOWN = """
class V:
    n = 0
    def __init__(self, x): self.x = x
    def __str__(self):
        V.n += 1
        if self.x > 2: return f'big {self.x}'
        return 'small'
    def __repr__(self):
        V.n += 10
        return f'V({self.x})'
    def __format__(self, spec):
        V.n += 100
        return format(self.x, spec) + '!'
def f(n):
    v = V(n)
    print(v)
    print([v], f'{v:3}', f'{v!s}', f'{v!r}', str(v), repr(v), format(v, '4'), '%s' % v, '{}'.format(v))
    s = str(v)
    return s, V.n
"""
CALLED = """
class P:
    n = 0
    def __call__(self, x):
        self.n += 1
        if x > 2: return x * 2
        return x
def f(n):
    p = P()
    k = 0
    for i in range(n):
        k += p(i)
    return k, p.n, list(map(p, [1, n, 3]))
"""
NEXT = """
class Count:
    def __init__(self, n): self.i, self.n = 0, n
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > self.n: raise StopIteration
        return self.i
def f(n):
    k = 0
    for x in Count(4):
        if x > n: k += 10
        k += x
    return k, sum(Count(3)), list(Count(2))
"""
HASHED = """
class K:
    h = 0
    def __init__(self, x): self.x = x
    def __hash__(self):
        K.h += 1
        return hash(self.x)
    def __eq__(self, o):
        return self.x == o.x
def f(n):
    d = {K(1): 2, K(2): n}
    return d[K(2)] + d[K(1)] + n, K.h
"""
ORDERED = """
from functools import total_ordering
@total_ordering
class V:
    def __init__(self, x): self.x = x
    def __lt__(self, o): return self.x < o.x
    def __eq__(self, o): return self.x == o.x
def f(n):
    k = 0
    for i in range(n):
        if V(i) <= V(2): k += 1
        if V(i) >= V(2): k += 10
        if V(i) > V(2): k += 100
    return k
"""

ADDED = """
class V:
    adds = 0
    def __init__(self, x): self.x = x
    def __add__(self, o):
        V.adds += 1
        if not isinstance(o, V): return NotImplemented
        x = self.x
        if o.x > 2: x += o.x
        else: x -= o.x
        return x
    def __radd__(self, o):
        V.adds += 100
        return o + self.x if self.x > 3 else o
    def __iadd__(self, o):
        V.adds += 1000
        self.x = self.x + (o.x if o.x > 1 else 5)
        return self
def f(n):
    v, w, total = V(n), V(1), 0
    for i in range(n):
        total += v + V(i) + (total + V(i))
        w += V(i)
    return total, 3 + w, w.x, V.adds
"""
TRUE = """
class V:
    asked = 0
    def __init__(self, x): self.x = x
    def __bool__(self):
        V.asked += 1
        return bool(self.x > 2)
def f(n):
    k = 0
    for i in range(n):
        if V(i): k += 1
        k += 10 if V(i) else 20
        if not V(i): k += 100
        while not V(k % 7): k += 1
    return k, bool(V(n)), V.asked
"""
UNARY = """
class V:
    def __init__(self, x): self.x = x
    def __neg__(self): return -self.x if self.x > 2 else self.x
    def __invert__(self): return self.x + (1 if self.x > 1 else 2)
    def __pos__(self): return self
    def __matmul__(self, o): return self.x * o.x if o.x > 1 else 0
    def __divmod__(self, o): return self.x // 2, self.x % 2
    def __round__(self, n=None): return self.x if self.x > 2 else 7
    def __pow__(self, k): return V(self.x ** k)
def f(n):
    v, k = V(n), 0
    for i in range(n):
        k += -V(i) + ~V(i) + (+V(i)).x + V(i) @ v + (V(i) ** 2).x
    return k, divmod(v, v), round(v)
"""
DATA = """
from dataclasses import dataclass, replace, astuple, asdict, field
@dataclass
class P:
    x: float
    y: float = 2
    log: list = field(default_factory=list)
    def __post_init__(self):
        if self.x > 2: self.y = self.x
        self.log.append(1)
@dataclass(order=True, frozen=True)
class Q:
    x: int
    y: int
def f(n):
    p = P(n)
    k = 0
    for i in range(n):
        if Q(i, 1) == Q(n, 1): k += 1
        if Q(i, 1) < Q(3, 2): k += 10
        if Q(i, 5) >= Q(3, 2): k += 100
        k += P(i).y
    return p == P(3, 3, [1]), p != P(3), k, replace(p, x=n + 1).y, astuple(Q(n, 1)), asdict(Q(n, 1)), p.log
"""
PROGRAMS = [
    COUNTED,
    KEEPS,
    CONSTRUCTED,
    CONTAINS,
    LENGTH,
    ITERATED,
    COMPARED,
    PROPERTY,
    CACHED,
    MISSING_NAMES,
]
PROGRAMS += [DESCRIPTOR, MANAGED, DRAWN, SHOWN, CALLED, NEXT, HASHED, ORDERED, ADDED, TRUE, UNARY, DATA]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_class_does_what_it_does_in_python(program):
    ag.check(function_of(program), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


ONCE = """
def f(n):
    items = (2 * i for i in range(n))
    {}
"""


@pytest.mark.parametrize(
    "rest",
    [
        "return next(items, -1), next(items, -1), list(items)",
        "return sum(items), sum(items), list(items)",
        "return list(items), next(items, -1)",
    ],
)
def test_the_items_of_a_generator_are_given_once(rest):
    ag.check(function_of(ONCE.format(rest)), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


@pytest.mark.parametrize("start", ["iter(range(5))", "iter([1, 2, 3, 4])", "(2 * i for i in range(n))"])
def test_an_iterator_that_a_loop_has_left_goes_on(start):
    source = f"""
def f(n):
    items, total = {start}, 0
    for i in items:
        total += i
        if total > n:
            break
    for i in items:
        total += 100 * i
    return total
"""
    ag.check(function_of(source), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


@pytest.mark.parametrize("made", ["zip(range(n), range(n))", "enumerate(range(n))", "reversed(range(n))"])
def test_what_is_made_of_items_is_given_once(made):
    for rest in ("return list(items), list(items)", "return next(items, -1), list(items)"):
        f = function_of(f"def f(n):\n    items = {made}\n    {rest}\n")
        ag.check(f, NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


def test_a_class_is_as_it_was_after_a_trace():
    class V:
        def __init__(self, x):
            self.x = x

        def __add__(self, other):
            return self.x + other.x

        @property
        def twice(self):
            return 2 * self.x

    before = dict(vars(V))
    ag.function(lambda x: V(x) + V(V(x).twice))(np.float64(1.0))
    with pytest.raises(AttributeError):
        ag.function(lambda x: V(x) + x)(np.float64(1.0))
    assert all(before[name] is value for name, value in vars(V).items())
    assert before.keys() == vars(V).keys()


def test_a_method_of_another_thread_runs_as_it_is_written():
    ran = []

    class V:
        def __add__(self, other):
            ran.append(threading.current_thread() is main)
            return other

    def elsewhere():
        thread = threading.Thread(target=lambda: V() + 1)
        thread.start()
        thread.join()

    main = threading.current_thread()
    ag.function(lambda x: (elsewhere(), V() + x)[1], effects="trace")(np.float64(1.0))
    assert ran[0] is False


CALLED_BY_LIBRARIES = """
import functools, operator, copy, enum
class Level(enum.Enum):
    LOW = enum.auto()
    HIGH = 5
    @property
    def twice(self): return self.value * 2
    def scaled(self, x): return self.value * x if x > 2 else 0
@functools.singledispatch
def kind(x): return "other"
@kind.register
def _(x: int): return "int"
@kind.register(np.integer)
def _(x): return "np"
class C:
    calls = 0
    @functools.singledispatchmethod
    def m(self, x): return 0
    @m.register(np.integer)
    def _(self, x): return 1 if x > 2 else 2
    def __call__(self, x):
        C.calls += 1
        return -x if x > 2 else x
    def __copy__(self):
        made = C()
        made.copied = C.calls
        return made
def f(n):
    xs, level = [1, n, 3, 2, 5], Level.HIGH if n > 2 else Level.LOW
    found = max(xs, key=C()), min(xs, key=C()), sorted(xs, key=C())
    found += level.name, level.twice, level.scaled(n), level.__class__.__name__, n.__class__.__name__
    found += kind(n), kind(1), C().m(n), C().m(""), copy.copy(C()).copied, functools.reduce(operator.sub, xs)
    return found, operator.not_(n), operator.contains(xs, 4), operator.itemgetter(1)(xs), C.calls
"""


COUNTS_DOWN = """
class Countdown:
    asked = 0
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        Countdown.asked += 1
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
class Doubles:
    def __init__(self, n): self.n = n
    def __getitem__(self, i):
        if i >= self.n: raise IndexError(i)
        return 2 * i
def f(n):
    k = 0
    for x in Countdown(n):
        if x == 1: k += 100
        k += x
    for x in Doubles(n): k += x
    return k, Countdown.asked, next(Countdown(n + 1)), sum(Countdown(3)), list(Doubles(3))
"""


def test_a_loop_ends_where_the_users_iterator_ends():
    ag.check(function_of(COUNTS_DOWN), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


@pytest.mark.parametrize("kind", ["Countdown", "Doubles"])
def test_what_python_itself_asks_for_ever_is_refused(kind):
    source = COUNTS_DOWN.partition("def f(")[0] + f"def f(n, build=sum):\n    return build({kind}(n))\n"
    program = function_of(source)
    ag.check(program, np.int64(3), then=[(np.int64(0),)])
    with pytest.raises(NoConcreteValue):
        ag.function(program)(np.int64(3), collections.deque)


def test_what_libraries_call_is_the_users():
    ag.check(function_of(CALLED_BY_LIBRARIES), NUMBERS[0], then=[(number,) for number in NUMBERS[1:]])


def test_a_bool_that_a_class_gives_is_pythons_own():
    class Vector:
        def __init__(self, x, y):
            self.x, self.y = x, y

        def __bool__(self):
            return self.x != 0 or self.y != 0

    def of_numpys(x, y):
        return 1 if Vector(x, y) else 2

    def of_pythons(x, y):
        vector = Vector(float(x), float(y))
        return 1 if vector else 2, not vector

    for program in (of_numpys, of_pythons):
        ag.check(program, np.float64(1.0), np.float64(0.0), then=[(np.float64(0.0), np.float64(0.0))])


def test_a_bool_that_is_pythons_on_some_paths_is_taken_as_it_is():
    class Load:
        def __init__(self, weight):
            self.weight = weight

        def __bool__(self):
            return self.weight > 0

    def f(n, x):
        load = Load(0.0)
        for _ in range(n):
            load = Load(float(x))
        return 1 if load else 2

    ag.check(f, np.int64(2), np.float64(1.0), then=[(np.int64(0), np.float64(1.0))])


class Counting(type):
    made = 0

    def __call__(cls, *args):
        Counting.made += 1
        return super().__call__(*args)


class Counted(metaclass=Counting):
    def __init__(self, value):
        self.value, self.items = value, []


def test_a_class_whose_class_counts_its_instances():
    def f(n):
        one = Counted(n)
        if n > 2:
            one = Counted(n + 1)
        one.items.append(n)
        others = [Counted(i) for i in range(n)]
        return one.value, one.items, sum(each.value for each in others), Counting.made

    ag.check(f, np.int64(3), then=[(np.int64(0),), (np.int64(7),)])


class Measured:
    def __init__(self, values):
        self.values = values
        self.asked = 0

    def __array__(self, dtype=None, copy=None):
        self.asked += 1
        return np.asarray(self.values * 2, dtype=dtype)


def given_to_numpy(x):
    measured = Measured(x)
    return (
        np.mean(measured),
        np.asarray(measured),
        np.add(measured, 1),
        np.array([1.0]) @ x[:1],
        measured.asked,
    )


def test_an_object_gives_numpy_the_array_that_its_class_says():
    ag.check(given_to_numpy, np.array([1.0, 2.0]), then=[(np.array([3.0]),)])


class Registering(type):
    """A metaclass that has attributes of its own, under names that its classes give their objects, too."""

    noted: typing.ClassVar = []

    @property
    def size(cls):
        return 7

    @property
    def area(cls):
        return 8

    @area.setter
    def area(cls, value):
        cls.noted.append(value)


class Square(metaclass=Registering):
    def __init__(self, side):
        self.side = side

    @property
    def size(self):
        return 4 * self.side

    @property
    def area(self):
        return self.side * self.side


def test_an_attribute_that_a_metaclass_has_is_read_of_an_object_as_its_class_says():
    def measured(n):
        square = Square(n)
        return square.size, square.area, Square.size, Square.area, len(Registering.noted)

    for n in NUMBERS:
        ag.check(measured, n)
    assert Registering.noted == []
