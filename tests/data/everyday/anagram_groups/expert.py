import sys

groups = {}
count = 0
for line in sys.stdin:
    word = line.strip().lower()
    if word:
        count += 1
        key = "".join(sorted(filter(str.isalpha, word)))
        groups.setdefault(key, {})[word] = None
large = sorted(((k, g) for k, g in groups.items() if len(g) > 1), key=lambda g: (-len(g[1]), g[0]))
for _, members in large[:50]:
    print(len(members), " ".join(sorted(members)))
print(len(groups), "groups of", count, "words")
