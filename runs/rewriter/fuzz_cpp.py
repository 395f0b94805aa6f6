"""Random programs of C and C++ from a grammar: rows of numbers, loops that search, sum, sort and count, and functions.

Every program ends, prints what it computed, and reads nothing. Sums are unsigned where they could overflow.
"""

from __future__ import annotations

import random
from collections.abc import Callable

HEAD_C = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
HEAD_CPP = "".join(
    f"#include <{each}>\n" for each in ("algorithm", "cstdio", "cstring", "iostream", "map", "set", "string", "vector")
)
ROWS = ("row", "other")
Text = str


class Writer:
    """One program and its random choices. Makers get the counters of the loops around."""

    def __init__(self, rng: random.Random, cpp: bool) -> None:
        self.rng, self.cpp, self.fresh = rng, cpp, 0

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def row(self) -> str:
        return self.rng.choice(ROWS)

    def relation(self) -> str:
        return self.rng.choice(("<", ">", "<=", ">=", "==", "!="))

    def number(self, names: tuple[str, ...]) -> Text:
        """A whole number below about a thousand."""
        rng = self.rng
        return rng.choice((
            str(rng.randint(0, 9)),
            rng.choice(names or ("3",)),
            f"{self.row()}[{self.index(names)}]",
            f"({rng.choice(names or ('5',))} * {rng.randint(1, 3)} + {rng.randint(0, 4)}) % {rng.randint(2, 30)}",
        ))  # fmt: skip

    def index(self, names: tuple[str, ...]) -> Text:
        """A place of a row."""
        return self.rng.choice((*names, str(self.rng.randint(0, 5)))) if names else str(self.rng.randint(0, 5))

    def condition(self, names: tuple[str, ...]) -> Text:
        found = f"{self.number(names)} {self.relation()} {self.number(names)}"
        return f"{found} && {self.number(names)} != {self.number(names)}" if self.rng.random() < 0.2 else found

    def block(self, outer: tuple[str, ...]) -> Text:
        makers: list[Callable[[tuple[str, ...]], Text]] = [
            self.search, self.total, self.pairs, self.hand_sort, self.flag, self.divisors, self.change,
            self.remainders, self.calls, self.guarded, self.joined,
        ]  # fmt: skip
        if self.cpp:
            makers += [self.found, self.asked, self.front, self.counted, self.tallied, self.keyed]
        if not outer:
            makers += [self.loop] * 4
        return self.rng.choice(makers)(outer)

    def loop(self, outer: tuple[str, ...]) -> Text:
        i = self.name("q")
        inner = "".join(self.block((*outer, i)) for _ in range(self.rng.randint(1, 3)))
        return f"for (int {i} = 0; {i} < {self.rng.randint(3, 9)}; {i}++) {{\n{inner}}}\n"

    def search(self, outer: tuple[str, ...]) -> Text:
        i, row, found = self.name("i"), self.row(), self.name("found")
        action = self.rng.choice(
            (f"{found} = {i}; break;", f"{found}++;", f"{found} += {i};", f"{row}[{i}] = 1; {found} = {i}; break;")
        )
        test = f"{row}[{i}] == {self.number(outer)}"
        test = f"{i} != {self.index(outer)} && {test}" if self.rng.random() < 0.3 else test
        start = self.rng.choice(("0", "1", self.index(outer)))
        return (
            f"int {found} = -1;\nfor (int {i} = {start}; {i} < n; {i}++) {{\nif ({test}) {{ {action} }}\n}}\n"
            f"check = check * 31 + {found};\n"
        )

    def total(self, outer: tuple[str, ...]) -> Text:
        i, s = self.name("i"), self.name("s")
        term = self.rng.choice((
            f"{s} += {self.number((*outer, i))};",
            f"if ({self.condition((*outer, i))}) {s}++;",
            f"{s} += {self.row()}[{i}] * {self.number(outer)};",
            f"if (odd({i})) {s} += {i};",
        ))  # fmt: skip
        end = f"n - {self.rng.randint(0, 4)}"
        loop = f"for (int {i} = {self.index(outer)}; {i} < {end}; {i}++) {{ {term} }}\n"
        return f"long {s} = 0;\n{loop}check = check * 31 + {s};\n"

    def remainders(self, outer: tuple[str, ...]) -> Text:
        i, s, m = self.name("i"), self.name("s"), self.rng.randint(2, 40)
        step = self.rng.choice(("{s} = ({s} + {e}) % {m};", "{s} += {e}; {s} %= {m};"))
        term = f"{self.number((*outer, i))} * {self.rng.choice(('1', '3', '-1', i))}"
        loop = f"for (int {i} = {self.index(outer)}; {i} < n; {i}++) {{ {step.format(s=s, e=term, m=m)} }}\n"
        return f"long {s} = {self.rng.randint(-3, 99)};\n{loop}check = check * 31 + {s};\n"

    def pairs(self, outer: tuple[str, ...]) -> Text:
        del outer
        i, j, c, row = self.name("i"), self.name("j"), self.name("c"), self.row()
        start = self.rng.choice(("0", f"{i} + 1"))
        action = self.rng.choice((f"{c}++;", f"{c} += {i} * {j};", f"{{ {c}++; {self.row()}[{j}]++; }}"))
        return (
            f"int {c} = 0;\nfor (int {i} = 0; {i} < n; {i}++)\nfor (int {j} = {start}; {j} < n; {j}++)\n"
            f"if ({row}[{i}] == {self.row()}[{j}]) {action}\ncheck = check * 31 + {c};\n"
        )

    def hand_sort(self, outer: tuple[str, ...]) -> Text:
        del outer
        i, j, row = self.name("i"), self.name("j"), self.row()
        sign, last = self.rng.choice("<>"), self.rng.choice(("n", "n - 1", "n - 2"))
        if self.rng.random() < 0.5:
            inner = f"for (int {j} = 0; {j} < n - 1; {j}++)\nif ({row}[{j}] {sign} {row}[{j} + 1])"
            one, two = f"{row}[{j}]", f"{row}[{j} + 1]"
        else:
            inner = f"for (int {j} = {i} + 1; {j} < n; {j}++)\nif ({row}[{i}] {sign} {row}[{j}])"
            one, two = f"{row}[{i}]", f"{row}[{j}]"
        return f"for (int {i} = 0; {i} < {last}; {i}++)\n{inner} {{ int t = {one}; {one} = {two}; {two} = t; }}\n"

    def flag(self, outer: tuple[str, ...]) -> Text:
        i, known = self.name("i"), self.name("known")
        value = self.rng.choice(("1", "2", i, f"{known} + 1"))
        body = f"if ({self.condition((*outer, i))}) {known} = {value};"
        loop = f"for (int {i} = 0; {i} < n; {i}++) {{ {body} }}\n"
        return f"int {known} = 0;\n{loop}check = check * 31 + {known};\n"

    def divisors(self, outer: tuple[str, ...]) -> Text:
        m, d, s = self.name("m"), self.name("d"), self.name("s")
        start, sign = self.rng.choice("12"), self.rng.choice(("<", "<="))
        end = self.rng.choice((m, f"{m} / 2", f"{m} - 1", f"{m} / 2 + 1"))
        action = self.rng.choice((f"{s} += {d};", f"{s}++;", f"{s} = 1;", f"{{ {s} = 1; break; }}", f"{s} = {d};"))
        loop = f"for (int {d} = {start}; {d} {sign} {end}; {d}++) if ({m} % {d} == 0) {action}\n"
        return f"int {m} = {self.number(outer)} * 7, {s} = 0;\n{loop}check = check * 31 + {s};\n"

    def change(self, outer: tuple[str, ...]) -> Text:
        return f"{self.row()}[{self.index(outer)}] = {self.number(outer)};\n"

    def calls(self, outer: tuple[str, ...]) -> Text:
        call = self.rng.choice(
            ("place(row, n, {0})", "range(other, {1}, n)", "ways({1}, {2})", "odd({0})", "weight({0})")
        )
        small = f"{self.rng.randint(0, 7)}"
        return f"check = check * 31 + {call.format(self.number(outer), self.index(outer), small)};\n"

    def guarded(self, outer: tuple[str, ...]) -> Text:
        i, s, edge = self.name("i"), self.name("s"), self.number(outer)
        sign = self.rng.choice(("<", ">", "<=", ">="))
        test = self.rng.choice((f"{i} {sign} {edge}", f"{edge} {sign} {i}", f"{i} - {self.rng.randint(0, 9)} {sign} 0"))
        action = self.rng.choice(
            (f"{s} += {i};", f"other[{i}] = {s} % 50;", f"{{ if ({s} > row[{i}]) row[{i}] = {s}; }}")
        )
        other = self.rng.choice(("", f" else {s}--;"))
        head = f"for (int {i} = {self.index(outer)}; {i} {self.rng.choice(('< n', '<= n - 1'))}; {i}++)"
        return f"int {s} = 3;\n{head} {{ {s} += row[{i}]; if ({test}) {action}{other} }}\ncheck = check * 31 + {s};\n"

    def joined(self, outer: tuple[str, ...]) -> Text:
        i, text = self.name("i"), self.name("text")
        part = self.rng.choice((f'if ({self.condition((*outer, i))}) strcat({text}, "ab");', f'strcat({text}, "xyz");'))
        more = self.rng.choice(("", f"check += strlen({text});", f"{text}[{i} / 2] = 'q';", f"{text}[{i} / 2] = 0;"))
        loop = f"for (int {i} = 0; {i} < n; {i}++) {{ {part} {more} }}\n"
        return (
            f'{{ char {text}[400] = "{self.rng.choice(("", "ab"))}";\n{loop}check = check * 31 + strlen({text}); }}\n'
        )

    def found(self, outer: tuple[str, ...]) -> Text:
        test = f"find(seen.begin(), seen.end(), {self.number(outer)}) == seen.end()"
        return f"if ({test}) seen.push_back({self.number(outer)});\n"

    def asked(self, outer: tuple[str, ...]) -> Text:
        v, place = self.name("v"), self.index(outer)
        use = self.rng.choice((f"{v}[{v}.size() / 2]", f"{v}.front() + {v}.back()", f"{v}[{place}] * {v}[2]"))
        return f"{{ vector<int> {v} = {self.row()};\nsort({v}.begin(), {v}.end());\ncheck = check * 31 + {use}; }}\n"

    def front(self, outer: tuple[str, ...]) -> Text:
        return self.rng.choice((
            f"waiting.push_back({self.number(outer)});\nsort(waiting.begin(), waiting.end());\n",
            "if (!waiting.empty()) { check += waiting[0]; waiting.erase(waiting.begin()); }\n",
            f"waiting.insert(waiting.begin(), {self.number(outer)});\n",
        ))  # fmt: skip

    def counted(self, outer: tuple[str, ...]) -> Text:
        word, known = self.name("word"), self.name("known")
        return (
            f"{{ string {word} = to_string({self.number(outer)});\nbool {known} = false;\n"
            f"for (auto &each : counts) {{ if (each.first == {word}) {{ each.second++; {known} = true; break; }} }}\n"
            f"if (!{known}) counts.push_back(make_pair({word}, 1)); }}\n"
        )

    def tallied(self, outer: tuple[str, ...]) -> Text:
        key, spot = f"to_string({self.number(outer)})", f"make_pair({self.index(outer)}, {self.number(outer)})"
        return self.rng.choice((
            f"tally[{key}] += {self.number(outer)};\n",
            f"if (tally.count({key}) > 0) tally.erase({key});\n",
            f"if (tally.find({key}) != tally.end()) check += tally[{key}];\n",
            f"spots.all.insert({spot});\n",
            f"check = check * 31 + spots.all.count({spot}) + spots.size();\n",
        ))  # fmt: skip

    def keyed(self, outer: tuple[str, ...]) -> Text:
        del outer
        sign, key = self.rng.choice("<>"), self.rng.choice(("weight({0})", "tally[to_string({0})]", "odd({0})"))
        a, b = key.format("a"), key.format("b")
        body = self.rng.choice((f"return {a} {sign} {b};", f"if ({a} != {b}) return {a} {sign} {b}; return a < b;"))
        row = self.rng.choice((*ROWS, "seen"))
        sort = self.rng.choice(("sort", "stable_sort"))
        return f"{sort}({row}.begin(), {row}.end(), [&](int a, int b) {{ {body} }});\n"

    def records(self) -> tuple[Text, Text]:
        """Structures in an array or a vector of a class that functions search by key, and work on them."""
        key = self.rng.choice(("id", "name"))
        head, add, work = (self._shelf if self.cpp else self._entries)(key)
        chosen = self.rng.sample(work, self.rng.randint(1, len(work)))
        branches = "".join(f"if (op == {at}) {{ {each} }}\nelse " for at, each in enumerate(chosen))
        steps = "x = x * 1103515245u + 12345; int id = (x >> 16) % 30, op = (x >> 9) % 6; char name[8];\n"
        steps += f'sprintf(name, "n%d", id % 20);\n{branches}{{ {add} }}\n'
        own = "vector<Entry> own;\n" if self.cpp else ""
        return (
            head,
            f"{{ unsigned x = {self.rng.randint(1, 999)};\n{own}for (int i = 0; i < 300; i++) {{\n{steps}}}\n}}\n",
        )

    def _entries(self, key: str) -> tuple[Text, Text, list[Text]]:
        """In C: an array of the file or behind a pointer."""
        rng = self.rng
        given, at, full, store = rng.choice(
            (("", "", "", "{0}\n"), ("struct shelf *s, ", "s->", "shelf.", "struct shelf {{ {0} }} shelf;\n"))
        )
        tests = ("strcmp({0}, w) == 0", "!strcmp({0}, w)", "strcmp(w, {0}) == 0") if key == "name" else ("{0} == w",)
        test = rng.choice(tests).format(f"{at}list[i].{key}")
        name = rng.choice(("char name[8]", "char *name"))
        loops = (
            f"for (int i = 0; i < {at}count; i++)\nif ({test}) return i;\nreturn -1;",
            f"int i;\nfor (i = 0; i < {at}count; i++) {{ if ({test}) break; }}\nreturn i < {at}count ? i : -1;",
        )
        head = (
            f"struct entry {{ {name}; int id; long n; }};\n"
            f"{store.format('struct entry list[700]; int count;')}"
            f"int find_entry({given}{'const char *' if key == 'name' else 'int '}w) {{\n{rng.choice(loops)}\n}}\n"
            "int number(const void *a) { return ((struct entry *)a)->n; }\n"
            "int by_number(const void *a, const void *b) { return number(a) - number(b); }\n"
            "void trade(struct entry *a, struct entry *b) { struct entry t = *a; *a = *b; *b = t; }\n"
        )
        look = f"int p = find_entry({'&shelf, ' if full else ''}{key});"
        put = "strcpy(e->name, name);" if "[" in name else "e->name = strdup(name);"
        new = f"struct entry *e = &{full}list[{full}count++]; {put} e->id = id; e->n = i;"
        rest = f"(--{full}count - p) * sizeof {full}list[0]"
        row, text = rng.choice(
            (("char words[900][8]", "strcpy({0}, name)"), ("char *words[900]", "{0} = strdup(name)"))
        )
        word = rng.choice(("!strcmp(words[i], w)", "strcmp(words[i], w) == 0"))
        head += f"{row}; int words_count;\nint find_word(const char *w) {{\nint i;\n"
        head += f"for (i = 0; i < words_count; i++) if ({word}) break;\nreturn i;\n}}\n"
        move = rng.choice(("{0}[1] = 'x';", text.format("{0}") + ";", "if (p < words_count) words_count--;"))
        return head, f"{look} if (p < 0) {{ {new} }} else {full}list[p].n += 3;", [
            f"{look} check = check * 31 + p;",
            f"{look} if (p >= 0) {full}list[p] = {full}list[--{full}count];",
            f"if ({full}count > 2) trade(&{full}list[0], &{full}list[{full}count / 2]);",
            f"qsort({full}list, {full}count, sizeof {full}list[0], by_number);",
            f"{look} if (p >= 0) {full}list[p].id = (id + 1) % 30;",
            f"{{ int p = find_word(name); if (p == words_count) {text.format('words[words_count++]')}; "
            f"check = check * 31 + p; if (i % 40 == 9) {{ {move.format('words[p]')} }} }}",
            f"{look} if (p >= 0) memmove(&{full}list[p], &{full}list[p + 1], {rest});",
        ]  # fmt: skip

    def _shelf(self, key: str) -> tuple[Text, Text, list[Text]]:
        """In C++: a vector in a class."""
        rng = self.rng
        get = rng.choice((key, f"get_{key}()"))
        kind, wanted = ("string", rng.choice(("const string &w", "string w"))) if key == "name" else ("int", "int w")
        row, each, dot = rng.choice((("vector<Entry>", "Entry &e", "."), ("vector<Entry *>", "Entry *e", "->")))
        made = f"{'' if dot == '.' else 'new '}Entry{{name, id, 0}}"
        loops = (
            f"for ({each} : all)\nif (e{dot}{get} == w) {{ e{dot}n++; return e{dot}n; }}\nreturn -1;",
            f"for (size_t i = 0; i < all.size(); i++) {{ if (all[i]{dot}{get} == w) return (int)i; }}\nreturn -1;",
            f"auto it = find_if(all.begin(), all.end(), [&](const {each}) {{ return e{dot}{get} == w; }});\n"
            "return it == all.end() ? -1 : it - all.begin();",
        )
        rename = rng.choice(("", "void rename() { id = 3; name = to_string(n); }\n"))
        head = (
            f"struct Entry {{\nstring name; int id; int n;\n{kind} get_{key}() const {{ return {key}; }}\n{rename}}};\n"
            f"class Shelf {{\n{row} all;\npublic:\nint find_entry({wanted}) {{\n{rng.choice(loops)}\n}}\n"
            f"void add(string name, int id) {{ all.push_back({made}); }}\n"
            "void drop(int at) { if (at < size()) all.erase(all.begin() + at); }\n"
            "int size() const { return all.size(); }\nvoid turn() { reverse(all.begin(), all.end()); }\n"
            f"Entry &at(int i) {{ return {'*' if dot == '->' else ''}all[i]; }}\n}};\nShelf shelf;\n"
        )
        test = f"own[j].{key} == {key}"
        more = (
            f"for (size_t j = 0; j < own.size(); j++) if ({test}) check = check * 31 + j;",
            f"auto it = find_if(own.begin(), own.end(), [&](const Entry &e) {{ return e.{key} == {key}; }});\n"
            "if (it != own.end()) own.erase(it); else own.push_back(Entry{name, id, 0});",
            f"Shelf copy = shelf; copy.drop(0); check += copy.find_entry({key});",
            "if (shelf.size() > 1) shelf.at(1) = shelf.at(0);",
        )
        return head, f"if (shelf.find_entry({key}) < 0) shelf.add(name, id);", [
            f"check = check * 31 + shelf.find_entry({key});",
            "shelf.drop(id);",
            "shelf.turn();",
            f"if (shelf.size() > 0) {{ shelf.at(0).{'rename()' if rename else 'n++'}; }}",
            *rng.sample(more, 2),
            f"for (auto &e : own) if (e.{key} == {key}) {{ e.n += 2; e.id++; break; }}\n"
            "own.push_back(Entry{name, id, 1});",
        ]  # fmt: skip

    def program(self) -> Text:
        blocks = "".join(self.block(()) for _ in range(self.rng.randint(3, 6)))
        size, span = self.rng.randint(14, 40), self.rng.choice((3, 12, 90))
        row = "const vector<int> &v" if self.cpp else "const int *v"
        functions = (
            "int odd(int x) { return x % 2 == 1; }\n"
            f"int place({row}, int n, int x) {{\nfor (int i = 0; i < n; i++) if (v[i] == x) return i;\nreturn -1;\n}}\n"
            f"long range({row}, int a, int b) {{\nlong s = 0;\nfor (int i = a; i < b; i++) s += v[i];\nreturn s;\n}}\n"
            "int weight(int x) {\nint s = 0;\nfor (int d = 1; d <= x; d++) if (x % d == 0) s += d;\nreturn s;\n}\n"
            "unsigned ways(int r, int c) { return r < 1 || c < 1 ? 1 : ways(r - 1, c) + ways(r, c - 1); }\n"
        )
        records, work = self.records()
        functions += records
        blocks += work
        data = "".join(f"{'vector<int> ' + name + '(n)' if self.cpp else 'int ' + name + '[64]'};\n" for name in ROWS)
        if self.cpp:
            data += "vector<int> seen;\nvector<int> waiting;\nvector<pair<string, int>> counts;\n"
            data += "map<string, int> tally;\nSpots spots;\n"
            functions += "struct Spots {\nset<pair<int, int>> all;\nint size() const { return all.size(); }\n};\n"
        values = f"row[i] = (i * 37 + {self.rng.randint(0, 9)}) % {span}; other[i] = (i * i + 5) % {span};"
        fill = f"for (int i = 0; i < n; i++) {{ {values} }}\n"
        end = "for (int i = 0; i < n; i++) check = check * 31 + row[i] * 7 + other[i];\n"
        if self.cpp:
            end += "for (auto &each : counts) check = check * 31 + each.second;\n"
            end += "for (int x : seen) check = check * 31 + x;\n"
            end += "for (auto &each : tally) check = check * 31 + each.second;\n"
            end += "for (int x : waiting) check = check * 31 + x;\n"
        head = HEAD_CPP + "using namespace std;\n" if self.cpp else HEAD_C
        begin = f"int main() {{\nint n = {size};\nunsigned long check = 1;\n"
        return f'{head}{functions}{begin}{data}{fill}{blocks}{end}printf("%lu\\n", check);\nreturn 0;\n}}\n'


def program(seed: int, cpp: bool) -> Text:
    return Writer(random.Random(f"fuzz/{seed}"), cpp).program()
