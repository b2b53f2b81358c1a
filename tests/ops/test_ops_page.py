"""`docs/ops.md` says what the registry and the docstrings say; `pytest --golden=update` writes it anew."""

import inspect
import sys
from pathlib import Path

import runtime as rt
from runtime.graph.op import REGISTRY
from runtime.ops.families import Family

PAGE = Path(__file__).parents[2] / "docs" / "ops.md"
HEAD = """# Operations

Generated from the registry and the docstrings; `pytest --golden=update tests/ops` writes it anew.
"""


def first_line(thing):
    return inspect.getdoc(thing).splitlines()[0]


def families():
    """The modules of ops, in order of their names."""
    names = sorted(
        {op.__module__ for op in REGISTRY.values() if issubclass(op, Family)} | {"runtime.ops.statistics"}
    )
    return [sys.modules[name] for name in names]


def functions_of(module):
    space = next((f"rt.{name}." for name in ("linalg", "random") if module is getattr(rt, name)), "rt.")
    public = set(rt.__all__) if space == "rt." else set(module.__all__)
    for name in module.__all__:
        function = getattr(module, name)
        if inspect.isfunction(function) and name in public:
            yield f"| `{space}{name}` | {first_line(function)} |"


def in_tensorflow(op):
    if op.graphdef is not None:
        return f"`{op.graphdef.op}`"
    return "yes" if op.to_graphdef else f"none: {op.why_no_graphdef}"


def ops_of(module):
    for op in REGISTRY.values():
        if op.__module__ == module.__name__:
            fields = ", ".join(f"`{name}`" for name in op.fields)
            yield f"| `{op.__name__}` | {first_line(op)} | {fields} | {in_tensorflow(op)} |"


def page():
    sections = [HEAD]
    for module in families():
        functions, ops = list(functions_of(module)), list(ops_of(module))
        lines = [f"## {module.__name__.rpartition('.')[2]}", "", first_line(module), ""]
        if functions:
            lines += ["| function | |", "|---|---|", *functions, ""]
        if ops:
            lines += ["| op | | fields | in TensorFlow |", "|---|---|---|---|", *ops, ""]
        sections.append("\n".join(lines))
    return "\n".join(sections)


def test_the_page_of_ops_is_as_the_registry_says(golden):
    golden(PAGE, page())
