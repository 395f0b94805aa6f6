// A heat map: a table of buttons in colours, which arrow keys walk through. Numbers in it say what the colours do.

import { element } from "./dom.js";

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// One of four steps from pale to strong; of something between 0 and 1.
export const strength = (share) => "faster" + Math.max(0, Math.min(3, Math.floor(share * 4)));

// rows, columns: [{at, label}], `at` a number; cellAt(row, column): {shade, text, words, open}, or nothing.
export function heatMap(caption, rows, columns, cellAt, { className = "", headsFirst = false } = {}) {
  let tabindex = 0;
  const place = (row, column) => {
    const cell = cellAt(row.at, column.at);
    if (!cell) return element("td", {});
    const made = element(
      "button",
      {
        type: "button",
        class: `kind ${cell.shade}`,
        "data-at": `${row.at},${column.at}`,
        tabindex,
        title: cell.words,
        "aria-label": cell.words,
      },
      cell.text,
    );
    tabindex = -1;
    made.addEventListener("click", cell.open);
    return element("td", {}, made);
  };
  const body = rows.map((row) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, row.label),
      columns.map((column) => place(row, column)),
    ),
  );
  const heads = element(
    "tr",
    { class: "heads" },
    element("td", {}),
    columns.map((column) => element("th", { scope: "col" }, element("span", {}, column.label))),
  );
  const made = element(
    "table",
    { class: `kinds ${className}` },
    element("caption", { class: "hidden" }, caption),
    element("tbody", {}, headsFirst ? [heads, body] : [body, heads]),
  );
  made.addEventListener("keydown", (event) => walk(event, made, rows, columns));
  return made;
}

// The next button in a direction; empty places are passed over.
function walk(event, made, rows, columns) {
  const step = STEPS[event.key];
  if (!step || !event.target.dataset.at) return;
  event.preventDefault();
  const [at, across] = event.target.dataset.at.split(",").map(Number);
  let row = rows.findIndex((each) => each.at === at) + step[1];
  let column = columns.findIndex((each) => each.at === across) + step[0];
  while (row >= 0 && column >= 0 && row < rows.length && column < columns.length) {
    const next = made.querySelector(`[data-at="${rows[row].at},${columns[column].at}"]`);
    if (next) {
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      return next.focus();
    }
    row += step[1];
    column += step[0];
  }
}

// Draws a map anew and leaves the focus where it was.
export function redrawn(place, draw) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.at : null;
  draw();
  if (focused) place.querySelector(`[data-at="${focused}"]`)?.focus();
}
