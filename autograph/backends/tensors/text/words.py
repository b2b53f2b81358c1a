"""Strings of which a tensor chooses one: by number while they are few, by their characters from then on."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from autograph.backends.tensors.objects.choices import (
    MOST_CANDIDATES,
    MOST_CONSTANTS,
    OneOf,
    as_text,
    candidates_of,
    possible_values,
)
from autograph.backends.tensors.statements import numbers_beside
from autograph.backends.tensors.text.strings import Text

__all__ = ["grow", "is_one_text", "with_texts"]


def is_one_text(left: Any, right: Any, *, in_loop: bool) -> bool:
    """Whether what two paths leave becomes a text, of which the characters are known when the graph runs.

    Strings of the program are told apart by number, as long as there are not too many: a loop that puts them
    together makes longer ones in every turn.
    """
    if as_text(left) is None or as_text(right) is None:
        return False
    if isinstance(left, Text) and isinstance(right, Text):
        return left.template != right.template or numbers_beside.stay_apart([left.tensors, right.tensors])
    words = [*possible_values(left), *possible_values(right)]
    if any(isinstance(word, Text) for word in words):
        return True
    return len(set(words)) > MOST_CONSTANTS or (in_loop and grow(words))


def grow(words: Sequence[str]) -> bool:
    """Whether one of some words holds another, which holds a third."""
    held = [word for word in words if any(word != shorter and shorter in word for shorter in words)]
    return any(word != shorter and shorter in word for word in held for shorter in held)


def with_texts(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """What text is made of: of chosen strings their characters, where each combination would be a branch."""
    chosen = [value for value in values if isinstance(value, OneOf)]
    if len(chosen) < 2 or prod(len(candidates_of(value)) for value in chosen) <= MOST_CANDIDATES:
        return values
    return tuple([_text_or_itself(value) if isinstance(value, OneOf) else value for value in values])


def _text_or_itself(value: Any) -> Any:
    text = as_text(value)
    return value if text is None else text
