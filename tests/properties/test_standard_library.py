"""Parts of the standard library, converted with all that they call, do what they do."""

import configparser
import difflib
import fractions
import io
import ipaddress
import json
import json.decoder
import json.encoder
import shlex
import statistics
import string
import textwrap
import tomllib
import urllib.parse

import pytest

from autograph import policy
from autograph.transpiler import Transpiler

TEXT = "The quick brown fox jumps over the lazy dog. " * 5


@pytest.fixture
def transpiler(monkeypatch):
    """Leaves alone what conversion itself uses, and nothing else."""
    monkeypatch.setattr(policy, "LEFT_ALONE", frozenset({"ast", "contextlib", "linecache", "warnings"}))
    return Transpiler()


def text():
    return (
        textwrap.fill(TEXT, 30),
        textwrap.dedent("   a\n    b\n"),
        textwrap.shorten(TEXT, 40),
        string.Template("$a ${b} $$").substitute(a=1, b=2),
        shlex.split("a \"b c\" d\\ e 'f g'"),
    )


def differences():
    return (
        list(difflib.unified_diff(TEXT.split(), TEXT.replace("fox", "cat").split(), lineterm="")),
        list(difflib.ndiff(["one\n", "two\n"], ["ore\n", "too\n"])),
        difflib.get_close_matches("appel", ["ape", "apple", "peach"]),
    )


def json_in_python():
    encoder = json.JSONEncoder(indent=2, sort_keys=True)
    return (
        encoder.encode({"a": [1, 2.5, None, True, {"b": "x\u1234"}], "c": ()}),
        json.decoder.py_scanstring('a\\n\\u00e9b"', 0),
        json.encoder.py_encode_basestring_ascii('h\u00e9"\n'),
    )


def numbers():
    data = [1, 2, 2, 3, 4, 7, 9, 1.5]
    third = fractions.Fraction(1, 3)
    return (
        statistics.mean(data),
        statistics.median(data),
        statistics.quantiles(data),
        statistics.linear_regression([1, 2, 3], [2, 4, 7]),
        third + fractions.Fraction("3/4"),
        fractions.Fraction(22, 7).limit_denominator(5),
        str(round(fractions.Fraction(7, 3), 1)),
    )


def configuration():
    parser = configparser.ConfigParser()
    parser.read_string("[a]\nx=1\ny=%(x)s2\n[b]\nz: yes\n # c\n")
    out = io.StringIO()
    parser.write(out)
    toml = tomllib.loads("a=1\n[c.d]\ne=[1,2,{f=1.5}]\ng=2020-01-01T00:00:00Z\n[[k]]\nz=true\n[[k]]\n")
    return parser.get("a", "y"), parser.getboolean("b", "z"), out.getvalue(), toml


def addresses():
    network = ipaddress.ip_network("10.0.0.0/29")
    return (
        network.supernet(),
        ipaddress.ip_address("::1").exploded,
        urllib.parse.urlsplit("http://u:p@h:80/p;x?q=1#f"),
        urllib.parse.urljoin("http://a/b/c", "../d"),
        urllib.parse.urlencode({"a": [1, 2]}, doseq=True),
    )


@pytest.mark.parametrize(
    "program",
    [text, differences, json_in_python, numbers, configuration, addresses],
)
@pytest.mark.filterwarnings("ignore::autograph.errors.ConversionWarning")
def test_converted_it_gives_the_same(program, transpiler):
    assert repr(transpiler.convert(program)()) == repr(program())
