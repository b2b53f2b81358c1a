"""Errors that programs catch, and checks that raise them."""


def errors_with_codes(tf):
    kinds = [tf.errors.NotFoundError, tf.errors.CancelledError, tf.errors.DataLossError, tf.errors.UnknownError]
    found = []
    for kind in kinds:
        try:
            raise kind(None, None, "gone")
        except tf.errors.OpError as error:
            found.append((error.message, error.error_code, error.op is None))
    return found, tf.errors.INVALID_ARGUMENT


def checks_of_ranks_and_shapes(tf):
    def refused(check):
        try:
            check()
        except (ValueError, TypeError, tf.errors.InvalidArgumentError):
            return True
        return False

    x = tf.ones([2, 3])
    return [
        refused(lambda: tf.debugging.assert_rank_at_least(x, 2)),
        refused(lambda: tf.debugging.assert_rank_at_least(x, 3)),
        refused(lambda: tf.debugging.assert_rank_in(x, [1, 2])),
        refused(lambda: tf.debugging.assert_rank_in(x, [1, 3])),
        refused(lambda: tf.debugging.assert_shapes([(x, ("N", "M")), (tf.ones([3]), ("M",))])),
        refused(lambda: tf.debugging.assert_shapes([(x, ("N", "M")), (tf.ones([2]), ("M",))])),
        refused(lambda: tf.debugging.assert_same_float_dtype([x, tf.ones([1])])),
        refused(lambda: tf.debugging.assert_same_float_dtype([x, tf.ones([1], tf.float64)])),
        refused(lambda: tf.debugging.assert_proper_iterable([x])),
        refused(lambda: tf.debugging.assert_proper_iterable(x)),
        refused(lambda: tf.ensure_shape(x, [None, 4])),
        refused(lambda: tf.ensure_shape(x, [2])),
    ]


def name_of_error(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return None


def refused(names):
    """Calls that are refused where shapes are known."""
    tf, four = names, names.range(4)
    return [
        lambda: tf.ones([2]) + tf.ones([3]),
        lambda: tf.matmul(tf.ones([2, 2]), tf.ones([3, 3])),
        lambda: tf.reshape(four, [3]),
        lambda: tf.concat([tf.ones([2, 2]), tf.ones([3, 3])], 0),
        lambda: tf.slice(four, [5], [-1]),
    ]


def errors_of_operations_at_once(tf):
    four = tf.range(4)
    more = [
        lambda: tf.gather(four, [7]),
        lambda: four[7],
        lambda: tf.slice(four, [3], [4]),
        lambda: tf.slice(four, [-1], [1]),
    ]
    return [name_of_error(call) for call in refused(tf) + more]


def errors_of_operations_in_functions(tf):
    return [name_of_error(tf.function(call, autograph=False)) for call in refused(tf)]


def slices_that_only_a_run_can_refuse(tf):
    @tf.function
    def part(x, first, length):
        return tf.slice(x, [first], [length])

    x = tf.range(5)
    return (
        part(x, tf.constant(1), tf.constant(3)),
        part(x, tf.constant(4), tf.constant(1)),
        name_of_error(lambda: part(x, tf.constant(3), tf.constant(3))),
        name_of_error(lambda: part(x, tf.constant(-2), tf.constant(1))),
    )
