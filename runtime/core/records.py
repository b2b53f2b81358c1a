"""Classes of plain data that may stand in the fields of ops, and names of classes: both have a text.

A record is a frozen dataclass whose fields are plain data. A class is known by its module and name; one that
a text names is found among those that the program has loaded, and nothing is imported or run.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, TypeVar

from runtime.core.instances import dict_of

__all__ = ["RECORDS", "class_name", "named_class", "record", "record_values"]

_Kind = TypeVar("_Kind", bound=type)

RECORDS: dict[str, type] = {}
"""The classes of records, by name."""


def record(kind: _Kind) -> _Kind:
    """Lets instances of a dataclass stand in the fields of ops."""
    assert dataclasses.is_dataclass(kind), f"{kind.__name__} is no dataclass"
    assert kind.__name__ not in RECORDS, f"two records are called {kind.__name__}"
    RECORDS[kind.__name__] = kind
    return kind


def record_values(value: Any) -> list[Any]:
    """The fields of a record; the last ones are left out where they are what they are by default."""
    fields = list(dataclasses.fields(value))
    values = [getattr(value, field.name) for field in fields]
    while fields and type(values[-1]) is type(fields[-1].default) and values[-1] == fields[-1].default:
        del values[-1], fields[-1]
    return values


def class_name(kind: type) -> str | None:
    """The name by which `named_class` finds a class; None where it finds none, or another one."""
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}:"
    name = f"{module}{kind.__qualname__}"
    return name if named_class(name) is kind else None


def named_class(name: str) -> type | None:
    """The class called ``ValueError`` or ``package.module:Outer.Inner``, where the program has loaded it."""
    module, _, path = name.rpartition(":")
    found: Any = sys.modules.get(module or ("types" if path == "NoneType" else "builtins"))
    for part in path.split("."):
        found = dict_of(found, {}).get(part)
    return found if isinstance(found, type) else None
