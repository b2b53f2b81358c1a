"""The programs of other people that run what we write."""

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest


class TensorFlow:
    """TensorFlow in a process of its own, run by the Python that `AUTOGRAPH_PEERS_PYTHON` names."""

    def __init__(self):
        self.python = os.environ.get("AUTOGRAPH_PEERS_PYTHON", sys.executable)
        self.process = subprocess.Popen(
            [self.python, str(Path(__file__).with_name("tensorflow_worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"},
        )

    def run(self, graph, inputs=None, fetches=("Identity:0",), variables=None, gradient=False):
        """What TensorFlow makes of a GraphDef; raises a RuntimeError with what it complains of."""
        request = {
            "question": "run",
            "graph": graph.SerializeToString(),
            "inputs": inputs or {},
            "fetches": list(fetches),
            "variables": variables or {},
            "gradient": gradient,
        }
        answer = self._ask(request)
        return Run(*answer["results"], answer["printed"])

    def read(self, graph):
        """A GraphDef as TensorFlow's own message: its text, and its bytes."""
        return self._ask({"question": "read", "graph": graph.SerializeToString()})["results"]

    def tensor(self, array):
        """The bytes of an array as TensorFlow writes it."""
        return self._ask({"question": "tensor", "array": array})["results"]

    def allowed(self, op, attribute):
        """The names of the dtypes that an op of TensorFlow takes; None when it takes all."""
        return self._ask({"question": "allowed", "op": op, "attribute": attribute})["results"]

    def evaluate(self, sources):
        """The `repr` of expressions in the names `tf` and `np`."""
        return self._ask({"question": "evaluate", "sources": sources})["results"]

    def programs(self, path):
        """What the programs of a file give, by name."""
        return self._ask({"question": "programs", "path": str(path)})["results"]

    def usage(self):
        """Public names of TensorFlow, and how often its own sources say them."""
        return self._ask({"question": "usage"})["results"]

    def _ask(self, request):
        with suppress(BrokenPipeError):  # then there is no answer either
            pickle.dump(request, self.process.stdin)
            self.process.stdin.flush()
        try:
            answer = pickle.load(self.process.stdout)
        except EOFError:
            pytest.fail(f"{self.python} ended without an answer: does `import tensorflow` work there?")
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def close(self):
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Run:
    """Results, variables afterwards, gradient, printed text."""

    def __init__(self, arrays, variables, slope, printed):
        self.arrays, self.variables, self.slope, self.printed = arrays, variables, slope, printed


@pytest.fixture(scope="session")
def tensorflow():
    peer = TensorFlow()
    yield peer
    peer.close()
