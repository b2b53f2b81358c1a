"""How wide LLVM's vectors are in a function: the widest, unless these are in the way of other numbers."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native.language.loops import Apply, For, Function, Rows, Set, Statement, Store, While
from runtime.executors.native.language.walking import exposed_in, expressions_in, inside, kinds_in, parts_of
from runtime.executors.native.llvm.lanes import is_straight
from runtime.executors.native.numpys_own import PREFIX

__all__ = ["width_of"]

_WIDEST, _NARROWER = ('"prefer-vector-width"="512"', '"prefer-vector-width"="256"')


def width_of(function: Function) -> str:
    """An attribute that says how wide vectors shall be.

    Functions that call such as have loops say it, too: LLVM writes these into them, and forgets what they
    asked for.
    """
    return _NARROWER if _waits_beside_vectors(function.body) and not _has_widest(function) else _WIDEST


def _has_widest(function: Function) -> bool:
    """Whether there are vectors of which LLVM does not decide: ours, and those of NumPy's own loops.

    What these read as one vector shall have been written as one.
    """
    return Rows in kinds_in(function.body) or any(
        isinstance(part, Apply) and part.function.startswith(PREFIX)
        for each in inside(function.body)
        for value in expressions_in(each)
        for part in parts_of(value)
    )


def _waits_beside_vectors(statements: Sequence[Statement]) -> bool:
    """Whether turns of a loop have inner loops of both kinds: such as become vectors, and sums in an order.

    A processor does the sums of the next turn beside the vectors of this one, but for where these are so wide
    that they take two of its units at once.
    """
    loops = [each for each in inside(statements) if isinstance(each, For | While)]
    are_inner = [kinds_in(each.body).isdisjoint({For, While}) for each in loops]
    inner = [each for each, is_inner in zip(loops, are_inner, strict=True) if is_inner]
    waiting = {id(each) for each in inner if _waits(each)}
    filling = {id(each) for each in inner if id(each) not in waiting and _fills(each)}
    if not waiting or not filling:
        return False
    around = [each for each, is_inner in zip(loops, are_inner, strict=True) if not is_inner]
    within = [{id(part) for part in inside(each.body)} for each in around]
    return any(not (each.isdisjoint(waiting) or each.isdisjoint(filling)) for each in within)


def _waits(loop: For | While) -> bool:
    """Whether a turn needs a float of the one before."""
    sets = [each.variable for each in loop.body if isinstance(each, Set)]
    floats = {each.name for each in sets if each.dtype.is_floating}
    return not exposed_in(loop.body, set()).isdisjoint(floats)


def _fills(loop: For | While) -> bool:
    """Whether turns store floats, and do no more."""
    stores = [each for each in loop.body if isinstance(each, Store) and each.array.dtype.is_floating]
    return isinstance(loop, For) and bool(stores) and is_straight(loop)
