"""One scene a file; each has ``scene(peer)``, where `peer` is TensorFlow's process, or None."""
