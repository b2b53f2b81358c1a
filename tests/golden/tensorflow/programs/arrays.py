"""Tensors in loops: arrays of them, their rows and their elements."""


def fibonacci_in_a_tensor_array(tf):
    @tf.function
    def fibonacci(n):
        numbers = tf.TensorArray(tf.int32, size=n)
        a, b = 0, 1
        for i in tf.range(n):
            numbers = numbers.write(i, a)
            a, b = b, a + b
        return numbers.stack()

    return fibonacci(tf.constant(10))


def a_growing_tensor_array(tf):
    @tf.function
    def evens(n):
        found = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        count = 0
        for i in tf.range(n):
            if i % 2 == 0:
                found = found.write(count, i)
                count += 1
        return found.stack()

    return evens(tf.constant(7))


def a_recurrent_cell(tf):
    @tf.function
    def run(inputs, weights):
        state = tf.zeros([tf.shape(inputs)[1]])
        outputs = tf.TensorArray(tf.float32, size=tf.shape(inputs)[0])
        for t in tf.range(tf.shape(inputs)[0]):
            state = tf.nn.relu(inputs[t] + tf.linalg.matvec(weights, state))
            outputs = outputs.write(t, state)
        return outputs.stack(), state

    return run(tf.constant([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]]), tf.constant([[0.5, 0.0], [0.25, -0.5]]))


def matrices(tf):
    @tf.function
    def power_iteration(a, steps):
        v = tf.ones([tf.shape(a)[0], 1])
        for _ in tf.range(steps):
            v = tf.matmul(a, v)
            v = v / tf.reduce_max(v)
        return tf.round(v * 1000)

    return power_iteration(tf.constant([[2.0, 1.0], [1.0, 3.0]]), tf.constant(30))


def indices_and_masks(tf):
    @tf.function
    def pick(x):
        rows = tf.where(x[:, 0] > 1)[:, 0]
        best = tf.argmax(x, axis=1)
        return tf.gather(x, rows), best, tf.boolean_mask(x, x[:, 1] > 2), x[1:, ::-1], x[-1]

    return pick(tf.constant([[1, 5], [2, 1], [3, 9]]))


def rows_of_a_ragged_tensor(tf):
    @tf.function
    def sums(rows):
        total = tf.constant(0)
        for row in rows:
            total = total * 10 + tf.reduce_sum(row)
        return total

    rows = tf.ragged.constant([[1, 2], [], [3]])
    return sums(rows), rows.to_list(), [row.numpy().tolist() for row in rows], rows.ragged_rank
