"""TensorBoard in a process of its own, run by the Python that `AUTOGRAPH_PEERS_PYTHON` names."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

PYTHON = os.environ.get("AUTOGRAPH_PEERS_PYTHON", sys.executable)


@contextmanager
def serving(folder):
    """The address under which TensorBoard shows a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        PYTHON,
        "-m",
        "tensorboard.main",
        "--logdir",
        folder,
        "--port",
        str(port),
        "--host",
        "127.0.0.1",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def asked(url, seconds=60):
    """What a page gives, once the server is up and has read its files."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url) as answer:
                text = answer.read().decode()
            if text not in {"{}", "[]"}:
                return text
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
        assert time.monotonic() < end, f"{url} stayed empty"
        time.sleep(0.2)
