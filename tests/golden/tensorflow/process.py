"""What a process sets once, before it computes anything; what TensorFlow says of it is in `process.out`."""


def outcomes(tf):
    """What each step gives, by name."""
    [cpu] = tf.config.list_physical_devices("CPU")
    before = tf.config.get_logical_device_configuration(cpu)
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    after = tf.config.get_logical_device_configuration(cpu)
    tf.config.experimental.enable_op_determinism()
    drawn = []
    for _ in range(2):
        tf.random.set_seed(3)
        drawn.append(tf.random.uniform([4]).numpy().tolist())
    return {
        "a device has one part": before,
        "or as many as are asked for": after,
        "which are listed": tf.config.list_logical_devices("CPU"),
        "random numbers can be repeated": drawn[0] == drawn[1],
    }
