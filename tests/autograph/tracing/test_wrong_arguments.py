"""What is given wrongly is refused where it is given, with the way out and without frames of ours."""

import traceback

import pytest

import autograph as ag
import runtime as rt
from runtime.graph.location import is_ours


def half(x):
    return x / 2


SPEC = rt.TensorSpec((), rt.float64)
WRONG = {
    "no function": (lambda: ag.function(3), "3 cannot be called"),
    "no sequence of specs": (lambda: ag.function(half, input_signature=SPEC), "which is no sequence"),
    "a number for a signature": (lambda: ag.function(half, input_signature=3), "is 3, which is no sequence"),
    "an unknown time of effects": (lambda: ag.function(half, effects="never"), "neither 'run' nor 'trace'"),
    "no traces": (lambda: ag.function(half, max_traces=0), "max_traces is 0"),
    "a text for a number of traces": (lambda: ag.function(half, max_traces="5"), "max_traces is '5'"),
    "half a trace": (lambda: ag.function(half, max_traces=2.5), "max_traces is 2.5"),
    "the beginning of an option's name": (lambda: ag.function(jit=True), "Did you mean `jit_compile`?"),
    "a name with a letter too few": (lambda: ag.function(half, executr="numpy"), "Did you mean `executor`?"),
    "an option of another library": (lambda: ag.function(nopython=True), "Its options are input_signature, "),
    "Numba's word for machine code": (lambda: ag.function(nopython=True), "Write `jit_compile=True`"),
    "JAX's word for constants": (
        lambda: ag.function(static_argnums=0),
        "Leave it out: strings and",
    ),
    "a word for a truth value": (
        lambda: ag.function(jit_compile="yes"),
        "jit_compile is 'yes', and has to be True or False",
    ),
    "a number for a truth value": (lambda: ag.function(autograph=1), "autograph is 1, and has to be True or"),
    "nothing for a truth value": (
        lambda: ag.function(reduce_retracing=None),
        "reduce_retracing is None, and",
    ),
    "a word for strictness": (
        lambda: ag.function(strict="no"),
        "strict is 'no', and has to be True or False",
    ),
    "a number for a name": (lambda: ag.function(name=5), "name is 5, and has to be a string"),
    "a dict of options": (lambda: ag.function(options={}), "options is {}, and has to be of type `Options`"),
    "a dtype for defaults": (lambda: ag.function(defaults=rt.float32), "and has to be of type `Defaults`"),
    "an executor that is not there": (lambda: ag.function(executor="gpu"), "There are auto, native, numpy"),
    "an executor's name with a letter too few": (
        lambda: ag.function(executor="nativ"),
        "Did you mean 'native'?",
    ),
    "a truth value for an executor": (lambda: ag.function(executor=True), "no executor called True"),
    "a step that is no call": (lambda: ag.check(half, 1.0, then=[3]), "a step of `then` is 3"),
    "a library of no function": (lambda: ag.compile_library(3, "x.so"), "3 cannot be called"),
    "a profile of no function": (lambda: ag.profile(3), "3 cannot be called"),
    "a branch that is no function": (lambda: rt.cond(rt.asarray(True), half, 1), "`false_fn` of `cond` is 1"),
    "a loop of no functions": (lambda: rt.while_loop(1, half, (1,)), "`cond` of `while_loop` is 1"),
    "one variable of a loop": (lambda: rt.while_loop(half, half, 1), "variables of `while_loop` are 1"),
    "one tensor to join": (lambda: rt.concat(3), "`concat` of 3"),
}


@pytest.mark.parametrize(("mistake", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_argument_is_named_with_a_way_out(mistake, message):
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        mistake()
    assert caught.value.way_out
    assert not [
        frame for frame in traceback.extract_tb(caught.value.__traceback__) if is_ours(frame.filename)
    ]


def test_a_folder_that_is_not_there_is_named_as_it_was_given(tmp_path):
    place = tmp_path / "missing" / "half.o"
    with pytest.raises(FileNotFoundError) as caught:
        ag.compile_library(half, place, spec=[SPEC])
    assert caught.value.filename == str(place)
