"""SHA-256 without OpenSSL: to load that takes longer than all digests of a program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

__all__ = ["sha256"]

if TYPE_CHECKING or sys.implementation.name != "cpython":
    from hashlib import sha256
else:
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:  # a Python without hashes of its own
        from hashlib import sha256
