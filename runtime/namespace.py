"""What the Array API standard asks of this namespace as a whole: its version, and what it is able to do.

Also the file that writes ``__array_namespace__`` onto tensors: they find the front door, which is above them.
"""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType
from typing import Any, Final, NoReturn

import numpy as np

from runtime.core.devices import CPU, DEVICES, require_device
from runtime.core.dtypes import DType, as_dtype, int64
from runtime.core.limits import isdtype
from runtime.core.tensor import Operators
from runtime.errors import InvalidValue
from runtime.graph.build import current_defaults
from runtime.graph.frames import no_defect, shows_callers_alone
from runtime.ops import fft, linalg, random

__all__ = ["API_VERSION", "ArrayNamespaceInfo", "refuse_name"]

API_VERSION: Final = "2025.12"
"""The version of the Array API standard that the namespace is an implementation of."""

_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", API_VERSION)
"""Those of which a program sees no difference: each adds to the one before."""

_STANDARD = (
    "bool",
    *("int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64"),
    *("complex64", "complex128"),
)

_CALLED: Final = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "array": "asarray",
    "bool_": "bool",
    "concatenate": "concat",
    "conjugate": "conj",
    "constant": "asarray",
    "convert_to_tensor": "asarray",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "ndarray": "Tensor",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "tensor": "asarray",
    "true_divide": "divide",
}
"""What the standard, or this namespace, calls functions that have other names in NumPy and elsewhere."""

_MOST_AXES = 64
"""NumPy's own limit."""


_ASKED_FOR: Final = {
    "nn": "what networks need is in `rt` itself: `rt.relu`, `rt.softmax`, `rt.matmul`",
    "rand": "`rt.random.uniform(shape)` gives such numbers",
    "randn": "`rt.random.normal(shape)` gives such numbers",
    "seed": "`rt.random.Generator(seed)` has a seed, and so has `np.random.default_rng(seed)`",
    "random.PRNGKey": "it is called `rt.random.key` here",
    "random.default_rng": "it is called `rt.random.Generator` here; NumPy's own works in graphs, too",
    "random.rand": "`rt.random.uniform(shape)` gives such numbers",
    "random.randint": "it is called `rt.random.integers` here",
    "random.randn": "`rt.random.normal(shape)` gives such numbers",
    "random.seed": "`rt.random.Generator(seed)` has a seed, and so has `np.random.default_rng(seed)`",
}
"""What people who come from elsewhere look for, and where it is."""


@shows_callers_alone
def refuse_name(name: str, room: str = "") -> NoReturn:
    """Says what a name of another library's is called here, or that NumPy's function takes tensors.

    Parameters
    ----------
    name : str
    room : str
        Where it is looked for: `linalg`, `fft`, `random`; empty for the namespace itself.
    """
    path = f"{room}.{name}" if room else name
    told = ""
    if path in _CALLED:
        told = f"it is called `rt.{_CALLED[name]}` here"
    elif path in _ASKED_FOR:
        told = _ASKED_FOR[path]
    elif not name.startswith("_") and callable(getattr(getattr(np, room) if room else np, name, None)):
        told = f"the Array API standard has no such function; NumPy's own take tensors: try `np.{path}`"
    home = f"runtime.{room}" if room else "runtime"
    said = f"module {home!r} has no attribute {name!r}" + (f": {told}" if told else "")
    module = _ROOMS.get(room) or sys.modules["runtime"]
    # where something is told, Python does not guess a name as well: it is not given one
    raise no_defect(AttributeError(said, name=None if told else name, obj=module))


_ROOMS: Final = {"fft": fft, "linalg": linalg, "random": random}
for _room, _module in _ROOMS.items():
    vars(_module)["__getattr__"] = partial(refuse_name, room=_room)


def _array_namespace(_: Operators, /, *, api_version: str | None = None) -> ModuleType:
    """The namespace with the functions that take this tensor, which is `runtime` itself.

    Parameters
    ----------
    api_version : str, optional
        The version of the Array API standard that the caller was written for.

    Returns
    -------
    module

    Raises
    ------
    InvalidValue
        When the version is not known here.

    Notes
    -----
    Semantics: Array API 2025.12, `array.__array_namespace__`.
    """
    if api_version is not None and api_version not in _VERSIONS:
        raise InvalidValue(
            f"there is no namespace for version {api_version!r} of the Array API",
            why=f"This one implements {', '.join(_VERSIONS)}.",
            way_out=f"Leave out `api_version`, or write {API_VERSION!r}.",
        )
    return sys.modules[__package__]


class ArrayNamespaceInfo:
    """What the namespace is able to do, as the Array API lets programs ask.

    Notes
    -----
    Semantics: Array API 2025.12, `__array_namespace_info__`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.__array_namespace_info__().default_device()
    'cpu'
    """

    def capabilities(self) -> dict[str, Any]:
        """What not every array library can do.

        Returns
        -------
        dict
            ``"boolean indexing"`` and ``"data-dependent shapes"``, which are True in graphs too, and
            ``"max dimensions"``.
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _MOST_AXES}

    def default_device(self) -> str:
        """Where tensors are that are made without a `device`: ``"cpu"``."""
        return CPU

    def devices(self) -> tuple[str, ...]:
        """All devices."""
        return DEVICES

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """The dtypes of tensors that are made without a `dtype`.

        Parameters
        ----------
        device : str, optional

        Returns
        -------
        dict
            By ``"real floating"``, ``"complex floating"``, ``"integral"`` and ``"indexing"``. In a graph that
            is traced under TensorFlow's rules they are TensorFlow's.

        Raises
        ------
        InvalidValue
            When there is no such device.
        """
        require_device(device)
        defaults = current_defaults()
        return {
            "real floating": defaults.floating,
            "complex floating": defaults.complexes,
            "integral": defaults.integer,
            "indexing": int64,
        }

    def dtypes(self, *, device: Any = None, kind: str | tuple[str, ...] | None = None) -> dict[str, DType]:
        """The dtypes of the standard, all of which are there; others, such as float16, are left out.

        Parameters
        ----------
        device : str, optional
        kind : str or tuple of str, optional
            A kind that `isdtype` knows, or several; all by default.

        Returns
        -------
        dict
            Each dtype by its name.

        Raises
        ------
        InvalidValue
            When there is no such device, or no such kind.
        """
        require_device(device)
        standard = {name: as_dtype(name) for name in _STANDARD}
        if kind is None:
            return standard
        if not isinstance(kind, (str, tuple)) or any(not isinstance(each, str) for each in kind):
            raise InvalidValue(
                f"{kind!r} is no kind of dtype",
                why="A kind is a word, such as 'integral', and several are a tuple of words.",
                way_out="`rt.isdtype` lists them.",
            )
        return {name: dtype for name, dtype in standard.items() if isdtype(dtype, kind)}


_array_namespace.__qualname__ = f"{Operators.__name__}.__array_namespace__"
for _name, _method in {"__array_namespace__": _array_namespace}.items():
    _method.__name__ = _name
    setattr(Operators, _name, _method)
