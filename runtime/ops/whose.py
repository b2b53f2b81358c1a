"""Whose a number is, as a truth value of the graph: Python's on some paths, and NumPy's on others."""

from __future__ import annotations

from functools import reduce
from typing import Any

from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.errors import KindsMeetWarning, StateDisagrees
from runtime.graph.build import builder_in_use, current_defaults, is_strict
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Chosen, Every, Unknown, Whose, whose

__all__ = ["as_test", "is_told", "keeps_our_classes", "note_read", "note_shown", "whose_number"]


def is_told(found: Whose) -> bool:
    """Whether a value of the graph says in each run whose a number is."""
    match found:
        case Chosen(_, then, orelse):
            return is_told(then) and is_told(orelse)
        case Every(parts):
            return all(map(is_told, parts))
    return isinstance(found, bool)


def as_test(found: Whose, known: dict[Whose, Any]) -> Any:
    """A truth value for whose number it is, of the graph where that depends on the path, made once."""
    if found not in known:
        known[found] = _made_test(found, known)
    return known[found]


def _made_test(found: Whose, known: dict[Whose, Any]) -> Any:
    match found:
        case Chosen(test, then, orelse):
            decides, left, right = Symbol(test), as_test(then, known), as_test(orelse, known)
            other = ops.logical_and(ops.logical_not(decides), right)
            return ops.stands_for_python(ops.logical_or(ops.logical_and(decides, left), other))
        case Every(parts):
            tests = [as_test(each, known) for each in parts]
            return ops.stands_for_python(reduce(ops.logical_and, tests))
        case Unknown():
            raise StateDisagrees(
                "the class of a number is asked for that is Python's on some paths, and NumPy's on others",
                where=caller_location(),
                why="Which of them was taken shows only when the graph runs, and no value says so here.",
                way_out="Make it one of them on all paths: `float(x)` and `int(x)` give Python's.",
            )
    return found


def keeps_our_classes() -> bool:
    """Whether a tensor is a tensor for the program, too: under TensorFlow's names."""
    return is_strict() or current_defaults().static_shapes


def whose_number(value: Any) -> Whose:
    """On which paths a value stands for a number of Python's, where it does on some."""
    is_number = isinstance(value, Symbol) and isinstance(value.spec, ArraySpec) and value.spec.shape == ()
    if not is_number or keeps_our_classes():
        return False
    found = whose(value)
    return False if found is True else found


def note_shown() -> None:
    """Warns of text that shows a number as NumPy's which may be Python's, as nothing tells in the run."""
    _note("is shown as NumPy's in a graph", "or show it by `str`")


def note_read(name: str) -> None:
    """Warns of what is read of a number that only NumPy's have, and that may be Python's."""
    _note(f"has `{name}` in a graph, as NumPy's have", f"or do without `{name}`")


def _note(what: str, instead: str) -> None:
    notice = KindsMeetWarning(
        f"a number that is Python's on some paths, and NumPy's on others, {what}",
        where=caller_location(),
        why="Which of them was taken shows only when the graph runs, and no value says so here.",
        way_out=f"Make it one of them on all paths, by `int(…)` or `float(…)`, {instead}.",
    )
    builder_in_use().add_notice(notice)
