# Reads steps, m and m integers; folds them into one state, mixes it so many times and prints its upper 12 bits.
import sys

MASK = (1 << 64) - 1


def main():
    steps, count, *values = map(int, sys.stdin.read().split())
    state = count
    for value in values[:count]:
        state = (state ^ value) * 0x9E3779B97F4A7C15 & MASK
    for _ in range(steps):
        state = (state ^ (state >> 29)) * 0xBF58476D1CE4E5B9 + 1 & MASK
    print(state >> 52)


main()
