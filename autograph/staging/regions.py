"""Regions of objects, for points-to analysis, and what functions and methods of Python's own do with them.

A *region* is all objects that some variables may stand for, with another one for what is in them. Where a
value may be of two regions, they become one, and so do the regions of what is in them.
"""

from __future__ import annotations

import bisect
import cmath
import collections
import copy
import functools
import heapq
import itertools
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import FunctionType
from typing import Any, TypeAlias

__all__ = [
    "AT_ONCE",
    "CALL_FIRST",
    "CONTAINERS_OF_PYTHON",
    "GIVE_TEXT",
    "HASHABLE",
    "KNOWN",
    "METHODS",
    "NUMBERS",
    "NUMBERS_AND_TEXT",
    "PARTS_OF_NUMBERS",
    "Region",
    "Value",
    "change",
    "changes_first",
    "content_of",
    "copied",
    "copied_in_order",
    "either",
    "element",
    "holding",
    "in_tuples",
    "join",
    "join_content",
    "may_run_later",
    "mixture",
    "nothing",
    "only_reads",
    "root",
]


class Region:
    """Objects that a variable may stand for, and what is in them."""

    __slots__ = ("content", "is_changed", "is_class", "runs_later", "same")

    def __init__(self, *, runs_later: bool = False, is_class: bool = False) -> None:
        self.same: Region | None = None
        self.content: Region | None = None
        self.is_changed = False
        self.runs_later = runs_later
        """Whether iterators, functions and classes are among them."""
        self.is_class = is_class
        """Whether classes and functions are: their attributes are no methods of containers."""


Value: TypeAlias = "Region | None"
"""The region of a value; None for numbers and text, which hold nothing and never change."""


def root(region: Region) -> Region:
    """The region that a region has become part of."""
    while region.same is not None:
        if region.same.same is not None:
            region.same = region.same.same
        region = region.same
    return region


def content_of(region: Value) -> Any:
    """The region of what is in a container."""
    if region is None:
        return None
    region = root(region)
    if region.content is None:
        region.content = Region()
    return root(region.content)


def join(one: Region, other: Value) -> None:
    """Says that two regions are one."""
    pending = [] if other is None else [(one, other)]
    while pending:
        first, second = map(root, pending.pop())
        if first is second:
            continue
        second.same = first
        first.is_changed |= second.is_changed
        first.is_class |= second.is_class
        first.runs_later |= second.runs_later
        if first.content is None:
            first.content = second.content
        elif second.content is not None:
            pending.append((first.content, second.content))


def join_content(owner: Value, value: Value) -> None:
    """Says that a value may be in a container."""
    if owner is not None and value is not None:
        join(content_of(owner), value)


def change(region: Value) -> None:
    """Says that an object may change."""
    if region is not None:
        root(region).is_changed = True


def holding(*items: Value) -> Region:
    """A new container."""
    made = Region()
    for each in items:
        join_content(made, each)
    return made


def either(values: Sequence[Value]) -> Value:
    """The region of a value that is one of several."""
    regions = [each for each in values if each is not None]
    for each in regions[1:]:
        join(regions[0], each)
    return regions[0] if regions else None


def may_run_later(region: Region) -> bool:
    """Whether a value, or anything in it, may be no plain one."""
    seen: set[int] = set()
    at: Region | None = region
    while at is not None:
        at = root(at)
        if at.runs_later:
            return True
        if id(at) in seen:
            return False
        seen.add(id(at))
        at = at.content
    return False


def only_reads(thing: Any) -> bool:
    """Whether a function or class of Python's own is known, and changes nothing that it is given."""
    gives = KNOWN.get(thing)
    return gives is not None and gives not in _CHANGING


def changes_first(thing: Any) -> bool:
    """Whether it is a function of Python's own that changes its first argument."""
    return isinstance(thing, HASHABLE) and KNOWN.get(thing) in _CHANGING


