"""generate.py SEED LINES: text with mixed case, punctuation and palindromes."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    lines = int(sys.argv[2])
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = []
    for _ in range(400):
        word = "".join(rng.choices(letters, k=rng.randint(1, 14)))
        words += [word, word.capitalize(), word + rng.choice(",.;!?")]
    for _ in range(60):
        half = "".join(rng.choices(letters, k=rng.randint(1, 5)))
        words += [half + half[::-1], half + half[-2::-1], (half + half[::-1]).upper()]
    words += ["--", "...", "it's", "R2-D2", "1881", "(x)", "\tTab", "two  spaces"]
    words.append("".join(rng.choices(letters, k=40)))
    out = []
    for _ in range(lines):
        if rng.random() < 0.03:
            out.append("")
        else:
            out.append(" ".join(rng.choices(words, k=rng.randint(1, 18))))
    print("\n".join(out))


main()
