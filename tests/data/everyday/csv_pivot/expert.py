import sys


def main():
    table, columns = {}, set()
    for line in sys.stdin:
        line = line.strip()
        if not line:
            continue
        row, column, value = line.split(",")
        key = column.strip()
        columns.add(key)
        cells = table.setdefault(row.strip(), {})
        cells[key] = cells.get(key, 0.0) + float(value)
    names = sorted(columns)
    print(",".join(["row", *names]))
    for row in sorted(table):
        cells = table[row]
        print(",".join([row, *(str(round(cells[c], 2)) if c in cells else "" for c in names)]))


main()
