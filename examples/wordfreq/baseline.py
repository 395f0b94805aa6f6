"""Most frequent words of a text.

Input:  a line with k (0 to 1,000,000), then ASCII text. A word is a run of
        letters; everything else separates words, and case does not matter.
Output: the k most frequent words, or all if there are fewer, as lines "word
        count": the most frequent first, words of equal count by the alphabet.
"""

import sys


def split_words(line):
    words = []
    word = ""
    for character in line.lower():
        if "a" <= character <= "z":
            word = word + character
        else:
            if word != "":
                words.append(word)
            word = ""
    if word != "":
        words.append(word)
    return words


def main():
    k = int(sys.stdin.readline())

    counts = {}
    for line in sys.stdin:
        for word in split_words(line):
            if word in counts.keys():
                counts[word] = counts[word] + 1
            else:
                counts[word] = 1

    pairs = []
    for word in counts:
        pairs.append((word, counts[word]))
    pairs.sort(key=lambda pair: pair[0])
    pairs.sort(key=lambda pair: pair[1], reverse=True)

    for i in range(min(k, len(pairs))):
        print(pairs[i][0], pairs[i][1])


main()
