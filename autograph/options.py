"""What a conversion is asked to do: what users write (`Options`) and what generated code carries."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from autograph_base.dataclass import dataclass

__all__ = ["STD", "ConversionOptions", "OnFailure", "Options", "set_strict"]

OnFailure: TypeAlias = Literal["warn", "raise"]


@dataclass(frozen=True)
class ConversionOptions:
    """The options that a generated function names in its first line; `repr` is that text.

    Parameters
    ----------
    recursive : bool
        Convert the functions it calls, too.
    user_requested : bool
        The user asked for this very function; otherwise it is converted because a converted one calls it.
    optional_features : tuple of str
        TensorFlow's names of conversions that are optional there. All of them are always on here: the tuple
        is kept so that options written for TensorFlow are accepted and show in the listing.
    internal_convert_user_code : bool
        Convert the callees that user code defines. False calls them as they are, like `recursive=False`.

    Examples
    --------
    >>> ConversionOptions()
    ConversionOptions(recursive=True, user_requested=False, optional_features=(),
                      internal_convert_user_code=True)
    """

    recursive: bool = True
    user_requested: bool = False
    optional_features: tuple[str, ...] = ()
    internal_convert_user_code: bool = True

    @property
    def converts_callees(self) -> bool:
        """Whether the functions that the converted one calls are converted."""
        return self.recursive and self.internal_convert_user_code


@lru_cache
def conversion_options(
    recursive: bool = True,
    user_requested: bool = False,
    optional_features: tuple[str, ...] = (),
    internal_convert_user_code: bool = True,
) -> ConversionOptions:
    """The options with these fields, one object for each: every call of a generated function asks."""
    return ConversionOptions(recursive, user_requested, optional_features, internal_convert_user_code)


STD = ConversionOptions()
"""What a function gets that is converted because a converted one calls or contains it."""


@dataclass(frozen=True)
class Options:
    """How a user wants a function to be converted.

    Parameters
    ----------
    recursive : bool
        Convert the functions it calls, too.
    user_requested : bool
        Shown in the generated code: the user named this very function.
    optional_features : tuple of str
        Accepted from code written for TensorFlow; every feature is always on here.
    on_failure : {"warn", "raise"}
        What happens when a function that converted code calls cannot be converted: a warning, once per
        function, and the call of the function as it is; or the error.
    strict : bool, optional
        Whether what TensorFlow refuses is refused, in its words; by default what `set_strict` says when the
        function is traced.
    rolls : bool
        Whether a long loop over a range of Python's becomes a loop of the graph, where nobody can tell
        (docs/constructs.md). False traces every turn for itself.
    always : bool
        Whether the converted form runs, and converts what it calls, also while no graph is built: then
        ``x[i] = v`` binds `x` anew in every function that is called, for tensors of eager code, too.

    Raises
    ------
    TypeError
        When one that is yes or no is neither.
    ValueError
        When `on_failure` is neither "warn" nor "raise".

    Examples
    --------
    >>> Options(on_failure="raise").conversion()
    ConversionOptions(recursive=True, user_requested=True, optional_features=(),
                      internal_convert_user_code=True)
    """

    recursive: bool = True
    user_requested: bool = True
    optional_features: tuple[str, ...] = ()
    on_failure: OnFailure = "warn"
    strict: bool | None = None
    rolls: bool = True
    always: bool = False

    def __post_init__(self) -> None:
        for name in ("recursive", "user_requested", "strict", "rolls", "always"):
            value = getattr(self, name)
            if not isinstance(value, bool) and not (name == "strict" and value is None):
                raise TypeError(f"`{name}` is True or False, and not {value!r}")
        if not isinstance(self.on_failure, str) or self.on_failure not in get_args(OnFailure):
            raise ValueError(f"`on_failure` is 'warn' or 'raise', and not {self.on_failure!r}")

    def conversion(self) -> ConversionOptions:
        """The part that generated code carries."""
        return ConversionOptions(self.recursive, self.user_requested, self.optional_features)

    def is_strict(self) -> bool:
        """Whether what TensorFlow refuses is refused now."""
        return _process.strict if self.strict is None else self.strict


class _Process:
    """What holds for every function that does not say otherwise."""

    strict = os.environ.get("AUTOGRAPH_STRICT", "") not in {"", "0"}


_process = _Process()


def set_strict(strict: bool) -> None:
    """Refuses what TensorFlow's AutoGraph refuses, in all functions that do not say `strict` themselves.

    Functions that were traced before keep their graphs. ``AUTOGRAPH_STRICT=1`` in the environment does the
    same from the start.

    Parameters
    ----------
    strict : bool
        False is how it starts: what plain Python accepts, works.
    """
    _process.strict = strict
