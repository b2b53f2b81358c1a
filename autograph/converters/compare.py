"""`==`, `!=`, `is`, `in` and tests for None, and chains of comparisons, whose middle is evaluated once.

>>> from autograph.converters.picture import show
>>> show("y = a == b", Compare)
y = ag__.eq(a, b)
>>> show("y = a is b", Compare)
y = ag__.is_(a, b)
>>> show("y = a is not None", Compare)
y = ag__.is_not_none(a)
>>> show("y = a not in b", Compare)
y = ag__.not_in(a, b)
>>> show("y = 'x' in a.__dict__", Compare)
y = ag__.has_own('x', a)
>>> show("y = a < b", Compare)
y = ag__.ordered(a, '<', b)
>>> show("y = 0 <= f(x) < 10", Compare)
y = ag__.compare(0, '<=', lambda: f(x), '<', lambda: 10)

Where an operand of `<` is arithmetic or a number that is spelled out, it is left to the values themselves.
"""

from __future__ import annotations

import ast
import heapq
import operator as python
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from functools import cmp_to_key, partial
from types import FunctionType
from typing import Any, ClassVar

from autograph.converters.base import Replacement
from autograph.converters.logic import and_now, not_
from autograph.converters.operands import OperandConverter
from autograph.source.template import Expression, literal
from autograph.staging import heap
from autograph.staging.builtins import attribute
from autograph.staging.dispatch import ATOMS, PLAIN, Backends
from autograph.staging.iterators import advance
from autograph.staging.operators import operator
from autograph.staging.special_methods import (
    by_methods,
    compared_as,
    compares_as_library,
    given,
    is_told_apart,
    special_method,
)
from autograph.staging.twins import holds_values, in_python

__all__ = [
    "OF_MODULE",
    "Compare",
    "compare",
    "eq",
    "has_not_own",
    "has_own",
    "in_",
    "is_",
    "is_none",
    "is_not",
    "is_not_none",
    "not_eq",
    "not_in",
    "ordered",
]

SYMBOLS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}

TOLD_APART = frozenset({ast.Eq, ast.NotEq})

FUNCTIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": python.lt,
    "<=": python.le,
    ">": python.gt,
    ">=": python.ge,
}


class Compare(OperandConverter[ast.Compare]):
    """Two operands, or a chain of them."""

    handles = (ast.Compare,)
    templates: ClassVar = {
        ast.Eq: Expression("ag__.eq(left, right)"),
        ast.NotEq: Expression("ag__.not_eq(left, right)"),
        ast.Is: Expression("ag__.is_(left, right)"),
        ast.IsNot: Expression("ag__.is_not(left, right)"),
        ast.In: Expression("ag__.in_(left, right)"),
        ast.NotIn: Expression("ag__.not_in(left, right)"),
    }
    of_containers: ClassVar = {
        ast.Lt: Expression("ag__.ordered(left, '<', right)"),
        ast.LtE: Expression("ag__.ordered(left, '<=', right)"),
        ast.Gt: Expression("ag__.ordered(left, '>', right)"),
        ast.GtE: Expression("ag__.ordered(left, '>=', right)"),
    }
    of_attributes: ClassVar = {
        ast.In: Expression("ag__.has_own(left, right)"),
        ast.NotIn: Expression("ag__.has_not_own(left, right)"),
    }
    none = Expression("ag__.is_none(left)")
    not_none = Expression("ag__.is_not_none(left)")
    chain = Expression("ag__.compare(left, rest)")

    def later(self, node: ast.Compare) -> list[ast.expr]:
        """In a chain, every operand after the first."""
        return node.comparators if len(node.ops) > 1 else []

    def convert(self, node: ast.Compare) -> Replacement:
        """A chain keeps the order of its operands and signs."""
        bound = self.leave()
        if bound is None:
            return node
        if len(node.ops) > 1:
            rest: list[Any] = []
            for sign, operand in zip(node.ops, node.comparators, strict=True):
                put_off = self.operand(operand)
                rest += [literal(SYMBOLS[type(sign)]), put_off]
            chain = self.chain.fill(left=node.left, rest=rest)
            if bound:
                vars(chain)["keywords"] = [ast.keyword("state", ast.Tuple(self.state(bound), ast.Load()))]
            return chain
        kind = type(node.ops[0])
        if _is_none(node.comparators[0]) and kind in {ast.Is, ast.IsNot}:
            return (self.none if kind is ast.Is else self.not_none).fill(left=node.left)
        if kind in TOLD_APART and (_is_text(node.left) or _is_text(node.comparators[0])):
            return node  # what a text is equal to says so itself
        owner = _asked_by_name(node.comparators[0])
        if owner is not None and kind in self.of_attributes:
            return self.of_attributes[kind].fill(left=node.left, right=owner)
        template = self.templates.get(kind)
        if template is None and _may_be_container(node.comparators[0]):  # Python asks a number first, in vain
            template = self.of_containers.get(kind)
        return node if template is None else template.fill(left=node.left, right=node.comparators[0])


