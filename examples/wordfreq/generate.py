"""generate.py SEED WORDS K: text with word frequencies that fall off slowly."""

import random
import sys


def main():
    rng = random.Random(int(sys.argv[1]))
    count, k = int(sys.argv[2]), int(sys.argv[3])
    letters = "abcdefghijklmnopqrstuvwxyz"
    stock = ["".join(rng.choices(letters, k=rng.randint(1, 11)))
             for _ in range(max(4, count // 10))]
    weights = [1.0 / (rank + 5) for rank in range(len(stock))]
    words = rng.choices(stock, weights=weights, k=count)
    for i in range(0, count, 9):
        words[i] = words[i].capitalize()
    for i in range(4, count, 13):
        words[i] = words[i] + rng.choice([",", ".", ";", "!", "?", " --", "'s", "-", " 42"])
    print(k)
    print("\n".join(" ".join(words[i:i + 12]) for i in range(0, count, 12)))


main()
