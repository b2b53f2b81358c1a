"""TensorFlow in a process of its own, with its own Python, so that neither needs the other installed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from benchmarks.harness import Contender

__all__ = ["Peer"]


class Peer:
    """A process that times its own side of a scene when it is asked to.

    Parameters
    ----------
    python : str
        The Python under which ``import tensorflow`` works.
    """

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # the Python that the caller names
            [python, str(Path(__file__).with_name("tensorflow_worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"},
        )
        self.version = self._ask("version")

    def contender(self, name: str, work: str) -> Contender:
        """TensorFlow's side of a scene: a name in the worker's `WORK`."""
        return Contender(f"{name}, TensorFlow {self.version}", lambda: float(self._ask(work)))

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate("")

    def _ask(self, question: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{question}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        if not answer:
            raise RuntimeError("TensorFlow's process ended without an answer: does it import there?")
        return answer