# ── what functions and methods of C's do with regions ──


def nothing(*_: Value) -> Value:
    """They give numbers or text."""
    return None


def copied(*values: Value) -> Region:
    """They give a new container with what is in all of them."""
    return holding(*map(content_of, values))


def element(*values: Value) -> Value:
    """They give one of several, or one of what is in the only one."""
    return content_of(values[0]) if len(values) == 1 else either(values)


def copied_in_order(*values: Value) -> Value:
    """As `copied`, where the key is a function of Python's own."""
    return copied(*values)


def _iterated(*values: Value) -> Value:
    """They give an iterator, or a view."""
    made = copied(*values)
    made.runs_later = True
    return made


def in_tuples(*values: Value) -> Value:
    """They give an iterator over tuples."""
    made = holding(copied(*values))
    made.runs_later = True
    return made


def _dict_of(*values: Value) -> Value:
    """They give a dict of what a mapping holds, or of pairs."""
    contents = [content_of(each) for each in values]
    return holding(*contents, *map(content_of, contents), *values[1:])


def _anew(*_: Value) -> Value:
    """They give an object in which everything is new."""
    return Region()


def mixture(*_: Value) -> Value:
    """They give anything of what they are given: see `mixed` of the analysis."""
    raise NotImplementedError


def _default_dict(*values: Value) -> Value:
    """The first argument is a class whose instances are new."""
    if values and values[0] is not None and may_run_later(values[0]):
        values = (None, *values[1:])
    return holding(*map(content_of, values))


def _changed(owner: Value, *_: Value) -> Value:
    change(owner)
    return None


def _put(owner: Value, *values: Value) -> Value:
    """They put their arguments into a container."""
    change(owner)
    for each in values:
        join_content(owner, each)
    held: Value = content_of(owner)
    return held


def _extended(owner: Value, *values: Value) -> Value:
    """They put what is in their arguments into a container."""
    change(owner)
    for each in values:
        join_content(owner, content_of(each))
    return None


def _updated(owner: Value, *values: Value) -> Value:
    """Likewise, or what is in pairs."""
    change(owner)
    for each in values:
        join_content(owner, each)
        join_content(owner, content_of(each))
        join_content(owner, content_of(content_of(each)))
    return None


def _taken(owner: Value, *values: Value) -> Value:
    """They take something out, or give what stands for it."""
    change(owner)
    return either([content_of(owner), *values])


def _taken_pair(owner: Value, *_: Value) -> Value:
    change(owner)
    return holding(content_of(owner))


def _got(owner: Value, *values: Value) -> Value:
    return either([content_of(owner), *values])


NUMBERS = frozenset({bool, complex, float, int})
NUMBERS_AND_TEXT = frozenset({*NUMBERS, str, bytes, type(None), type(...), range, Fraction, re.Pattern})
CONTAINERS_OF_PYTHON = frozenset(
    {
        *(collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque),
        *(dict, frozenset, list, set, tuple),
    }
)
HASHABLE = (type, type(len), FunctionType)

PARTS_OF_NUMBERS = frozenset({"denominator", "imag", "numerator", "real"})
"""Attributes of numbers that are numbers."""

