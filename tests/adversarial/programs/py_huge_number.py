# attack: one expression that takes all time and memory, where no Python code gets a word in
# task: total_py
# expect: timeout, crashed
# reason: time|memory|kill

print(len(str(7 ** (10**9))))
