"""Specs of values that are several tensors; scopes; what programs ask of where they run."""


def specs_of_values(tf):
    sparse = tf.sparse.from_dense([[1, 0, 2]])
    values = [tf.constant([1]), tf.ragged.constant([[1], [2, 3]]), sparse, tf.data.Dataset.range(3), None]
    specs = [tf.type_spec_from_value(value) for value in values[:3]]
    return (
        [str(spec.shape) for spec in specs],
        [spec.dtype.name for spec in specs],
        [isinstance(spec, tf.TypeSpec) for spec in specs],
        [specs[1].ragged_rank, specs[1].row_splits_dtype.name],
        [spec.is_compatible_with(value) for spec, value in zip(specs, values)],
        [specs[0].is_compatible_with(tf.constant([1.0])), specs[2].is_compatible_with(sparse * 2)],
        tf.RaggedTensorSpec([None, None], tf.int32) == tf.RaggedTensorSpec([None, None], tf.int32),
        tf.RaggedTensorSpec([None, None], tf.int32) == tf.RaggedTensorSpec([None, None], tf.int64),
        tf.SparseTensorSpec([2, None]).shape.as_list(),
        tf.data.DatasetSpec(tf.TensorSpec([], tf.int64)).element_spec.dtype.name,
        isinstance(tf.NoneTensorSpec(), tf.TypeSpec),
        str(tf.TensorArraySpec([None, 2], tf.float32).value_type.__name__),
    )


def a_signature_with_a_ragged_tensor(tf):
    count = []

    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    def sums(rows):
        count.append(1)
        return tf.reduce_sum(rows.values), rows.row_lengths()

    return sums(tf.ragged.constant([[1, 2], [3]])), sums(tf.ragged.constant([[1], [], [2, 3]])), len(count)


def a_signature_with_a_sparse_tensor(tf):
    count = []

    @tf.function(input_signature=[tf.SparseTensorSpec([None, 3], tf.int32)])
    def sums(matrix):
        count.append(1)
        return tf.sparse.reduce_sum(matrix, axis=1)

    return sums(tf.sparse.from_dense([[1, 0, 2]])), sums(tf.sparse.from_dense([[1, 0, 2], [0, 0, 5]])), len(count)


def names_in_scopes(tf):
    seen = [tf.get_current_name_scope()]
    with tf.name_scope("outer"):
        seen.append(tf.get_current_name_scope())
        with tf.name_scope("inner") as inner:
            seen.append(inner)
            seen.append(tf.get_current_name_scope())
    seen.append(tf.get_current_name_scope())
    return seen


def devices_by_name(tf):
    spec = tf.DeviceSpec.from_string("/job:w/task:3/device:GPU:1")
    made = tf.DeviceSpec(device_type="CPU", device_index=0)
    parts = spec.job, spec.replica, spec.task, spec.device_type, spec.device_index
    return parts, made.to_string(), spec.replace(task=None).to_string(), spec == made


def what_a_program_asks_of_where_it_runs(tf):
    inside = []

    @tf.function
    def f(x):
        inside.append(tf.inside_function())
        return x

    f(tf.constant(1))
    (processor,) = tf.config.list_physical_devices("CPU")
    tf.config.experimental.set_synchronous_execution(True)
    return (
        inside,
        tf.inside_function(),
        tf.get_logger().name,
        tf.tuple([tf.constant(1), None]),
        tf.config.experimental.get_device_details(processor),
        tf.config.experimental.get_synchronous_execution(),
        tf.config.get_logical_device_configuration(processor),
        tf.config.LogicalDeviceConfiguration(memory_limit=10).memory_limit,
        tf.config.optimizer.get_experimental_options()["disable_meta_optimizer"],
        [tf.float32.size, tf.uint16.is_unsigned, tf.complex64.real_dtype.name, tf.int8.limits],
        [tf.int8.base_dtype.name, tf.float32.is_compatible_with(tf.int32), tf.debugging.get_log_device_placement()],
    )
