"""All of `tf.debugging`: what holds, and what is refused, at once and in graphs."""

import re

import numpy as np


def refused(tf, check, *values):
    """Whether a check refuses values: at once, and in a graph."""

    def run(*tensors):
        check(*tensors)
        return tf.constant(0)

    found = []
    for call in (run, tf.function(run)):
        try:
            call(*[tf.constant(value) for value in values])
            found.append(False)
        except (ValueError, TypeError, tf.errors.InvalidArgumentError):
            found.append(True)
    return found


def comparisons(tf):
    checks = [
        tf.debugging.assert_equal,
        tf.debugging.assert_none_equal,
        tf.debugging.assert_less,
        tf.debugging.assert_less_equal,
        tf.debugging.assert_greater,
        tf.debugging.assert_greater_equal,
        tf.debugging.assert_near,
        tf.assert_equal,
        tf.assert_less,
        tf.assert_greater,
    ]
    pairs = [([1.0, 2.0], [1.0, 2.0]), ([1.0, 2.0], [2.0, 3.0]), ([3.0], [2.0]), ([1.0, 5.0], [1.0, 4.0])]
    return [[refused(tf, lambda x, y, test=check: test(x, y), *pair) for pair in pairs] for check in checks]


def signs(tf):
    checks = [
        tf.debugging.assert_positive,
        tf.debugging.assert_negative,
        tf.debugging.assert_non_negative,
        tf.debugging.assert_non_positive,
    ]
    return [
        [refused(tf, lambda x, test=check: test(x), value) for value in ([1, 2], [0], [-1, 3], [-2])]
        for check in checks
    ]


def kinds_and_ranks(tf):
    return [
        refused(tf, lambda x: tf.debugging.assert_integer(x), 1),
        refused(tf, lambda x: tf.debugging.assert_integer(x), 1.0),
        refused(tf, lambda x: tf.debugging.assert_type(x, tf.float32), 1.0),
        refused(tf, lambda x: tf.debugging.assert_type(x, tf.int32), 1.0),
        refused(tf, lambda x: tf.debugging.assert_rank(x, 1), [1.0]),
        refused(tf, lambda x: tf.assert_rank(x, 2), [1.0]),
        refused(tf, lambda x: tf.debugging.assert_scalar(x), 1.0),
        refused(tf, lambda x: tf.debugging.assert_scalar(x), [1.0]),
        [tf.debugging.is_numeric_tensor(value) for value in (tf.constant(1), tf.constant(True), "text", 3)],
    ]


def numbers_that_are_finite(tf):
    infinite = [1.0, float("inf")]
    return [
        refused(tf, lambda x: tf.debugging.assert_all_finite(x, "finite"), [1.0]),
        refused(tf, lambda x: tf.debugging.assert_all_finite(x, "finite"), infinite),
        refused(tf, lambda x: tf.debugging.check_numerics(x, "finite"), [float("nan")]),
        tf.debugging.check_numerics(tf.constant([1.0, 2.0]), "finite"),
    ]


def numbers_of_every_op(tf):
    @tf.function
    def logarithm(x):
        return tf.math.log(x) + 1.0

    @tf.function
    def quotients(x):
        for _ in tf.range(3):
            x = x / tf.zeros_like(x)
        return x

    @tf.function
    def branch(x):
        return tf.sqrt(x) if tf.reduce_sum(x) < 0.0 else x

    def found(call, *values):
        try:
            with np.errstate(all="ignore"):
                return call(*map(tf.constant, values))
        except tf.errors.InvalidArgumentError as error:
            text = str(error)
            of = re.search(r"Detected .* !!!", text).group()
            own = re.findall(r"\(L\d+\) (logarithm|quotients|branch)", text)
            return [
                of,
                re.search(r"Tensor had (.*) values", text).group(1),
                re.findall(r"# of (\S+) elements: (\d+)", text),
                re.search(r"shape: (\(.*\))", text).group(1),
                sorted(set(own)),
            ]

    tf.debugging.enable_check_numerics()
    tf.debugging.enable_check_numerics()
    try:
        seen = [
            found(tf.math.log, [0.0, -1.0, 1.0]),
            found(lambda x: x + 1.0, [float("nan")]),
            found(lambda x: tf.reshape(x, [1, 1]), [float("inf")]),
            found(tf.identity, float("inf")),
            found(lambda x: tf.cast(x, tf.float32), np.array([1e300])),
            found(lambda x: tf.where(True, x, 0.0), float("-inf")),
            found(tf.math.divide_no_nan, 1.0, 0.0),
            found(logarithm, [0.0, -1.0]),
            found(logarithm, [1.0, 1.0]),
            found(quotients, [1.0]),
            found(branch, [-1.0]),
            found(branch, [4.0]),
        ]
    finally:
        tf.debugging.disable_check_numerics()
        tf.debugging.disable_check_numerics()
    return [*seen, found(tf.math.log, [0.0]), found(logarithm, [0.0, -1.0])]


def switches(tf):
    seen = [tf.debugging.is_traceback_filtering_enabled()]
    tf.debugging.disable_traceback_filtering()
    seen.append(tf.debugging.is_traceback_filtering_enabled())
    tf.debugging.enable_traceback_filtering()
    seen.append(tf.debugging.is_traceback_filtering_enabled())
    tf.debugging.set_log_device_placement(False)
    seen.append(tf.debugging.get_log_device_placement())
    tf.config.set_soft_device_placement(True)
    seen.append(tf.config.get_soft_device_placement())
    seen.append(tf.config.functions_run_eagerly())
    with tf.device("/CPU:0"), tf.control_dependencies([]):
        seen.append(tf.no_op() is None or True)
    seen.append(len(tf.config.get_visible_devices("CPU")))
    seen.append(len(tf.config.list_logical_devices("CPU")))
    seen.append(tf.config.list_physical_devices("CPU")[0].name)
    return seen


def codes_of_errors(tf):
    names = (
        "Aborted AlreadyExists Cancelled DataLoss DeadlineExceeded FailedPrecondition Internal InvalidArgument "
        "NotFound OutOfRange PermissionDenied ResourceExhausted Unauthenticated Unavailable Unimplemented Unknown"
    )
    kinds = [getattr(tf.errors, f"{name}Error") for name in names.split()]
    made = [kind("node", "op", "gone") for kind in kinds]
    return [(type(e).__name__, e.error_code, e.message, e.op, e.node_def) for e in made]


def streams_of_their_own(tf):
    drawn = [
        tf.random.truncated_normal([4]),
        tf.random.stateless_gamma([4], [1, 2], 2.0),
        tf.random.stateless_poisson([4], [1, 2], 3.0),
        tf.random.get_global_generator().normal([4]),
        tf.random.experimental.Generator.from_seed(3).uniform([4]),
    ]
    shapes = [(numbers.dtype.name, numbers.shape.as_list()) for numbers in drawn]
    return shapes, [kind.name for kind in (tf.random.Algorithm.PHILOX, tf.random.Algorithm.THREEFRY)]
