"""Beam search: the likeliest words of a small model of letters, the best few beginnings at a time.

Each beginning is extended by every letter; the `width` best of all extensions stay. A word that has ended
competes with those that go on, and the search stops as soon as none of them can overtake it; when, only
a run knows.

``python examples/beam_search.py``
"""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
from beside import beside

LETTERS = "abcdefghijklmnopqrstuvwxyz"
END = len(LETTERS)
WORDS = (
    "and are but for from had has have her him his how into its like more not now one other our out over "
    "said she so some than that the their them then there these they this time to two up was way we were "
    "what when where which who will with word would write you your"
)


def model():
    """Logarithms of how often one letter follows another in `WORDS`; `END` stands for both ends of a word."""
    counts = np.full((END + 1, END + 1), 0.01)
    for word in WORDS.split():
        letters = [END, *(LETTERS.index(letter) for letter in word), END]
        for before, after in pairwise(letters):
            counts[before, after] += 1
    return np.log(counts / counts.sum(axis=1, keepdims=True))


def beam_search(likelihood, width, longest):
    """The likeliest word of at least three letters, its score, and the number of letters that were tried."""
    scores = np.full(width, -np.inf)
    scores[0] = 0.0
    last = np.full(width, END)
    words = np.full((width, longest), END)
    best, best_score = words[0], -np.inf
    turn = 0
    while turn < longest and scores[0] > best_score:
        if turn >= 3:
            ended = scores + likelihood[last, END]
            winner = np.argmax(ended)
            if ended[winner] > best_score:
                best, best_score = words[winner], ended[winner]
        extended = (scores[:, None] + likelihood[last, :END]).ravel()
        chosen = np.argsort(-extended, kind="stable")[:width]
        scores = extended[chosen]
        words = words[chosen // END]
        last = chosen % END
        words[:, turn] = last
        turn += 1
    return best, best_score, turn


def main(width=8):
    """Made-up words for wider and wider beams."""
    likelihood = model()
    word = ""
    for beam in (1, width):
        best, score, turns = beside(beam_search, likelihood, beam, np.int64(12))
        word = "".join(LETTERS[letter] for letter in best if letter != END)
        print(f"a beam of {beam} finds `{word}` ({score:.3f}) in {turns} turns")
    return word


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
