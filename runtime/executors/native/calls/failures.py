"""What a run that has ended early raises, from what it has left in its context."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.executors.native.language.loops import Site
from runtime.executors.native.llvm.code import ERROR, MOST_SHOWN, SHOWN, SITE, Status
from runtime.executors.notes import located
from runtime.ops.core import Check

__all__ = ["ended", "failure", "raised_at"]

_decrease = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("Py_DecRef", ctypes.pythonapi))


def failure(status: Status, sites: Sequence[Site], words: Any) -> BaseException:
    """What to raise for a run that has ended early."""
    if status is Status.RAISED:
        return _taken_error(words)
    if status is Status.NO_MEMORY:
        return MemoryError("there is not enough memory for an array of this graph")
    if status is Status.TOO_DEEP:
        return RecursionError("maximum recursion depth exceeded")
    assert status is Status.FAILED, "there is nothing else that a program raises"
    return raised_at(sites[words[SITE]], words[SHOWN : SHOWN + MOST_SHOWN])


def raised_at(site: Site, bits: Sequence[int]) -> BaseException:
    """What was raised at a site that shows numbers of these bits."""
    return ended(site, [_number(word, dtype) for word, dtype in zip(bits, site.dtypes, strict=False)])


def ended(site: Site, shown: Sequence[Any]) -> BaseException:
    """What to raise for a run that has ended at a site, where it shows these numbers."""
    try:
        if site.raising is None:
            Check(site.error, site.message).kernel(False, *shown)
        else:
            site.raising(*shown)
    except Exception as error:  # noqa: BLE001  # it is what the program raises
        return located(error, site.node)
    except SystemExit as error:
        return error
    raise AssertionError("a check that does not hold raises")


def _number(word: int, dtype: DType) -> Any:
    """A number from the 64 bits in which a failure shows it."""
    if dtype.is_floating:
        return dtype.numpy.type(struct.unpack("<d", struct.pack("<q", word))[0])
    return dtype.numpy.type(np.int64(word).astype(dtype.numpy))


def _taken_error(words: Any) -> BaseException:
    """The exception that a context holds, which it holds no longer."""
    error: BaseException = ctypes.cast(words[ERROR], ctypes.py_object).value
    _decrease(words[ERROR])
    words[ERROR] = 0
    return error
