// Programs and what differs between them.

import { alignedRows, editsBetween, linesOf } from "./data.js";
import { button, element, empty, plural, section } from "./dom.js";

const CONTEXT = 3;
const MOST_ROWS = 3000;

// Rows near a change, with one row in place of each stretch that is left out.
function nearChanges(rows) {
  const near = new Uint8Array(rows.length);
  rows.forEach((row, at) => {
    if (row[2]) near.fill(1, Math.max(0, at - CONTEXT), Math.min(rows.length, at + CONTEXT + 1));
  });
  const found = [];
  let skipped = 0;
  rows.forEach((row, at) => {
    if (!near[at]) return skipped++;
    if (skipped) found.push({ skipped });
    skipped = 0;
    found.push(row);
  });
  if (skipped) found.push({ skipped });
  return found;
}

const gap = (skipped, columns) =>
  element("tr", { class: "gap" }, element("td", { colspan: columns }, `${plural(skipped, "equal line")} left out`));

const bare = (line) => line.replace(/\n$/, "");

// A fixed layout takes its widths from here: the first row may be a gap.
const halves = () =>
  element(
    "colgroup",
    {},
    ["number", "half", "number", "half"].map((kind) => element("col", { class: kind })),
  );

export function codeTable(kind, label, rows) {
  const body = element("tbody", {}, rows.slice(0, MOST_ROWS));
  if (rows.length > MOST_ROWS) body.append(gap(rows.length - MOST_ROWS, 4));
  const made = element("table", { class: `code ${kind}` }, kind === "pair" ? halves() : null, body);
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, made);
}

// The new line comes after all old lines of its change, as in a unified diff.
export function unified(before, after, edits, label, cell = (line) => bare(line)) {
  const rows = nearChanges(alignedRows(before.length, edits));
  const found = [];
  let waiting = [];
  for (const row of [...rows, { skipped: 0 }]) {
    if (!row[2]) {
      found.push(...waiting);
      waiting = [];
    }
    if (row.skipped) found.push(gap(row.skipped, 4));
    else if (row[2]) {
      if (row[0] !== null) found.push(diffRow("removed", "−", row[0] + 1, "", cell(before[row[0]])));
      if (row[1] !== null) waiting.push(diffRow("added", "+", "", row[1] + 1, cell(after[row[1]])));
    } else if (row.length) found.push(diffRow("", " ", row[0] + 1, row[1] + 1, cell(before[row[0]])));
  }
  return codeTable("diff", label, found);
}

export function diffRow(kind, sign, old, fresh, content) {
  const number = (value) => element("td", { class: "number" }, String(value));
  return element(
    "tr",
    { class: kind },
    number(old),
    number(fresh),
    element("td", { class: "sign" }, sign),
    element("td", { class: "text" }, content),
  );
}

export const pieces = (line) => line.map(([style, text]) => (style ? element("span", { class: style }, text) : text));

function sideBySide(file) {
  const rows = nearChanges(alignedRows(file.before.length, editsOfLines(file)));
  const side = (lines, at, kind) => [
    element("td", { class: "number" }, at === null ? "" : String(at + 1)),
    element("td", { class: "text " + (at === null ? "absent" : kind) }, at === null ? "" : pieces(lines[at] || [])),
  ];
  const made = rows.map((row) =>
    row.skipped
      ? gap(row.skipped, 4)
      : element(
          "tr",
          {},
          side(file.before, row[0], row[2] ? "removed" : ""),
          side(file.after, row[1], row[2] ? "added" : ""),
        ),
  );
  return codeTable("pair", `${file.name}, before and after`, made);
}

const editsOfLines = (file) => file.edits.map(([start, end, text]) => [start, end, linesOf(text)]);

export function wholeFiles(files) {
  return [...files].map(([name, text]) => [
    element("h4", {}, name),
    codeTable(
      "whole",
      name,
      linesOf(text).map((line, at) => diffRow("", " ", "", at + 1, bare(line))),
    ),
  ]);
}

export function comparison(before, after, label) {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  if (!names.length) return [empty("No difference: the programs are the same, byte for byte.")];
  return names.map((name) => {
    const [old, fresh] = [before, after].map((files) => linesOf(files.get(name) || ""));
    return [element("h4", {}, name), unified(old, fresh, editsBetween(old, fresh), `${name}, ${label}`)];
  });
}

export function showCode(data) {
  if (!data.diff) return section("code", empty("Nothing is claimed, so the program stays as it is."));
  for (const file of data.files) {
    const pair = element("div", { class: "panel" }, sideBySide(file));
    const one = element(
      "div",
      { class: "panel" },
      unified(file.before, file.after, editsOfLines(file), `${file.name}, diff`, pieces),
    );
    const narrow = matchMedia("(max-width: 800px)").matches;
    const choose = (both) => {
      pair.hidden = !both;
      one.hidden = both;
      first.setAttribute("aria-pressed", String(both));
      second.setAttribute("aria-pressed", String(!both));
    };
    const first = button("Side by side", () => choose(true));
    const second = button("Diff", () => choose(false));
    choose(!narrow);
    const heads = element("div", { class: "bar-of-buttons" }, element("h3", {}, file.name), first, second);
    section("code", heads, pair, one);
  }
  if (data.changes.length)
    section("code", element("h3", {}, "What it changes"), element("ul", {}, data.changes.map(changeOf)));
}

const changeOf = ({ name, what, risk, place, code }) =>
  element("li", {}, `${what} (${name})`, risk ? ` Risk: ${risk}.` : "", code ? codeOf(name, place, code) : null);

const codeOf = (name, place, code) =>
  element(
    "details",
    {},
    element("summary", {}, `The code of ${name}`),
    element("p", { class: "quiet" }, place),
    element("pre", { tabindex: "0" }, code),
  );
