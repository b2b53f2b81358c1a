"""Writes the pages that repeat what the code says: constructs, passes, operations, errors.

Run as ``python docs/generate.py``. A test fails while a page is older than the code.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import linecache
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from numpy.testing.overrides import get_overridable_numpy_array_functions

import autograph.errors
import runtime as rt
import runtime.errors
from autograph.backends.tensors.scalars.mathematics import FUNCTIONS
from autograph.converters import order
from docs.written.effects import effects
from docs.written.forms import ROOT, WIDTH, fenced, first_line, page, table
from docs.written.rivals import rivals
from docs.written.tensorflow import tensorflow_names
from runtime.graph.op import REGISTRY, Op
from runtime.numpy_functions.calls import COMPOSED, FOLDS
from runtime.numpy_functions.protocols import UFUNCS
from runtime.numpy_functions.refused import way_out
from runtime.numpy_functions.table import TABLE, left_out
from runtime.numpy_functions.table import title as numpy_title
from runtime.numpy_functions.writing import WRITERS
from runtime.ops.families import Family
from runtime.passes import pipeline
from tests.standard.functions import FAMILIES, NEEDS_LENGTHS, OF_OTHER_SUITES
from tests.standard.test_bad_input import CASES
from tests.standard.test_oracle import CALLS
from tests.standard.test_special_cases import COMPLEX, REAL

OPS = "runtime.ops."
ERROR_EXAMPLES = ROOT / "tests" / "golden" / "errors"
"""Of the prose, in characters."""


# ── docstrings ──


def when_and_way_out(error: type[Exception]) -> tuple[str, str]:
    """What the docstring of an error says first, and what after that; numpydoc's sections left out."""
    prose = re.split(r"\n\n\w+\n-+\n", inspect.getdoc(error) or "")[0]
    when, _, way_out = prose.partition("\n\n")
    return " ".join(when.split()), " ".join(way_out.split())


def illustrated(docstring: str, language: str) -> str:
    """A docstring with each doctest as two blocks, what goes in and what comes out."""
    parts = doctest.DocTestParser().parse(docstring)
    shown = [picture(part, language) if isinstance(part, doctest.Example) else part.strip() for part in parts]
    return "\n\n".join(filter(None, shown))


