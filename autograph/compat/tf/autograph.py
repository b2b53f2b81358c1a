"""`tf.autograph`: the converter by itself."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from enum import Enum
from types import SimpleNamespace
from typing import Any

from autograph import api
from autograph.converters.directive import set_loop_options
from autograph.verbosity import set_verbosity

__all__ = [
    "Feature",
    "convert",
    "do_not_convert",
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]


class Feature(Enum):
    """`tf.autograph.experimental.Feature`: conversions optional there; here all are always on."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    experimental_optional_features: Feature | Sequence[Feature] | None = None,
) -> str:
    """`tf.autograph.to_code`: the source of the converted function."""
    del experimental_optional_features
    return api.to_code(entity, recursive=recursive)


def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    experimental_optional_features: Feature | Sequence[Feature] | None = None,
) -> Callable[..., Any]:
    """`tf.autograph.to_graph`: the converted function."""
    del experimental_optional_features
    return api.to_graph(entity, recursive=recursive)


def convert(
    recursive: bool = False,
    optional_features: Feature | Sequence[Feature] | None = None,
    user_requested: bool = True,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """TensorFlow's decorator that converts a function, and with `recursive` what it calls."""
    del optional_features
    return api.convert(recursive=recursive, user_requested=user_requested)


def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """`tf.autograph.experimental.do_not_convert`, with and without parentheses."""
    return api.do_not_convert if func is None else api.do_not_convert(func)


def trace(*args: Any) -> None:
    """`tf.autograph.trace`: prints its arguments while a function is traced."""
    builtins.print(*args)  # noqa: T201  # what it is for


experimental = SimpleNamespace(
    do_not_convert=do_not_convert, Feature=Feature, set_loop_options=set_loop_options
)
