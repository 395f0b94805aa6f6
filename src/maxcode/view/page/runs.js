// The list of runs, which keeps itself up to date.

import { get, listen, seldom } from "./api.js";
import { button, counted, element } from "./dom.js";
import { age, bar, chip, done, problem, speedup, spend, UNITS, when } from "./words.js";

const SIZE = 100;
const HEADS = ["State", "Task", "Method", "Speedup", "Done", "Spent", "Started"];

export async function showRuns(page) {
  let limit = SIZE;
  const filter = element("input", {
    id: "filter",
    type: "search",
    placeholder: "Filter: task, method, state, run …",
    "aria-label": "Filter runs",
    autocomplete: "off",
  });
  const count = element("p", { class: "quiet", role: "status" });
  const trouble = element("p", { class: "trouble", role: "alert" });
  const place = element("div", {});
  const more = button("Show more", () => {
    limit += SIZE;
    refresh();
  });
  page.append(
    element("div", { class: "heading" }, element("h1", {}, "Runs"), filter),
    trouble,
    count,
    place,
    element("p", {}, more),
  );

  const refresh = seldom(async () => {
    try {
      const found = await get(`runs?limit=${limit}&q=${encodeURIComponent(filter.value)}`);
      draw(place, found, filter.value);
      const all = found.total === found.all ? "" : ` of ${counted(found.all)}`;
      count.textContent = found.all ? `${counted(found.total)}${all} run${found.total === 1 ? "" : "s"}` : "";
      more.hidden = found.runs.length >= found.total;
    } catch (error) {
      place.replaceChildren(problem(error));
    }
    document.documentElement.dataset.listed = filter.value || "all";
  }, 400);
  filter.addEventListener("input", refresh);
  refresh();
  const stop = listen("events", "runs", (said) => {
    trouble.textContent = said.problem ? `The journal cannot be read: ${said.problem}` : "";
    refresh();
  });
  const clock = setInterval(refresh, 30_000);
  return {
    leave() {
      stop();
      clearInterval(clock);
    },
  };
}

function draw(place, found, filter) {
  if (!found.runs.length) return place.replaceChildren(nothing(found.all, filter));
  const focused = document.activeElement?.closest("tr")?.dataset.run;
  const rows = found.runs.map(rowOf);
  const made = element(
    "table",
    { class: "runs" },
    element("caption", { class: "hidden" }, "Runs, the newest first"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        HEADS.map((name) => element("th", { scope: "col" }, name)),
      ),
    ),
    element("tbody", {}, rows),
  );
  place.replaceChildren(made);
  rows
    .find((row) => focused && row.dataset.run === focused)
    ?.querySelector("a")
    .focus();
}

function nothing(all, filter) {
  if (all) return element("p", { class: "empty" }, `No run has “${filter}” in it.`);
  return element(
    "div",
    { class: "welcome" },
    element("h2", {}, "No runs yet"),
    element(
      "p",
      {},
      "Start one here, ",
      element("a", { href: "#/new" }, "from a task"),
      ", or in a terminal; it shows up by itself:",
    ),
    element("pre", {}, "maxcode optimize examples/sort --evals 16"),
  );
}

function rowOf(row) {
  const target = row.kind === "bench" ? "board" : "run";
  const link = element("a", { href: `#/${target}/${encodeURIComponent(row.run)}` }, row.task);
  const method = [row.strategy, row.policy].filter(Boolean);
  const cell = (name, ...children) => element("td", { "data-label": name }, ...children);
  return element(
    "tr",
    { "data-run": row.run },
    cell("State", chip(row.state)),
    cell("Task", link, element("div", { class: "small" }, row.run, row.bench ? ` · part of ${row.bench}` : "")),
    cell("Method", method[0] || row.kind, method[1] ? element("div", { class: "small" }, method[1]) : null),
    cell("Speedup", row.kind === "search" ? speedup(row) : "–"),
    cell("Done", `${done(row)} ${UNITS[row.kind]}`, bar(row)),
    cell("Spent", spend(row)),
    cell("Started", element("time", { title: when(row.started) }, age(Date.now() / 1000 - row.started))),
  );
}
