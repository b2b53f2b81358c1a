"""A length that only a run knows, of which a shape in a function of TensorFlow's says None."""

import autograph.compat.tf as tf

vector = tf.TensorSpec((None,), tf.float32)


# fails
@tf.function(input_signature=[vector])
def padded(x):
    return tf.concat([x, tf.zeros(x.shape)], axis=0)


padded(tf.ones(2))


# works
@tf.function(input_signature=[vector])
def padded(x):
    return tf.concat([x, tf.zeros(tf.shape(x))], axis=0)


padded(tf.ones(2))
