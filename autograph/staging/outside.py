"""Tables of library calls with effects (clocks, files, random numbers): what each touches and gives.

Code that is not converted runs while a program is traced. That is right for what only computes. What asks a
clock, draws a random number, reads a file or writes a log has to do so on every run of a graph, in its turn:
so a backend is asked whether it puts such a call off (`Backend.outside`).

The tables are data: names, and for each what it touches and how it is known what it gives. The page
`docs/effects.md` is written from them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from types import BuiltinFunctionType, ModuleType
from typing import Any, Literal, TypeAlias

from autograph_base.dataclass import dataclass
from autograph_base.packages import OURS

__all__ = ["FUNCTIONS", "PURE", "RECEIVERS", "Known", "is_pure", "known", "known_method"]

Gives: TypeAlias = Literal[
    "asked",
    "array",
    "drawn",
    "None",
    "bool",
    "int",
    "float",
    "str",
    "file",
    "in place",
    "declared",
    "settings",
    "filters",
    "refused",
]
"""How it is known what a call gives.

`asked`: it may be called while tracing, too, and nobody notices; `array`: likewise, but for the lengths of
the array that it gives, which only the run knows. `drawn`: it is called on a copy of the
object that it is a method of. `file`: an open file. `in place`: its argument in another order. `declared`:
the call says it. `settings`: it says how errors of floats are told, and `filters` what becomes of warnings.
`refused`: nobody knows. All others name what it gives.
"""


@dataclass(frozen=True)
class Known:
    """A callable that touches the world.

    Attributes
    ----------
    touches : str
        What of the world.
    gives : str
        How it is known what it gives.
    names_caller : bool
        Whether it looks at the lines that call it.
    only_computes : bool
        Whether it only looks at its arguments: it may be called while tracing, where all of them are known.
    """

    touches: str
    gives: Gives
    names_caller: bool = False
    only_computes: bool = False


def _table(*rows: tuple[str, str, Known]) -> dict[str, Known]:
    """Rows of a module or class, names in it, and what they are."""
    return {f"{home}.{name}": known for home, names, known in rows for name in names.split()}


_CLOCK = "the clock"
_NUMBERS = "random numbers"
_FILES = "files"
_LOG = "the log"
_SYSTEM = "the system"
_ERRORS = "how NumPy tells errors of floats"
_TEXT = "nothing: it makes text of values, those of a run when the graph runs"

FUNCTIONS: Mapping[str, Known] = _table(
    ("time", "time monotonic perf_counter process_time thread_time", Known(_CLOCK, "float")),
    ("time", "time_ns monotonic_ns perf_counter_ns process_time_ns thread_time_ns", Known(_CLOCK, "int")),
    ("time", "ctime asctime strftime", Known(_CLOCK, "str")),
    ("time", "gmtime localtime", Known(_CLOCK, "asked")),
    ("time", "sleep", Known(_CLOCK, "None")),
    ("datetime.datetime", "now today utcnow", Known(_CLOCK, "asked")),
    ("datetime.date", "today", Known(_CLOCK, "asked")),
    ("numpy.random", "default_rng", Known(_NUMBERS, "asked")),
    ("numpy.random", "seed", Known(_NUMBERS, "None")),
    ("numpy.random.mtrand", "seed", Known(_NUMBERS, "None")),
    ("numpy.random._generator", "default_rng Generator", Known(_NUMBERS, "asked")),
    ("numpy.random.mtrand", "RandomState", Known(_NUMBERS, "asked")),
    ("numpy.random._pcg64", "PCG64 PCG64DXSM", Known(_NUMBERS, "asked")),
    ("numpy.random._philox", "Philox", Known(_NUMBERS, "asked")),
    ("numpy.random._sfc64", "SFC64", Known(_NUMBERS, "asked")),
    ("numpy.random._mt19937", "MT19937", Known(_NUMBERS, "asked")),
    ("numpy.random.bit_generator", "SeedSequence", Known(_NUMBERS, "asked")),
    ("random", "Random SystemRandom", Known(_NUMBERS, "asked")),
    ("secrets", "token_hex token_urlsafe", Known(_NUMBERS, "str")),
    ("secrets", "randbelow randbits", Known(_NUMBERS, "int")),
    ("secrets", "choice token_bytes", Known(_NUMBERS, "asked")),
    ("uuid", "uuid1 uuid4", Known(_NUMBERS, "asked")),
    ("posix", "urandom", Known(_NUMBERS, "asked")),
    ("nt", "urandom", Known(_NUMBERS, "asked")),
    ("builtins", "input", Known("the input", "str")),
    ("io", "open", Known(_FILES, "file")),
    ("_io", "open", Known(_FILES, "file")),
    ("_io", "StringIO BytesIO", Known(_FILES, "asked")),
    ("numpy", "save savetxt savez savez_compressed", Known(_FILES, "None")),
    ("numpy", "load loadtxt genfromtxt fromfile fromregex", Known(_FILES, "array")),
    ("numpy", "memmap", Known(_FILES, "refused")),
    ("os", "getenv", Known(_SYSTEM, "asked")),
    ("os", "putenv unsetenv", Known(_SYSTEM, "None")),
    ("posix", "getcwd", Known(_SYSTEM, "str")),
    ("posix", "getpid getppid", Known(_SYSTEM, "int")),
    ("posix", "mkdir remove rename replace rmdir unlink chdir", Known(_FILES, "None")),
    ("os", "makedirs removedirs", Known(_FILES, "None")),
    ("posix", "listdir system", Known(_FILES, "refused")),
    ("genericpath", "exists isfile isdir", Known(_FILES, "bool")),
    ("posixpath", "exists isfile isdir lexists", Known(_FILES, "bool")),
    ("genericpath", "getsize", Known(_FILES, "int")),
    ("genericpath", "getmtime getatime getctime", Known(_FILES, "float")),
    ("_thread", "start_new_thread", Known(_SYSTEM, "refused")),
    ("_thread", "get_ident get_native_id", Known(_SYSTEM, "int")),
    ("sys", "getrecursionlimit", Known(_SYSTEM, "int")),
    ("subprocess", "run call check_call check_output Popen", Known(_SYSTEM, "refused")),
    ("_warnings", "warn", Known("warnings", "None", names_caller=True)),
    ("warnings", "warn", Known("warnings", "None", names_caller=True)),
    ("warnings", "catch_warnings filterwarnings resetwarnings simplefilter", Known("warnings", "filters")),
    ("logging", "debug info warning warn error critical fatal exception log", Known(_LOG, "None", True)),
    ("logging", "basicConfig disable", Known(_LOG, "None")),
    ("gc", "collect", Known(_SYSTEM, "int")),
    ("numpy", "errstate seterr", Known(_ERRORS, "settings")),
    ("numpy", "seterrcall", Known(_ERRORS, "refused")),
    ("numpy", "array2string array_repr array_str", Known(_TEXT, "str", only_computes=True)),
    ("numpy", "base_repr binary_repr", Known(_TEXT, "str", only_computes=True)),
    ("numpy", "format_float_positional format_float_scientific", Known(_TEXT, "str", only_computes=True)),
    ("json", "dumps", Known(_TEXT, "str", only_computes=True)),
    ("pprint", "pformat saferepr", Known(_TEXT, "str", only_computes=True)),
    ("textwrap", "dedent fill indent shorten", Known(_TEXT, "str", only_computes=True)),
    ("re", "sub escape", Known(_TEXT, "str", only_computes=True)),
    ("html", "escape unescape", Known(_TEXT, "str", only_computes=True)),
    ("string", "capwords", Known(_TEXT, "str", only_computes=True)),
    ("runtime.ops.host", "host_call", Known("what its function does", "declared")),
)
"""Functions and classes, by module and name."""

RECEIVERS: Mapping[str, Mapping[str, Known]] = {
    "re.Pattern": _table(("", "sub", Known(_TEXT, "str", only_computes=True))),
    "random.SystemRandom": {
        **_table(("", "shuffle", Known(_NUMBERS, "in place"))),
        "": Known(_NUMBERS, "asked"),
    },
    "random.Random": {
        **_table(
            ("", "seed setstate", Known(_NUMBERS, "None")), ("", "shuffle", Known(_NUMBERS, "in place"))
        ),
        "": Known(_NUMBERS, "drawn"),
    },
    "numpy.random._generator.Generator": {
        **_table(("", "shuffle", Known(_NUMBERS, "in place"))),
        "": Known(_NUMBERS, "drawn"),
    },
    "numpy.random.mtrand.RandomState": {
        **_table(
            ("", "seed set_state", Known(_NUMBERS, "None")), ("", "shuffle", Known(_NUMBERS, "in place"))
        ),
        "": Known(_NUMBERS, "drawn"),
    },
    "numpy.random.bit_generator.BitGenerator": {"": Known(_NUMBERS, "drawn")},
    "numpy.random.bit_generator.SeedSequence": {"": Known(_NUMBERS, "drawn")},
    "logging.Logger": _table(
        ("", "debug info warning warn error critical fatal exception log", Known(_LOG, "None", True)),
        ("", "addHandler removeHandler addFilter removeFilter setLevel handle", Known(_LOG, "None")),
        ("", "isEnabledFor hasHandlers", Known(_LOG, "bool")),
        ("", "getEffectiveLevel", Known(_LOG, "int")),
    ),
    "logging.LoggerAdapter": _table(
        ("", "debug info warning warn error critical exception log", Known(_LOG, "None", True)),
        ("", "isEnabledFor hasHandlers", Known(_LOG, "bool")),
    ),
    "_io._TextIOBase": _table(("", "read readline getvalue", Known(_FILES, "str"))),
    "_io._IOBase": {
        **_table(
            ("", "write seek tell truncate fileno", Known(_FILES, "int")),
            ("", "flush close writelines", Known(_FILES, "None")),
            ("", "readable writable seekable isatty", Known(_FILES, "bool")),
        ),
        "": Known(_FILES, "refused"),
    },
    "_contextvars.ContextVar": _table(("", "set reset", Known(_SYSTEM, "refused"))),
    "numpy.ndarray": _table(("", "tofile dump", Known(_FILES, "None"))),
    "threading.Event": _table(
        ("", "is_set wait", Known(_SYSTEM, "bool")), ("", "set clear", Known(_SYSTEM, "None"))
    ),
    "_thread.lock": _table(("", "locked", Known(_SYSTEM, "refused"))),
    "threading.Thread": _table(("", "start join", Known(_SYSTEM, "refused"))),
    "concurrent.futures._base.Executor": _table(("", "submit map shutdown", Known(_SYSTEM, "refused"))),
    "pathlib.Path": _table(
        ("", "exists is_dir is_file is_symlink", Known(_FILES, "bool")),
        ("", "read_text", Known(_FILES, "str")),
        ("", "write_text write_bytes", Known(_FILES, "int")),
        ("", "mkdir rmdir touch unlink", Known(_FILES, "None")),
        ("", "open", Known(_FILES, "file")),
        ("", "glob iterdir read_bytes rename replace rglob stat", Known(_FILES, "refused")),
    ),
}
"""Methods, by the class that an object is of, or one above it; "" stands for all that are not named."""

PURE = frozenset(
    {
        *("_abc", "_bisect", "_bootlocale", "_codecs", "_collections", "_collections_abc", "_contextvars"),
        *("_decimal", "_functools", "_heapq", "_io", "_json", "_logging", "_operator", "_random", "_sre"),
        *("_statistics", "_struct", "_thread", "_warnings", "_weakref", "_weakrefset", "abc", "argparse"),
        *("array", "array_api_compat", "ast", "base64", "binascii", "bisect", "builtins", "calendar"),
        *("cmath", "codecs", "collections", "colorsys", "contextlib", "contextvars", "copy", "copyreg"),
        *("dataclasses", "datetime", "decimal", "difflib", "dis", "enum", "fractions", "functools"),
        *("genericpath", "graphlib", "hashlib", "heapq", "html", "inspect", "io", "ipaddress", "itertools"),
        *("json", "keyword", "locale", "logging", "math", "ml_dtypes", "numbers", "numpy", "opcode"),
        *("operator", "pathlib", "pickle", "posixpath", "ntpath", "pprint", "queue", "random", "re"),
        *("reprlib", "scipy", "shlex", "statistics", "string", "struct", "sys", "textwrap"),
        *("threading", "time", "traceback", "types", "typing", "typing_extensions", "unicodedata", "uuid"),
        *("warnings", "weakref", "zlib", "pytest", "_pytest", "unittest", "hypothesis", "sysconfig"),
        *("collections.abc", "os.path", "zoneinfo", "linecache", "tokenize", "token", "gettext", "secrets"),
        *("fnmatch", "mimetypes", "platform", "tomllib", "urllib.parse"),
        *OURS,
    }
)
"""Modules whose functions only compute, or speak about the program itself, but for those in `FUNCTIONS`; of a
package all its modules."""


_READING = frozenset(
    {"copy", "digest", "find", "findall", "findtext", "get", "hexdigest", "items", "iter", "keys"}
)
"""Methods of objects of `PURE_BUT_OBJECTS` that change nothing."""

PURE_BUT_OBJECTS = frozenset(
    {
        *(
            "_blake2",
            "_bz2",
            "_csv",
            "_elementtree",
            "_hashlib",
            "_locale",
            "_lzma",
            "_md5",
            "_pickle",
            "_sha1",
        ),
        *("_sha2", "_sha256", "_sha3", "_sha512", "bz2", "configparser", "csv", "hmac", "lzma", "pyexpat"),
        *("quopri", "xml"),
    }
)
"""Modules whose functions and classes only compute, as those in `PURE`, and whose objects may be there before
a call that changes them: a hash that is fed, a table that is written."""


_ENVIRONMENT = type(os.environ)
"""What a process is told when it starts: a program reads it while it is traced."""


def known(callee: Any) -> Known | None:
    """What is known of a callable that touches the world; None where it does not, or nobody knows.

    Parameters
    ----------
    callee : callable

    Returns
    -------
    Known or None

    Examples
    --------
    >>> import random, time
    >>> known(time.time).gives, known(random.gauss).touches, known(len)
    ('float', 'random numbers', None)
    """
    if isinstance(callee, partial):
        return known(callee.func)
    own = getattr(callee, "__self__", None)
    if own is not None and not isinstance(own, (ModuleType, type)):
        name = getattr(callee, "__name__", "")
        return known_method(type(own), name)  # type: ignore[arg-type]  # a class is hashable
    name = getattr(callee, "__qualname__", None)
    if type(name) is not str:
        return None
    if isinstance(own, type):
        return next((FUNCTIONS[each] for each in _names(own, callee.__name__) if each in FUNCTIONS), None)
    return FUNCTIONS.get(f"{getattr(callee, '__module__', None)}.{name}")


def _names(kind: type, name: str) -> Iterator[str]:
    return (f"{base.__module__}.{base.__qualname__}.{name}" for base in kind.__mro__)


@lru_cache(maxsize=4096)
def known_method(kind: type, name: str) -> Known | None:
    """What is known of a method of a class.

    Parameters
    ----------
    kind : type
    name : str

    Returns
    -------
    Known or None
    """
    for base in kind.__mro__:
        methods = RECEIVERS.get(f"{base.__module__}.{base.__qualname__}")
        if methods is not None:
            found = methods.get(f".{name}", methods.get(""))
            if found is not None:
                return found
    return None


def is_pure(callee: Any) -> bool:
    """Whether a callable that is not converted is known to compute only, or belongs to the program.

    Parameters
    ----------
    callee : callable
        One of which `known` says nothing.

    Returns
    -------
    bool
    """
    while isinstance(callee, partial):
        callee = callee.func
    own: Any = getattr(callee, "__self__", None)
    changes_nothing = True
    if own is not None and not isinstance(own, ModuleType):
        changes_nothing = isinstance(own, type) or callee.__name__ in _READING
        callee = own if isinstance(own, type) else type(own)
    elif not hasattr(callee, "__qualname__"):
        callee = type(callee)
    module = str(getattr(callee, "__module__", None) or "builtins")
    home = module.partition(".")[0]
    if home in PURE or module in PURE or callee is _ENVIRONMENT:
        return True
    if changes_nothing and home in PURE_BUT_OBJECTS:
        return True
    return home.lstrip("_") not in sys.stdlib_module_names and not isinstance(callee, BuiltinFunctionType)