_MIXING_OF_MATHS = frozenset({"prod", "sumprod"})
_Gives: TypeAlias = Callable[..., Value]
KNOWN: Mapping[Any, _Gives] = {
    **dict.fromkeys(
        (
            *(abs, all, any, ascii, bin, bool, bytes, chr, complex, divmod, float, format, hash, hex, id),
            *(int, isinstance, issubclass, len, oct, ord, pow, range, repr, round, str),
            *(bisect.bisect, bisect.bisect_left, bisect.bisect_right, Fraction, re.compile, re.escape),
        ),
        nothing,
    ),
    **{
        value: mixture if name in _MIXING_OF_MATHS else nothing
        for module in (cmath, math, unicodedata)
        for name, value in vars(module).items()
        if type(value) is type(len)
    },
    **dict.fromkeys((list, set, tuple, frozenset, copy.copy), copied),
    **dict.fromkeys((collections.deque, collections.Counter), copied),
    sorted: copied_in_order,
    **dict.fromkeys((iter, reversed), _iterated),
    **dict.fromkeys((enumerate, zip), in_tuples),
    **dict.fromkeys((dict, collections.OrderedDict), _dict_of),
    **dict.fromkeys((max, min), element),
    next: _got,
    **dict.fromkeys((filter, functools.reduce, map, sum), mixture),
    **{value: mixture for value in vars(itertools).values() if type(value) in (type, type(len))},
    **dict.fromkeys((re.findall, re.fullmatch, re.match, re.search, re.split, re.sub), mixture),
    **dict.fromkeys((heapq.nlargest, heapq.nsmallest, operator.itemgetter, type), mixture),
    collections.defaultdict: _default_dict,
    copy.deepcopy: _anew,
    heapq.heapify: _changed,
    heapq.heappop: _taken,
    **dict.fromkeys((heapq.heappush, heapq.heappushpop, heapq.heapreplace), _put),
    **dict.fromkeys((bisect.insort, bisect.insort_left, bisect.insort_right), _put),
}
"""What functions and classes of Python's own do with what they are given."""

_CHANGING = frozenset({_changed, _put, _taken})
"""What they do that changes an argument."""

AT_ONCE = frozenset({functools.reduce, heapq.nlargest, heapq.nsmallest, max, min, sorted, sum})
"""Those that give no iterator of their own."""

CALL_FIRST = frozenset({filter, map})
"""Those that call their first argument, and give what it gives."""

GIVE_TEXT = frozenset(
    {
        *("capitalize", "casefold", "center", "expandtabs", "format", "isalnum", "isalpha", "isascii"),
        *("isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace"),
        *("istitle", "isupper", "ljust", "lower", "lstrip", "removeprefix", "removesuffix", "rjust"),
        *("rstrip", "strip", "swapcase", "title", "upper", "zfill"),
    }
)
"""Methods of texts that give a text, or a truth value."""

METHODS: Mapping[str, _Gives] = {
    **dict.fromkeys(GIVE_TEXT, nothing),
    **dict.fromkeys(("as_integer_ratio", "bit_count", "bit_length", "conjugate", "count", "decode"), nothing),
    **dict.fromkeys(("encode", "end", "endswith", "find", "fullmatch", "group", "groups", "hex"), nothing),
    **dict.fromkeys(("index", "is_integer", "isdisjoint", "issubset", "issuperset", "join"), nothing),
    **dict.fromkeys(("match", "replace", "rfind", "rindex", "search", "span", "start"), nothing),
    **dict.fromkeys(("startswith", "to_bytes", "total", "translate"), nothing),
    **dict.fromkeys(("findall", "partition", "rpartition", "rsplit", "split", "splitlines"), copied),
    **dict.fromkeys(("copy", "difference", "intersection", "symmetric_difference", "union"), copied),
    **dict.fromkeys(("add", "append", "appendleft", "insert", "setdefault"), _put),
    **dict.fromkeys(("clear", "discard", "move_to_end", "remove", "reverse", "rotate"), _changed),
    **dict.fromkeys(("difference_update", "extend", "extendleft"), _extended),
    **dict.fromkeys(("intersection_update", "symmetric_difference_update"), _extended),
    **dict.fromkeys(("subtract", "update"), _updated),
    **dict.fromkeys(("pop", "popleft"), _taken),
    **dict.fromkeys(("keys", "values"), _iterated),
    "elements": _iterated,
    "get": _got,
    "items": in_tuples,
    "most_common": lambda owner, *_: holding(copied(owner)),
    "popitem": _taken_pair,
}
"""What methods of Python's own containers, texts and numbers do, whichever of these they belong to."""
