"""`autograph_base.log`: who has asked hears what is logged, and nothing is loaded where nobody has."""

import logging
import subprocess
import sys

from autograph_base.log import DEBUG, INFO, Log

NAME = "autograph.test_log"


def test_a_message_is_heard_with_the_line_that_says_it(caplog):
    with caplog.at_level(logging.INFO, NAME):
        Log(NAME).log(INFO, "%d of %s", 3, "four")
        Log(NAME).log(DEBUG, "too little")
    [record] = caplog.records
    assert (record.getMessage(), record.levelno, record.name) == ("3 of four", logging.INFO, NAME)
    assert record.filename == "test_log.py"


def test_levels_are_those_of_the_library():
    assert (DEBUG, INFO) == (logging.DEBUG, logging.INFO)
    logging.getLogger(NAME).setLevel(logging.WARNING)
    assert not Log(NAME).says(INFO)
    logging.getLogger(NAME).setLevel(logging.DEBUG)
    assert Log(NAME).says(INFO)


def test_where_nobody_has_loaded_the_library_nothing_is_said():
    text = (
        "import sys\n"
        "from autograph_base.log import INFO, Log\n"
        "Log('a').log(INFO, 'nothing')\n"
        "assert not Log('a').says(50)\n"
        "assert 'logging' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True)  # our own text
