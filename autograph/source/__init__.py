"""Text, tree and live function: from one to the other and back."""