def _is_text(node: ast.AST) -> bool:
    """Whether an operand is a text that is spelled out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _asked_by_name(node: ast.AST) -> ast.expr | None:
    """The object in whose own attributes a name is looked up: `name in owner.__dict__`."""
    match node:  # `Attribute` has been there
        case ast.Call(func=ast.Attribute(attr="attribute_of"), args=[owner, ast.Constant(value="__dict__")]):
            return owner
        case ast.Attribute(attr="__dict__", value=owner):
            return owner
    return None


def _may_be_container(node: ast.AST) -> bool:
    """Whether an operand may be a list or a tuple: no number that is spelled out or computed here."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and _may_be_container(node.left) and _may_be_container(node.right)
    return not isinstance(node, ast.Compare | ast.Constant | ast.JoinedStr | ast.UnaryOp)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


@operator
def is_none(backends: Backends, a: Any) -> Any:
    """`a is None`."""
    return a is None or backends.of(a).is_none(a)


@operator
def is_not_none(backends: Backends, a: Any) -> Any:
    """`a is not None`."""
    if a is None:
        return False
    backend = backends.of(a)
    return backend.not_(backend.is_none(a))


@operator
def is_(backends: Backends, a: Any, b: Any) -> Any:
    """`a is b`."""
    owned = backends.owned
    if owned[type(a)] or owned[type(b)]:
        return backends.of(a, b).identical(a, b)
    if type(a) is type(b) is FunctionType:
        return backends.staging_now().identical(a, b)
    heap.may_be_one(a, b)
    return a is b


@operator
def is_not(backends: Backends, a: Any, b: Any) -> Any:
    """`a is not b`."""
    found = is_(backends, a, b)
    return not found if found.__class__ is bool else backends.of(found).not_(found)


@operator
def eq(backends: Backends, a: Any, b: Any) -> Any:
    """`a == b`."""
    a = heap.again(a)
    owned = backends.owned
    if owned[type(a)] or owned[type(b)]:
        return backends.of(a, b).equal(a, b)
    if type(a) in ATOMS:
        return a == b
    if is_told_apart(a):
        heap.may_be_one(a, b)
    if type(a) is type(b) is FunctionType:
        return backends.staging_now().equal(a, b)
    if _is_nest(a, "__eq__"):
        return backends.inside(a, b).equal(a, b)
    _require_known_names(backends, a, b)
    return a == b


@operator
def not_eq(backends: Backends, a: Any, b: Any) -> Any:
    """`a != b`."""
    a = heap.again(a)
    owned = backends.owned
    if owned[type(a)] or owned[type(b)]:
        return backends.of(a, b).not_equal(a, b)
    kind: Any = type(a)
    if kind in ATOMS:
        return a != b
    if kind is FunctionType or (kind not in PLAIN and kind.__ne__ is object.__ne__):
        return not_(backends, eq(backends, a, b))  # as Python has it where a class says nothing else
    if _is_nest(a, "__ne__"):
        return backends.inside(a, b).not_equal(a, b)
    _require_known_names(backends, a, b)
    return a != b


def _require_known_names(backends: Backends, a: Any, b: Any) -> None:
    """Sees to it that it is known what objects hold that are compared by all of it, as namespaces are."""
    for each in (a, b):
        if compares_as_library(type(each)):
            backends.staging_now().require_known_names(each)


def _is_nest(value: Any, method: str) -> bool:
    """Whether a container is compared item by item, also of a class of its own that says nothing else."""
    kind = type(value)
    return kind in COMPARED or (isinstance(value, list | tuple) and compared_as(kind, method) is not None)


@operator
def ordered(backends: Backends, a: Any, sign: str, b: Any) -> Any:
    """`a < b`, or another sign; lists and tuples compare item by item."""
    are_sequences = isinstance(b, list | tuple) or isinstance(a, list | tuple)
    owned = backends.owned
    if not are_sequences and owned[type(b)] and not owned[type(a)]:  # `b` is asked second, and turned round
        return backends.of(b).ordered(FUNCTIONS[sign], a, b)
    if not are_sequences and not (owned[type(b)] and backends.of(b).is_choice(b)):
        return FUNCTIONS[sign](a, b)
    a = heap.again(a)
    return backends.inside(a, b).ordered(FUNCTIONS[sign], a, b)


_LOOKED_THROUGH = frozenset(
    {
        *(list, type({}.values()), type({}.items())),
        *(type(OrderedDict[Any, Any]().values()), type(OrderedDict[Any, Any]().items())),
    }
)
"""Classes of what is looked through for something by `==`."""


