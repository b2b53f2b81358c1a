"""What PyInstaller has to know of this package; the entry point of the project leads it to this folder."""

from __future__ import annotations

from pathlib import Path

__all__ = ["hook_folders"]


def hook_folders() -> list[str]:
    """Where the hooks are."""
    return [str(Path(__file__).parent)]
