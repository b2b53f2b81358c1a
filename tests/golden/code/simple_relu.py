import numpy as tf


def simple_relu(x):
  if tf.greater(x, 0):
    return x
  else:
    return 0
