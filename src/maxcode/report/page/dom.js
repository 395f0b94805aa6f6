// Elements and figures. Whatever comes from the data becomes text nodes, never markup.

export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) made.append(child);
  return made;
}

export function button(label, action, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
}

export function table(columns, rows, caption) {
  const head = element(
    "tr",
    {},
    columns.map((name) => element("th", { scope: "col" }, name)),
  );
  const body = rows.map((cells) =>
    element(
      "tr",
      {},
      cells.map((cell) => element("td", {}, cell)),
    ),
  );
  const made = element("table", {}, element("thead", {}, head), element("tbody", {}, body));
  if (caption) made.prepend(element("caption", {}, caption));
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption || columns[0] }, made);
}

export function section(name, ...children) {
  const place = document.getElementById(name);
  place.append(...children.flat(Infinity).filter((child) => child !== null));
}

export const empty = (words) => element("p", { class: "empty" }, words);

export function significant(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4)) return value.toExponential(digits - 1);
  return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(Math.abs(value) + 1))))));
}

export const times = (value) => (value === null || value === undefined ? "–" : significant(value) + "×");

export const OPEN = 30;

// As interval_in_words of evaluate/measure/words.py: an end that few pairs leave open is not told.
export function interval(low, high, few = "pairs") {
  if (low === null || high === null) return "–";
  if (high <= OPEN * low) return `${significant(low)} to ${significant(high)}`;
  if (low <= 1 && high >= 1) return `unknown, few ${few}`;
  return low > 1 ? `${significant(low)} or more, few ${few}` : `${significant(high)} or less, few ${few}`;
}

export const counted = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en"));
export const plural = (count, word) => `${counted(count)} ${word}${count === 1 ? "" : "s"}`;

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds === 0) return "0 s";
  if (seconds < 1e-3) return significant(seconds * 1e6) + " µs";
  if (seconds < 1) return significant(seconds * 1e3) + " ms";
  if (seconds < 120) return significant(seconds) + " s";
  return seconds < 7200 ? significant(seconds / 60) + " min" : significant(seconds / 3600) + " h";
}

// Shows the first rows and a button for the rest, so that long lists cost nothing until they are wanted.
export function inParts(items, show, container, size = 20) {
  let shown = 0;
  const more = button("", () => next());
  function next() {
    for (const item of items.slice(shown, shown + size)) container.append(show(item));
    shown += size;
    if (shown < items.length) more.textContent = `Show more (${counted(items.length - shown)} left)`;
    else more.remove();
  }
  next();
  return shown < items.length ? [container, more] : [container];
}
