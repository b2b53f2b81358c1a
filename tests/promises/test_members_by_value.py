"""Members of enumerations that are asked for by a value which only the run knows: `Operation(code)`."""

import enum

import numpy as np

import autograph as ag


class Operation(enum.IntEnum):
    ADD = 0
    SUBTRACT = 1
    STOP = 9


class Light(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = RED


class Letter(enum.StrEnum):
    A = "a"
    B = "b"


class Answer(enum.Enum):
    YES = 1
    PERHAPS = 0

    @classmethod
    def _missing_(cls, value):
        return cls.PERHAPS


def lit(x):
    light = Light(x)
    return light is Light.RED, light.name, light


def test_a_member_is_found_or_a_value_error_is_raised():
    ag.check(lit, np.int64(1), then=[(np.int64(2),), (np.int64(3),)])
    ag.check(lit, np.float64(2.0), then=[(np.float64(2.5),)])


def test_members_drive_a_machine_that_catches_other_values():
    def run(codes):
        seen, total, operation = [], 0, None
        for code in codes:
            try:
                operation = Operation(code)
            except ValueError as error:
                seen.append(str(error))
                continue
            if operation is Operation.ADD:
                total += 1
            elif operation == Operation.SUBTRACT:
                total -= 1
            else:
                break
            seen.append(operation.name)
        return total, seen, operation

    ag.check(run, np.array([0, 1, 5, 0, 9, 1]), then=[(np.array([7, 7, 7, 7, 7, 7]),)])


def test_a_member_is_found_by_a_text():
    def letters(n):
        text = ""
        for i in range(n):
            text += "ab"[i % 2]
        return [Letter(each) for each in text], Letter(text[0]).name

    ag.check(letters, np.int64(3), then=[(np.int64(1),)])


def test_a_class_may_say_what_other_values_mean():
    ag.check(lambda x: Answer(x).name, np.int64(1), then=[(np.int64(7),)])


def picked(x):
    if x > 50:
        raise ValueError(x)
    return Light.RED if x > 1 else Light.GREEN


def test_a_member_that_may_be_none_is_one_where_a_try_is_left():
    def lights(xs):
        light, found = None, []
        for x in xs:
            try:
                light = picked(x)
            except ValueError:
                found.append(-1)
                continue
            found.append(light.value)
        return light, found

    ag.check(lights, np.array([1.0, 5.0, 60.0]), then=[(np.array([60.0, 60.0, 60.0]),)])
