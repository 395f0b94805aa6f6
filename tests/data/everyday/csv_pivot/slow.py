# pivot: sums of column 3 by columns 1 and 2
import sys

data = sys.stdin.read()
lines = data.split("\n")
table = {}
columns = []
i = 0
while i < len(lines):
    if lines[i].strip() == "":
        i = i + 1
        continue
    fields = lines[i].split(",")
    r = fields[0].strip()
    c = fields[1].strip()
    v = float(fields[2].strip())
    if not c in columns:
        columns.append(c)
        columns.sort()
    if r in table.keys():
        if c in table[r].keys():
            table[r][c] = table[r][c] + v
        else:
            table[r][c] = v
    else:
        table[r] = {}
        table[r][c] = v
    i = i + 1
out = "row"
for c in columns:
    out = out + "," + c
out = out + "\n"
rows = list(table.keys())
rows.sort()
for r in rows:
    out = out + r
    for c in columns:
        if c in table[r].keys():
            out = out + "," + str(round(table[r][c], 2))
        else:
            out = out + ","
    out = out + "\n"
print(out, end="")
