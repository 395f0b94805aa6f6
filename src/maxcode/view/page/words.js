// What lists and pages of runs have in common.

import { counted, element, interval, significant, times } from "./dom.js";

export const STATES = {
  running: "running",
  active: "running",
  stopped: "stopped",
  ended: "ended",
  refused: "refused",
  finished: "finished",
};

export const chip = (state) => element("span", { class: `state ${state}` }, STATES[state] || state);

export function age(seconds) {
  if (seconds < 60) return "just now";
  for (const [unit, size, limit] of [
    ["min", 60, 3600],
    ["h", 3600, 86400],
    ["d", 86400, Infinity],
  ])
    if (seconds < limit) return `${Math.floor(seconds / size)} ${unit} ago`;
}

export const when = (time) => new Date(time * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

export function speedup(row) {
  if (row.speedup === null) return element("span", { class: "quiet" }, row.state === "finished" ? "no claim" : "–");
  return element(
    "span",
    { class: row.claimed ? "claimed" : "" },
    element("b", {}, times(row.speedup)),
    " ",
    element("span", { class: "quiet" }, interval(row.low, row.high)),
  );
}

export function spend(row) {
  if (!row.tokens) return "–";
  const tokens = row.tokens.toLocaleString("en", { notation: "compact" }) + " tokens";
  return row.usd === null ? tokens : `${significant(row.usd)} USD, ${tokens}`;
}

export const UNITS = { bench: "searches", rl: "steps", search: "programs", other: "steps" };

export function done(row) {
  const total = row.total === null ? "" : ` of ${counted(row.total)}`;
  return `${counted(row.done)}${total}`;
}

export function bar(row) {
  if (!row.total || row.state === "finished") return null;
  return element("progress", { max: row.total, value: Math.min(row.done, row.total), "aria-label": "done" });
}

export const problem = (error) => element("p", { class: "problem", role: "alert" }, error.message || String(error));
