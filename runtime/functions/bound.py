"""`BoundFunction`: a `PolymorphicFunction` as a method."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from runtime.functions.concrete import ConcreteFunction
from runtime.functions.retraces import Retraces

if TYPE_CHECKING:
    from runtime.functions.polymorphic import PolymorphicFunction

__all__ = ["BoundFunction"]

Result = TypeVar("Result")
Rest = ParamSpec("Rest")
"""The parameters of a method behind `self`."""


class BoundFunction(Generic[Rest, Result]):
    """A `PolymorphicFunction` that is a method, with the object it belongs to."""

    __func__: Any  # whose class is a descriptor
    __self__: Any
    __name__: str
    __qualname__: str
    __wrapped__: Callable[..., Result]
    python_function: Callable[..., Result]
    name: str
    concrete_functions: list[ConcreteFunction]
    explain_retraces: Callable[[], Retraces]
    experimental_get_tracing_count: Callable[[], int]
    pretty_printed_concrete_signatures: Callable[[], str]

    def __init__(self, function: PolymorphicFunction[..., Result], instance: Any) -> None:
        own = self.__dict__
        own["__func__"], own["__self__"] = function, instance
        own["__module__"], own["__doc__"] = function.__module__, function.__doc__  # a class has both itself

    def __call__(self, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
        """As the function, with the object as first argument."""
        try:
            return self.__func__(self.__self__, *args, **kwargs)  # type: ignore[no-any-return]  # see above
        except BaseException as error:
            self.__func__.on_error(error)
            raise

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """As of the function, with the object as first argument."""
        try:
            function: PolymorphicFunction[..., Result] = self.__func__
            return function.get_concrete_function(self.__self__, *args, **kwargs)
        except BaseException as error:
            self.__func__.on_error(error)
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    def __setattr__(self, name: str, value: object) -> None:
        """Refused, as of Python's methods: it is the function that has attributes."""
        raise AttributeError(f"'method' object has no attribute {name!r}", name=name, obj=self)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.__func__)})

    def __repr__(self) -> str:
        return f"<bound {repr(self.__func__)[1:-1]} of {self.__self__!r}>"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, BoundFunction) and self.__func__ is other.__func__
        return same and isinstance(other, BoundFunction) and self.__self__ is other.__self__

    def __hash__(self) -> int:
        return hash((self.__func__, id(self.__self__)))
