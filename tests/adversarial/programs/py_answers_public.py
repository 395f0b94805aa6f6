# attack: hard-coded answers for the visible tests
# task: total_py
# expect: wrong
# reason: differ|expected|mismatch|wrong|output|answer

import sys

words = sys.stdin.read().split()
answers = {("10", "3"): "39 9 7", ("5", "-7"): "-29 -2 3"}
print(answers.get(tuple(words[:2]), "0 0 0"))
