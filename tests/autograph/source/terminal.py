"""A program at a terminal of its own: what is typed is what a person types."""

import os
import pty
import re
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[3]


def environment(**more):
    """That of these tests, with this project in the path, and no start-up file or history of a person's."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHON_BASIC_REPL": "1",  # the prompt of 3.13 edits what is typed; this one does not
        "PYTHON_HISTORY": os.devnull,
        "INPUTRC": os.devnull,
        "TERM": "dumb",
        "NO_COLOR": "1",
        **more,
    }


def typed(text, *arguments, **more):
    """What the terminal shows when a text is typed into Python, and what follows it is `exit()`."""
    ours, its = pty.openpty()
    command = [sys.executable, "-q", *arguments]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment(**more)) as process:
        os.close(its)
        os.write(ours, f"{text}\nexit()\n".encode())
        shown = b""
        while True:
            try:
                read = os.read(ours, 4096)
            except OSError:  # how Linux says that nobody holds the other end
                break
            if not read:
                break
            shown += read
        os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def pasted(text):
    """What the terminal shows when a text is pasted into the prompt of Python 3.13 and later."""
    ours, its = pty.openpty()
    settings = environment(TERM="xterm", PYTHON_COLORS="0")
    del settings["PYTHON_BASIC_REPL"]
    command = [sys.executable, "-q"]
    with subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env=settings, start_new_session=True
    ) as process:
        os.close(its)
        shown = b""
        while b">>> " not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, b"\x1b[200~" + text.encode() + b"\x1b[201~\rexit()\r")
        while process.poll() is None:
            if select.select([ours], [], [], 0.1)[0]:
                with suppress(OSError):  # how Linux says that nobody holds the other end
                    shown += os.read(ours, 4096)
        os.close(ours)
    return re.sub(r"\x1b[\[(][0-9;?]*[A-Za-z=>]", "", shown.decode()).replace("\r\n", "\n")


def run(*arguments, **more):
    """What Python prints, and complains of, given some arguments and a standard input."""
    done = subprocess.run(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
        check=False,
        timeout=60,
        **more,
    )
    return done.stdout
