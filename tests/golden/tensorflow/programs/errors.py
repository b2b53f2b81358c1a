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
