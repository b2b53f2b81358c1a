"""Code that a function reaches in any way reads what is outside by now, whatever carries it."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

PROGRAMS = {
    "namedtuple": """
from typing import NamedTuple
class P(NamedTuple):
    x: int
    def go(self, n): return self.x + n * K
p = P(1)
def f(n): return p.go(n)
""",
    "an exception": """
class E(Exception):
    def go(self, n): return n * K
def f(n):
    try: raise E("x")
    except E as e: return e.go(n)
""",
    "a metaclass": """
class M(type):
    def go(cls, n): return n * K
class A(metaclass=M): pass
def f(n): return A.go(n)
""",
    "partialmethod": """
import functools
class A:
    def base(self, m, n): return n * K + m
    go = functools.partialmethod(base, 3)
a = A()
def f(n): return a.go(n)
""",
    "singledispatch": """
import functools
@functools.singledispatch
def go(n): return n * K
@go.register
def _(n: str): return 0
def f(n): return go(n)
""",
    "singledispatchmethod": """
import functools
class A:
    @functools.singledispatchmethod
    def go(self, n): return n * K
    @go.register
    def _(self, n: str): return 0
a = A()
def f(n): return a.go(n)
""",
    "a dict of an own class": """
class D(dict):
    def __missing__(self, k): return K
d = D()
def f(n): return d["x"] + n
""",
    "decorated": """
import functools
def deco(fn):
    @functools.wraps(fn)
    def inner(*a): return fn(*a) * K
    return inner
@deco
def g(n): return n
def f(n): return g(n)
""",
    "a cached property": """
import functools
class C:
    @functools.cached_property
    def v(self): return K
def f(n): return C().v + n
""",
    "a descriptor": """
class D:
    def __get__(self, o, t=None): return K
class C: v = D()
o = C()
def f(n): return o.v + n
""",
    "__getattr__": """
class C:
    def __getattr__(self, k): return K
o = C()
def f(n): return o.v + n
""",
    "a manager": """
class C:
    def __enter__(self): return K
    def __exit__(self, *a): pass
o = C()
def f(n):
    with o as k: return n * k
""",
    "__init_subclass__": """
class B:
    def __init_subclass__(cls, **kw): cls.k = K
def f(n):
    class C(B): pass
    return C.k * n
""",
    "__set_name__": """
class D:
    def __set_name__(self, o, name): self.k = K
def f(n):
    class C: d = D()
    return C.__dict__["d"].k * n
""",
    "super()": """
class A:
    def go(self, n): return n * K
class B(A):
    def go(self, n): return super().go(n) + 1
b = B()
def f(n): return b.go(n)
""",
    "__instancecheck__": """
class M(type):
    def __instancecheck__(cls, o): return K > 3
class A(metaclass=M): pass
def f(n): return n if isinstance(n, A) else -n
""",
    "a default factory of a dataclass": """
import dataclasses
def mk(): return K
@dataclasses.dataclass
class P:
    x: int = dataclasses.field(default_factory=mk)
def f(n): return P().x + n
""",
    "vectorize": """
import numpy as np
g = np.vectorize(lambda v: v * K)
def f(n): return g(np.arange(3)).sum() + n
""",
    "a defaultdict outside": """
import collections
d = collections.defaultdict(lambda: K)
def f(n):
    v = d[1] + n
    del d[1]
    return v
""",
    "a context manager": """
import contextlib
@contextlib.contextmanager
def c():
    yield K
def f(n):
    with c() as k: return k * n
""",
    "a generic class": """
from typing import Generic, TypeVar
T = TypeVar("T")
class C(Generic[T]):
    def go(self, n): return n * K
def f(n): return C[int]().go(n)
""",
    "an alias of a generic class": """
from typing import Generic, TypeVar
T = TypeVar("T")
class C(Generic[T]):
    def go(self, n): return n * K
D = C[int]
def f(n): return D().go(n)
""",
    "total_ordering": """
import functools
@functools.total_ordering
class C:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v * K
def f(n): return n if C(3) >= C(1) else -n
""",
    "a weak method": """
import weakref
class C:
    def go(self, n): return n * K
c = C()
r = weakref.WeakMethod(c.go)
def f(n): return r()(n)
""",
    "a namespace": """
import types
o = types.SimpleNamespace(a=lambda n: n * K)
def f(n): return o.a(n)
""",
    "re.sub": """
import re
def f(n): return len(re.sub("a", lambda m: "x" * K, "banana")) + n
""",
    "a UserDict": """
import collections
class U(collections.UserDict):
    def __missing__(self, k): return K
u = U()
def f(n): return u["q"] + n
""",
    "a thread's local": """
import threading
class L(threading.local):
    def go(self, n): return n * K
l = L()
def f(n): return l.go(n)
""",
    "an int of an own class": """
class I(int):
    def __add__(self, o): return int(self) * K + o
i = I(3)
def f(n): return i + n
""",
    "a str of an own class": """
class S(str):
    def go(self, n): return len(self) * K + n
s = S("abc")
def f(n): return s.go(n)
""",
    "a property of a module's class": """
import types
class M(types.ModuleType):
    @property
    def v(self): return K
m = M("m")
def f(n): return m.v + n
""",
    "methodcaller": """
import operator
class A:
    def go(self, n): return n * K
a = A()
mc = operator.methodcaller("go", 3)
def f(n): return mc(a) + n
""",
    "attrgetter": """
import operator
class A:
    @property
    def v(self): return K
a = A()
g = operator.attrgetter("v")
def f(n): return g(a) + n
""",
    "bytes of an own class": """
class S(bytes):
    def go(self, n): return len(self) * K + n
s = S(b"abc")
def f(n): return s.go(n)
""",
    "an ExitStack": """
import contextlib
log = []
def cb(): log.append(K)
def f(n):
    with contextlib.ExitStack() as s:
        s.callback(cb)
    return log[-1] + n
""",
    "np.piecewise": """
import numpy as np
def f(n): return np.piecewise(np.arange(3.0), [np.arange(3) > 1], [lambda v: v * K, 0.0]).sum() + n
""",
    "a logger of an own class": """
import logging
class T(logging.Logger):
    def go(self, n): return K + n
t = T("x")
def f(n): return t.go(n)
""",
    "globals()": """
def f(n):
    return globals()["K"] + n
""",
    "__index__": """
class A:
    def __index__(self): return K
a = A()
def f(n): return list(range(20))[a] + n
""",
    "__reversed__": """
class A:
    def __reversed__(self): return iter([K, 1])
a = A()
def f(n): return list(reversed(a))[0] + n
""",
    "__array__": """
import numpy as np
class A:
    def __array__(self, dtype=None, copy=None): return np.array([K, 1.0])
a = A()
def f(n): return np.sum(a) + n
""",
    "__array_ufunc__": """
import numpy as np
class A:
    def __array_ufunc__(self, u, m, *i, **k): return K
a = A()
def f(n): return np.add(a, 1) + n
""",
}


@pytest.mark.parametrize("carrier", PROGRAMS)
def test_what_code_reads_is_read_in_each_call(carrier):
    histories = []
    for decorate in (lambda f: f, ag.function):
        f = function_of(f"K = 2\n{PROGRAMS[carrier]}", "n")
        called, found = decorate(f), []
        for n in (3, 3, 5, 1):
            found.append(float(called(np.int64(n))))
            f.__globals__["K"] += 1
        histories.append(found)
    assert histories[0] == histories[1]
