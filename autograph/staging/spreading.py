"""Builtins of `*args` whose number a run decides (`print`, `max`, `zip`), as Python code to convert."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, var-annotated"
# ruff: noqa: ANN001, ANN003, ANN201, D103

from __future__ import annotations


def printed(groups, sep=None, end=None, file=None, flush=False):
    between = " " if sep is None else sep
    texts = []
    for values in groups:
        texts = texts + [str(value) for value in values]
    print(between.join(texts), end=end, file=file, flush=flush)


def best_of(builtin, name, values, **options):
    if len(values) == 0:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if len(values) == 1:
        if hasattr(values[0], "__iter__"):
            return builtin(values[0], **options)
        raise TypeError(f"'{type(values[0]).__name__}' object is not iterable")
    return builtin(values, **options)


def folded(function, start, values):
    found = start
    for value in values:
        found = function(found, value)
    return found


def at_least(values, missing):
    if len(values) < len(missing):
        raise TypeError(missing[len(values)])


def at_most(values, most, taken, given):
    if len(values) > most:
        count = len(values) + given
        raise TypeError(f"{taken} but {count} {'was' if count == 1 else 'were'} given")


def shortest(rows):
    return min([len(row) for row in rows], default=0)


def column(rows, at):
    return tuple([row[at] for row in rows])


def columns(rows, width):
    found = []
    if len(rows) > 0:
        found = [tuple([row[at] for row in rows]) for at in range(width)]
    return found