def picture(example: doctest.Example, language: str) -> str:
    """The code that an example is given, and the code that it prints; nothing for its imports."""
    texts = [
        node.value
        for node in ast.walk(ast.parse(example.source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    if not texts:
        return ""
    before, after = (
        f"```{language}\n{textwrap.dedent(text).strip()}\n```" for text in (texts[0], example.want)
    )
    return before if before == after else f"{before}\n\nbecomes\n\n{after}"


def reasons(module: ModuleType, name: str) -> Iterator[str]:
    """The comment beside each element of a tuple or dict that a module assigns to a name."""
    source = inspect.getsource(module)
    lines = source.splitlines()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == name:
            value: Any = statement.value
            elements: list[ast.expr] = getattr(value, "keys", None) or value.elts
            for element in elements:
                yield lines[element.lineno - 1].partition("#")[2].strip()


# ── Markdown ──


def link(module: ModuleType) -> str:
    """A module's file, as a link from a page in this folder."""
    path = module.__name__.replace(".", "/")
    return f"[`{path}.py`](../{path}.py)"


def section(module: ModuleType, language: str) -> str:
    """A module's docstring under the module's name, and where to read on."""
    name = module.__name__.rpartition(".")[2]
    return "\n\n".join([f"## {name}", illustrated(inspect.getdoc(module) or "", language), link(module)])


# ── pages ──


def constructs() -> str:
    """The converters in order: the reason for each place, and the picture in each file."""
    groups = list(zip(order.ORDER, reasons(order, "ORDER"), strict=True))
    rows = [
        (str(number), ", ".join(f"`{converter.__name__}`" for converter in group), reason)
        for number, (group, reason) in enumerate(groups, start=1)
    ]
    modules = [sys.modules[converter.__module__] for group, _ in groups for converter in group]
    return page(
        "Constructs",
        "the docstrings of `autograph/converters/` and the queue in `order.py`",
        "What becomes of each construct of Python, in the order in which they are converted. "
        "Each picture shows one converter at work, and the others not yet.",
        table(" | converters | why here", rows),
        *[section(module, "py") for module in modules],
    )


def passes() -> str:
    """The passes in order: the reason for each place, and the picture in each file."""
    queue = enumerate(zip(pipeline.PASSES, reasons(pipeline, "PASSES"), strict=True), start=1)
    rows = [(str(number), f"[{name}](#{name})", reason) for number, (name, reason) in queue]
    return page(
        "Passes",
        "the docstrings of `runtime/passes/` and the queue in `pipeline.py`",
        "What the optimiser does with a graph: these passes in turn, again and again, until none changes it. "
        "Each picture shows one pass at work, and the others not; what it leaves unused is for `drop_dead`.",
        table(" | pass | why here", rows),
        *[section(sys.modules[run.__module__], "text") for run in pipeline.PASSES.values()],
    )


def operations_of(name: str) -> str:
    """The public functions and the ops of one family."""
    public = list(functions())
    ops = [op for op in REGISTRY.values() if op.__module__.startswith(OPS)]
    makers: dict[str, list[str]] = {}
    for called, function in public:
        for used in sorted(names_used(function)):
            makers.setdefault(used, []).append(f"`{called}`")
    calls = [(f"`{shown}`", first_line(thing)) for shown, thing in public if family(thing) == name]
    nodes = [op_row(op, makers.get(op.__name__, [])) for op in ops if family(op) == name]
    sections = [table("function | ", calls)] if calls else []
    sections += [table("op | | fields | kind | made by | in a GraphDef", nodes)] if nodes else []
    return page(
        f"Operations: {name}",
        f"`runtime/ops/{name}` and its docstrings",
        first_line(sys.modules[OPS + name]),
        *sections,
        "[All families](../ops.md)",
    )


def operations() -> str:
    """Which families of ops there are, and what is in each."""
    public = list(functions())
    rows = [
        (
            f"[{name}](ops/{name}.md)",
            first_line(sys.modules[OPS + name]),
            ", ".join(f"`{shown}`" for shown, thing in public if family(thing) == name),
        )
        for name in families()
    ]
    return page(
        "Operations",
        "the registry of ops and their docstrings",
        "By family: the functions that people call, and the ops that graphs are made of. An op without a "
        "function is made by an operator, an index, a variable, a list or a staged statement. Two more are "
        "built into graphs: `Placeholder`, an input, and `Const`, a value that is the same in every run.",
        table("family | | functions", rows),
    )


def families() -> list[str]:
    """The files and folders of `runtime.ops` that have functions or ops."""
    ops = [op for op in REGISTRY.values() if op.__module__.startswith(OPS)]
    return sorted({family(thing) for thing in [*ops, *(function for _, function in functions())]})


def names_used(function: Any) -> set[str]:
    """The names that a function uses, by itself and through the private functions beside it."""
    found: set[str] = set()
    waiting = [function]
    for each in waiting:
        function = inspect.unwrap(each)
        if inspect.isfunction(function):
            names = _names(function.__code__) - found
            found |= names
            waiting += [function.__globals__.get(name) for name in sorted(names) if name.startswith("_")]
    return found


def _names(code: CodeType) -> set[str]:
    """The names in code, and in its comprehensions, which Python 3.11 compiles apart."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of the ops, and the name by which each is called."""
    spaces = {"rt.": rt, "rt.fft.": rt.fft, "rt.linalg.": rt.linalg, "rt.random.": rt.random}
    for space, module in spaces.items():
        for name in module.__all__:
            thing = inspect.unwrap(getattr(module, name))
            if getattr(thing, "__module__", "").startswith(OPS):
                yield f"{space}{name}", thing


def family(thing: Any) -> str:
    """The module, or the folder, of `runtime.ops` that a function or an op is in."""
    module: str = thing.__module__
    return module.removeprefix(OPS).partition(".")[0]


def op_row(op: type[Op], makers: list[str]) -> tuple[str, ...]:
    """What the registry says of one op."""
    kinds = [base.__name__ for base in op.__mro__ if base.__module__ == Family.__module__]
    kind = next((name for name in kinds if name != Family.__name__), "")
    fields = ", ".join(f"`{name}`" for name in op.fields)
    return names_of(op), first_line(op), fields, kind, ", ".join(makers), in_a_graphdef(op)


def names_of(op: type[Op]) -> str:
    """What an op is called in graphs: by more than one name where its effects decide."""
    return " or ".join(f"`{name}`" for name in op.names)


def in_a_graphdef(op: type[Op]) -> str:
    """What TensorFlow calls an op, or why it has no name for it."""
    if not issubclass(op, Family):
        return names_of(op)
    if op.graphdef is not None:
        return f"`{op.graphdef.op}`"
    return "by its `to_graphdef`" if op.to_graphdef else f"none: {op.why_no_graphdef}"


def errors() -> str:
    """Every error and warning under its identifier, with programs that meet it and what mends them."""
    rows = [(identifier_link(kind), f"`{kind.__name__}`", first_line(kind)) for kind in explained()]
    return page(
        "Errors",
        "`runtime/errors.py`, `autograph/errors.py` and the programs in `tests/golden/errors/`",
        "A message says what happened, where, why, and the way out. It ends with an identifier, which is "
        "explained here by programs that fail, by what they say, and by the same programs mended; "
        "`autograph error state-disagrees` shows the same. An error raised while a graph runs names the "
        "line that made the operation. Exceptions of Python's own keep "
        "their type and text; a note says the line.",
        table("identifier | class | when", rows),
    )


def explained() -> list[Any]:
    """The errors and warnings that have an identifier, in its order."""
    kinds = [*exceptions(autograph.errors), *exceptions(runtime.errors)]
    return sorted((kind for kind in kinds if kind.identifier), key=lambda kind: kind.identifier)


def errors_of(kind: Any) -> str:
    """What one identifier means."""
    heading, *parts = error_section(kind).split("\n\n")
    body = "\n\n".join(parts).replace("\n### ", "\n## ")
    source = f"its docstring and `tests/golden/errors/{kind.identifier}/`"
    note = f"*Written by `python docs/generate.py` from {source}.*"
    return "\n\n".join([heading.replace("## ", "# "), note, body, "[All errors](../errors.md)"]) + "\n"


def strict() -> str:
    """What strict mode refuses: the programs, what they say, and the same programs by default."""
    kinds = runtime.errors.Refused.__subclasses__()
    rows = [
        (example.title, example.happened, identifier_link(kind))
        for kind in kinds
        for example in error_examples(kind.identifier)
    ]
    return page(
        "Strict mode",
        "the programs in `tests/golden/errors/`",
        "By default, what plain Python accepts works in a graph. Strict mode refuses what TensorFlow's "
        "AutoGraph refuses, in its words, so that people find what has been written about them. It is asked "
        "for one function by `@ag.function(strict=True)`, and for all that do not say otherwise by "
        "`ag.set_strict(True)` or by `AUTOGRAPH_STRICT=1` in the environment when they are traced. What a "
        "strict function calls is held to it, unless it is made by `ag.function` itself. The dtypes of "
        "Python numbers stay those of NumPy.",
        table("program | what strict mode says | identifier", rows),
        *[error_section(kind) for kind in kinds],
    )


def identifier_link(error: Any) -> str:
    """An identifier, as a link from a page in this folder to its section."""
    refused = issubclass(error, runtime.errors.Refused)
    place = f"strict.md#{error.identifier}" if refused else f"errors/{error.identifier}.md"
    return f"[{error.identifier}]({place})"


def exceptions(module: ModuleType) -> list[Any]:
    """The exceptions and warnings that a module defines, as it orders them."""
    classes = [thing for thing in vars(module).values() if isinstance(thing, type)]
    return [kind for kind in classes if issubclass(kind, Exception) and kind.__module__ == module.__name__]


def as_imported(kind: type) -> str:
    """What a program calls a class; those of NumPy's bear the names of ours."""
    home = kind.__module__
    return f"np{home.removeprefix('numpy')}.{kind.__name__}" if home.startswith("numpy") else kind.__name__


def error_section(error: Any) -> str:
    """What an identifier means, what else catches its class, and its examples."""
    others = [base for base in error.__mro__[1:] if not issubclass(Exception, base)]
    caught = ", ".join(f"`{as_imported(base)}`" for base in others)
    parts = [f"## {error.identifier}", f"`{error.__module__}.{error.__name__}`, caught as {caught}."]
    parts += [textwrap.fill(" ".join(when_and_way_out(error)), WIDTH)]
    mended = "By default:" if issubclass(error, runtime.errors.Refused) else "Mended:"
    for example in error_examples(error.identifier):
        parts += [f"### {example.title}", fenced(example.fails, "py"), fenced(example.message, "text")]
        parts += [mended, fenced(example.works, "py")]
    return "\n\n".join(parts)


@dataclass(frozen=True)
class ErrorExample:
    """A program that fails, and the same program mended; both begin with the lines above `# fails`."""

    path: Path
    title: str
    fails: str
    works: str

    @property
    def golden(self) -> Path:
        """The file that holds the message."""
        return self.path.with_suffix(".err")

    @property
    def message(self) -> str:
        """What the program that fails says."""
        return self.golden.read_text(encoding="utf-8")

    @property
    def happened(self) -> str:
        """The first line of that, without the name of the class."""
        return self.message.partition("\n")[0].partition(": ")[2]


def error_examples(identifier: str) -> list[ErrorExample]:
    """The examples of an error: the files in the folder of its name."""
    return [error_example(path) for path in sorted((ERROR_EXAMPLES / identifier).glob("*.py"))]


def error_example(path: Path) -> ErrorExample:
    """The example in a file: a title as docstring, lines for both programs, `# fails`, and `# works`."""
    head, fails, works = re.split(r"(?m)^# (?:fails|works)\n", path.read_text(encoding="utf-8"))
    _, title, common = head.split('"""', 2)
    programs = [f"{common.strip()}{gap(common, rest)}{rest.strip()}\n" for rest in (fails, works)]
    return ErrorExample(path, title.rstrip("."), *programs)


def gap(before: str, after: str) -> str:
    """The end of a line, and two empty lines beside a definition, or one between statements."""
    last = before.rstrip().rpartition("\n")[2]
    return "\n" * (3 if last.startswith(" ") or after.startswith(("@", "def ", "class ")) else 2)


def standard() -> str:
    """The functions of the Array API standard by family, and what the tests compare of each."""
    refused = Counter(name for name, *_ in CASES)
    special = Counter(name for cases in (REAL, COMPLEX) for name in cases for _ in cases[name])
    sections = []
    for family, names in FAMILIES.items():
        sections.append(f"## {family[0].upper()}{family[1:]} functions")
        if family in OF_OTHER_SUITES:
            home = OF_OTHER_SUITES[family]
            listed = ", ".join(f"`rt.{name}`" for name in names)
            sections.append(textwrap.fill(f"{listed}: compared by [`{home}`](../{home}).", WIDTH))
            continue
        rows = [
            (
                f"`rt.{name}`",
                *["yes" if name in CALLS else ""] * 2,
                NEEDS_LENGTHS.get(name, "yes" if name in CALLS else ""),
                number(special[name]),
                number(refused[name]),
            )
            for name in names
        ]
        header = "function | at once | known dims | unknown dims | special cases | refusals"
        sections.append(table(header, rows))
    return page(
        "The Array API standard",
        "`array_api_strict` and the tables in `tests/standard/`",
        f"The functions of the standard's version {rt.__array_api_version__}, and how each is checked. Calls "
        "made by chance, of every dtype that the standard allows, of shapes of up to four axes and of empty "
        "ones, give what `array_api_strict` gives: the same dtype, shape and values, signs of zeros "
        "included. They are made at once, in graphs of known dims, and in graphs of unknown ones, these on "
        "every executor. Special cases are those of the standard's text, number by number. Refusals are "
        "wrong axes, shapes, dtypes and values, and objects that are no arrays. An empty field is a hole.",
        *sections,
    )


def number(count: int) -> str:
    """A count; nothing where there is none."""
    return str(count) if count else ""


def numpy_functions() -> str:
    """NumPy's functions by module: those that take tensors, and what to write in a graph for the others."""
    there: dict[str, list[str]] = {}
    for function in sorted([*TABLE, *WRITERS], key=numpy_title):
        name = numpy_title(function)
        missing = without(function) if function in TABLE else ""
        there.setdefault(name.rpartition(".")[0], []).append(f"`{name}`{missing}")
    names = set(map(numpy_title, [*TABLE, *WRITERS]))
    others = {
        numpy_title(function): function
        for function in get_overridable_numpy_array_functions()
        if not any(word in numpy_title(function) for word in OF_OTHER_DATA)
    }
    refused = [(f"`{name}`", way_out(others[name])) for name in sorted(others.keys() - names)]
    ufuncs = sorted(f"`np.{each.__name__}`" for each in {*UFUNCS, *COMPOSED} if each is not None)
    folds = ", ".join(f"`np.{each.__name__}.{method}`" for each, method in FOLDS if method != "reduce")
    newer = {"fma", "sumprod"}  # than the oldest Python that writes this page
    of_math = sorted(f"`math.{each.__name__}`" for each in FUNCTIONS if each.__name__ not in newer)
    return page(
        "NumPy and math",
        "the tables of `runtime/numpy_functions/` and `autograph/backends/tensors/scalars/mathematics.py`",
        "NumPy's functions take tensors, and give what they give for arrays, with the same dtypes: at once "
        "in eager code, as operations in a graph. Lengths that only the run knows, as of `np.unique`, are "
        "unknown dims. What NumPy warns of, graphs do as well, when they run; `np.linalg.eig` always gives "
        "complex numbers, since the dtype cannot wait for the values. Sorting and parting leave equal "
        "elements in NumPy's order, which depends on the processor unless `kind` says otherwise; `rt.sort` "
        "is stable.",
        textwrap.fill(
            f"Of the {len(names | others.keys())} functions that NumPy lets others take over, {len(names)} "
            f"are here, and {len(refused)} [convert](#others). Ufuncs of other libraries are ops as well "
            "(`ForeignUfunc`). In converted code, `np.r_`, `np.c_`, `np.mgrid` and `np.ogrid` take tensors "
            "in their index.",
            WIDTH,
        ),
        "## Ufuncs",
        textwrap.fill(f"{', '.join(ufuncs)}; their methods `outer` and `reduce`, and {folds}.", WIDTH),
        *[
            text
            for module, listed in there.items()
            for text in (
                f"## {module}",
                textwrap.fill(f"{', '.join(listed)}.", WIDTH, break_on_hyphens=False),
            )
        ],
        "## math",
        textwrap.fill(
            f"In converted code these take tensors of a graph, each a single number: {', '.join(of_math)}. "
            "They compute in double precision at least, as for Python's floats, and give integers where "
            "Python does. What Python raises of their arguments, a graph raises when it runs. A tensor that "
            "has its value is a number like any other, and gives one of Python's.",
            WIDTH,
        ),
        "## Others",
        "These convert a tensor that has its value to an array, and give arrays. They refuse a tensor of a "
        "graph.",
        table("function | in a graph, instead", refused),
    )


OF_OTHER_DATA = (
    *("busday", "char.", "datetime", "recfunctions", "scimath", "txt"),
    *("frombuffer", "fromfile", "fromfunction", "fromiter", "fromstring", "require"),
    *("np.char.", "np.strings.", "np.polynomial."),  # which NumPy lists once something has loaded them
)
"""What is in the names of functions for which no tensor is an argument."""


def without(function: Callable[..., Any]) -> str:
    """The parameters that a function does not take where a tensor is, but for those that none has."""
    unheard = {"device", "dtype", "like", "ndmax", "order", "out"}
    names = [name for name in left_out(function) if name not in unheard]
    return f" (without {', '.join(f'`{name}`' for name in names)})" if names else ""


NETWORK = """\
@ag.function
def network(rows, weights):
    state, states = rt.zeros(4), []
    for row in rows:
        state = rt.tanh(weights @ state + row)
        if rt.max(state) > 0.9:
            print("saturated:", state)
        states.append(state)
    return rt.stack(states), state
"""


def network() -> str:
    """The picture of a recurrent network that README.md and pictures.md show."""
    linecache.cache["network.py"] = len(NETWORK), None, NETWORK.splitlines(keepends=True), "network.py"
    names: dict[str, Any] = {"ag": autograph, "rt": rt}
    exec(compile(NETWORK, "network.py", "exec"), names)  # noqa: S102  # it is a text above
    specs = rt.TensorSpec((None, 4), rt.float64), rt.TensorSpec((4, 4), rt.float64)
    drawn: str = names["network"].get_concrete_function(*specs).graph.to_svg()
    return f"{drawn}\n"


PAGES: dict[str, Callable[[], str]] = {
    "constructs.md": constructs,
    "effects.md": effects,
    "errors.md": errors,
    "numpy.md": numpy_functions,
    "ops.md": operations,
    "passes.md": passes,
    "pictures/network.svg": network,
    "pictures/rivals.svg": rivals,
    "standard.md": standard,
    "strict.md": strict,
    "tensorflow-names.md": tensorflow_names,
}
PAGES |= {f"ops/{name}.md": partial(operations_of, name) for name in families()}
PAGES |= {
    f"errors/{kind.identifier}.md": partial(errors_of, kind)
    for kind in explained()
    if not issubclass(kind, runtime.errors.Refused)
}
"""What writes each page of this folder that is generated."""


if __name__ == "__main__":
    for name, write in PAGES.items():
        (ROOT / "docs" / name).parent.mkdir(exist_ok=True)
        (ROOT / "docs" / name).write_text(write(), encoding="utf-8")
