"""Small Python programs as people write them for contests, with input for each."""

from __future__ import annotations

PROGRAMS: dict[str, tuple[str, str]] = {
    "sum_of_squares": (
        """
n = int(input())
total = 0
for i in range(n):
    x = int(input())
    total = total + x ** 2
print(total)
""",
        "3\n1\n2\n3\n",
    ),
    "unique_in_order": (
        """
n = int(input())
a = list(map(int, input().split()))
seen = []
for i in range(len(a)):
    if a[i] not in seen:
        seen.append(a[i])
print(len(seen))
for x in seen:
    print(x, end=" ")
print()
""",
        "6\n3 1 3 2 1 9\n",
    ),
    "sieve": (
        """
def sieve(n):
    prime = [True] * (n + 1)
    prime[0] = prime[1] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
        i += 1
    result = []
    for k in range(n + 1):
        if prime[k]:
            result.append(k)
    return result


for p in sieve(int(input())):
    print(p)
""",
        "50\n",
    ),
    "is_prime": (
        """
def is_prime(n):
    if n < 2:
        return False
    for i in range(2, n):
        if n % i == 0:
            return False
    return True

count = 0
q = int(input())
for _ in range(q):
    n = int(input())
    if is_prime(n):
        count += 1
print(count)
""",
        "6\n0\n1\n2\n4\n9\n97\n",
    ),
    "breadth_first": (
        """
import sys
input = sys.stdin.readline

n, m = map(int, input().split())
graph = [[] for _ in range(n)]
for _ in range(m):
    a, b = map(int, input().split())
    graph[a - 1].append(b - 1)
    graph[b - 1].append(a - 1)

dist = [-1] * n
dist[0] = 0
queue = [0]
while len(queue) > 0:
    v = queue.pop(0)
    for w in graph[v]:
        if dist[w] == -1:
            dist[w] = dist[v] + 1
            queue.append(w)
for i in range(n):
    print(dist[i])
""",
        "5 4\n1 2\n2 3\n1 4\n4 3\n",
    ),
    "longest_common_subsequence": (
        """
s = input()
t = input()
dp = [[0] * (len(t) + 1) for _ in range(len(s) + 1)]
for i in range(1, len(s) + 1):
    for j in range(1, len(t) + 1):
        if s[i - 1] == t[j - 1]:
            dp[i][j] = dp[i - 1][j - 1] + 1
        else:
            dp[i][j] = max(dp[i - 1][j], dp[i][j - 1])
print(dp[len(s)][len(t)])
""",
        "abcbdab\nbdcaba\n",
    ),
    "grid_paths": (
        """
import sys
sys.setrecursionlimit(10000)
h, w = map(int, input().split())
grid = [input() for _ in range(h)]

def paths(y, x):
    if y >= h or x >= w or grid[y][x] == "#":
        return 0
    if y == h - 1 and x == w - 1:
        return 1
    return paths(y + 1, x) + paths(y, x + 1)

print(paths(0, 0) % (10 ** 9 + 7))
""",
        "3 4\n....\n.#..\n....\n",
    ),
    "letters": (
        """
text = input()
counts = {}
for c in text:
    if c in counts.keys():
        counts[c] += 1
    else:
        counts[c] = 1
pairs = []
for c in counts.keys():
    pairs.append((c, counts[c]))
pairs.sort(key=lambda p: p[0])
pairs.sort(key=lambda p: p[1], reverse=True)
for i in range(len(pairs)):
    print(pairs[i][0], pairs[i][1])
""",
        "the quick brown fox\n",
    ),
    "caesar": (
        """
def shift(c, k):
    return chr((ord(c) - 97 + k) % 26 + 97)

k = int(input())
s = input()
result = ""
for c in s:
    if c.isalpha():
        result += shift(c, k)
    else:
        result += c
print(result)
""",
        "3\nhello world xyz\n",
    ),
    "window_sums": (
        """
n, k = map(int, input().split())
a = list(map(int, input().split()))
best = -10 ** 9
for i in range(n - k + 1):
    s = sum(a[i:i + k])
    if s > best:
        best = s
print(best)
""",
        "6 3\n1 -2 3 4 -1 2\n",
    ),
    "triples": (
        """
n = int(input())
found = False
count = 0
for a in range(1, n):
    for b in range(a, n):
        c = (a ** 2 + b ** 2) ** 0.5
        if c == int(c) and c < n:
            count += 1
for i in range(2, n):
    if n % i == 0:
        found = True
print(count, found)
""",
        "30\n",
    ),
    "matrix_product": (
        """
n = int(input())
a = [list(map(int, input().split())) for _ in range(n)]
b = [list(map(int, input().split())) for _ in range(n)]
c = [[0] * n for _ in range(n)]
for i in range(n):
    for j in range(n):
        s = 0
        for k in range(n):
            s += a[i][k] * b[k][j]
        c[i][j] = s
for i in range(n):
    print(" ".join(map(str, c[i])))
""",
        "2\n1 2\n3 4\n5 6\n7 8\n",
    ),
    "bubble_sort": (
        """
n = int(input())
a = [int(x) for x in input().split()]
swaps = 0
for i in range(n):
    for j in range(n - 1, i, -1):
        if a[j] < a[j - 1]:
            a[j], a[j - 1] = a[j - 1], a[j]
            swaps += 1
print(*a)
print(swaps)
""",
        "5\n5 3 2 4 1\n",
    ),
    "knapsack_class": (
        """
class Item:
    def __init__(self, value, weight):
        self.value = value
        self.weight = weight

    def fits(self, room):
        return self.weight <= room

n, capacity = map(int, input().split())
items = []
for _ in range(n):
    v, w = map(int, input().split())
    items.append(Item(v, w))
best = [0] * (capacity + 1)
for item in items:
    for room in range(capacity, -1, -1):
        if item.fits(room):
            best[room] = max(best[room], best[room - item.weight] + item.value)
print(best[capacity])
""",
        "3 5\n60 1\n100 2\n120 3\n",
    ),
    "words": (
        """
import sys

def split(line):
    words = []
    word = ''
    for c in line:
        if c.isalnum():
            word += c
        elif word:
            words.append(word)
            word = ''
    if word:
        words.append(word)
    return words

counts = {}
longest = 0
for line in sys.stdin:
    for word in split(line.lower()):
        counts[word] = counts.get(word, 0) + 1
for word in counts:
    if len(word) > longest:
        longest = len(word)
for word in sorted(counts, key=lambda w: (-counts[w], w)):
    print(word, counts[word])
print(longest)
""",
        "It was the best of times,\nit was the worst of times; 42!\n\nyes",
    ),
    "modular": (
        """
MOD = 10 ** 9 + 7
def power(base, exponent):
    return base ** exponent % MOD

n, r = map(int, input().split())
top = 1
bottom = 1
i = 0
while i < r:
    top = top * (n - i) % MOD
    bottom = bottom * (i + 1) % MOD
    i = i + 1
print(top * pow(bottom, MOD - 2, MOD) % MOD)
print(power(3, 1000))
""",
        "10 3\n",
    ),
    "queries": (
        """
import math
n, q = map(int, input().split())
a = sorted(map(int, input().split()))
b = [x for x in a if x * 2 > max(a)]
answers = []
for _ in range(q):
    t = input().split()
    if t[0] == "count":
        c = 0
        for x in a:
            if x == int(t[1]):
                c += 1
        answers.append(c)
    elif t[0] == "has":
        ok = False
        for x in a:
            if x == int(t[1]):
                ok = True
                break
        answers.append("yes" if ok else "no")
    else:
        answers.append(math.floor(math.sqrt(len(a))))
for answer in answers:
    print(answer)
print(list(map(lambda x: x + 1, b)))
""",
        "5 4\n5 1 5 2 3\ncount 5\nhas 2\nhas 7\nroot 0\n",
    ),
    "collatz": (
        """
def steps(n):
    count = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    return count

limit = int(input())
best = 0
where = 0
for n in range(1, limit + 1):
    s = steps(n)
    if s > best:
        best = s
        where = n
print(where, best)
""",
        "100\n",
    ),
    "josephus": (
        """
n, k = [int(x) for x in input().split()]
people = list(range(1, n + 1))
order = []
while people:
    for _ in range(k - 1):
        people.append(people.pop(0))
    order.append(people.pop(0))
print(" ".join([str(x) for x in order]))
""",
        "7 3\n",
    ),
    "global_counter": (
        """
moves = 0

def hanoi(n, a, b, c):
    global moves
    if n == 0:
        return
    hanoi(n - 1, a, c, b)
    moves += 1
    hanoi(n - 1, c, b, a)

for n in range(1, int(input()) + 1):
    moves = 0
    hanoi(n, "A", "B", "C")
    print(n, moves)
""",
        "5\n",
    ),
}