@operator
def in_(backends: Backends, item: Any, container: Any) -> Any:
    """`item in container`."""
    kind = type(container)
    if (kind is str or kind is dict) and type(item) in ATOMS:
        return item in container
    advance(backends, (container,))
    own = special_method(backends, container, "__contains__")
    if own is not None:
        found = own(container, item)
        return backends.of(found).bool_(found)
    if not hasattr(kind, "__contains__"):
        container = by_methods(backends, container)
    if isinstance(container, dict | set | frozenset):
        heap.tell_apart((item,))
    backend = backends.of(item, container)
    if backend is backends.plain and (kind in _LOOKED_THROUGH or isinstance(container, tuple | deque)):
        backend = backends.inside(container)
    if backend is backends.plain and (type(item) is tuple or isinstance(container, dict | set | frozenset)):
        backend = backends.inside(item)
    return backend.contains(container, item)


@operator
def not_in(backends: Backends, item: Any, container: Any) -> Any:
    """`item not in container`."""
    found = in_(backends, item, container)
    return not found if found.__class__ is bool else backends.of(found).not_(found)


@operator
def has_own(backends: Backends, name: Any, owner: Any) -> Any:
    """`name in owner.__dict__`, which asks for no other attribute."""
    backend = backends.of(owner, name)
    if backend is backends.plain:
        backend = backends.staging_now()
    found = backend.has_own(owner, name)
    return in_(backends, name, attribute(backends, owner, "__dict__")) if found is NotImplemented else found


@operator
def has_not_own(backends: Backends, name: Any, owner: Any) -> Any:
    """`name not in owner.__dict__`."""
    found = has_own(backends, name, owner)
    return not found if found.__class__ is bool else backends.of(found).not_(found)


def from_keys(backends: Backends, keys: Any, value: Any = None) -> Any:
    """`dict.fromkeys(keys, value)`."""
    backend = backends.staging_now()
    keys = given(backends, keys) if backend is backends.plain else backend.list_(given(backends, keys))
    twin = backends.convert(in_python("from_keys")) if holds_values(backends, (keys,)) else dict.fromkeys
    return twin(keys, value)


def key_of(backends: Backends, mycmp: Any) -> Any:
    """`functools.cmp_to_key(mycmp)`."""
    is_plain = backends.staging_now() is backends.plain
    return (cmp_to_key if is_plain else backends.convert(in_python("cmp_to_key")))(mycmp)


def merge_of(backends: Backends, *iterables: Any, **options: Any) -> Any:
    """`heapq.merge(*iterables, key=None, reverse=False)`."""
    is_plain = backends.staging_now() is backends.plain
    return (heapq.merge if is_plain else backends.convert(in_python("merged")))(*iterables, **options)


def selected(select: Callable[..., Any], backends: Backends, *args: Any, **options: Any) -> Any:
    """`heapq.nsmallest(n, iterable, key=None)`, or `nlargest`."""
    is_plain = backends.staging_now() is backends.plain
    return (select if is_plain else backends.convert(in_python(select.__name__, "selecting")))(
        *args, **options
    )


OF_MODULE: Mapping[Callable[..., Any], Callable[..., Any]] = {
    cmp_to_key: key_of,
    dict.fromkeys: from_keys,
    heapq.merge: merge_of,
    heapq.nlargest: partial(selected, heapq.nlargest),
    heapq.nsmallest: partial(selected, heapq.nsmallest),
    python.contains: lambda backends, container, item: in_(backends, item, container),
    python.eq: eq,
    python.is_: is_,
    python.is_not: is_not,
    python.ne: not_eq,
    python.not_: not_,
}
"""Functions that are more than a method of their argument."""

LOOKED_THROUGH = frozenset({list, tuple})
"""Containers that compare the item with each of theirs."""

COMPARED = LOOKED_THROUGH | {Counter, OrderedDict, defaultdict, deque, dict}
"""Containers that are equal where what they hold is."""


@operator
def compare(backends: Backends, left: Any, *rest: Any, state: tuple[Any, ...] = ()) -> Any:
    """`left < a <= b …`: each operand is evaluated once, and not at all after a comparison that fails.

    `state` is about the variables that the operands bind.
    """
    sign, operand, *others = rest
    right = operand()
    if sign in {"==", "!="}:
        result = (eq if sign == "==" else not_eq)(backends, left, right)
    elif sign in {"in", "not in"}:
        result = (in_ if sign == "in" else not_in)(backends, left, right)
    elif sign in {"is", "is not"}:
        result = (is_ if sign == "is" else is_not)(backends, left, right)
    else:
        result = ordered(backends, left, sign, right)
    if not others:
        return result
    return and_now(backends, result, lambda: compare(backends, right, *others, state=state), *state)
