// Runs side by side.

import { intervalChart, SHADES, stepChart } from "./charts.js";
import { readData } from "./data.js";
import { element, empty, section, table } from "./dom.js";

const nameOf = (run) => `${run.task}: ${run.method}, seed ${run.seed}`;

function showClaims(runs) {
  const known = runs.map((run, i) => ({ ...run, number: i })).filter((run) => run.fresh);
  if (!known.length) return section("claims", empty("No run has a finalist that was measured afresh."));
  section(
    "claims",
    intervalChart(
      "Speedup of each finalist with its interval",
      "times as fast as the baseline",
      known.map((run) => ({ name: nameOf(run), figures: run.fresh, number: run.number })),
    ),
    element("p", { class: "quiet" }, "Fresh measurements with their intervals; the vertical line is the baseline."),
  );
}

function showCurves(runs) {
  const charts = [];
  for (const [column, words, label] of [
    [0, "programs", "programs"],
    [1, "tokens", "tokens"],
    [2, "USD", "USD"],
    [3, "time", "seconds"],
  ]) {
    const series = runs.map((run) => ({
      points: [[0, 1], ...run.rounds.filter((row) => row[column] !== null).map((row) => [row[column], row[4]])],
    }));
    const drawable = series.some((each) => each.points[each.points.length - 1][0] > 0);
    if (drawable) charts.push(stepChart(`Best so far by ${words}, after each round`, label, "times as fast", series));
  }
  const legend = element(
    "div",
    { class: "keys" },
    runs.map((run, i) => element("span", {}, element("i", { class: `shade${i % SHADES}` }), nameOf(run))),
  );
  section(
    "progress",
    legend,
    charts.length ? element("div", { class: "charts" }, charts) : empty("Nothing has been evaluated yet."),
  );
}

readData().then((data) => {
  showClaims(data.runs);
  showCurves(data.runs);
  for (const each of data.tables)
    section(
      "tables",
      table(each.columns, each.rows, each.title),
      each.note ? element("p", { class: "quiet" }, each.note) : null,
    );
  document.documentElement.dataset.ready = "yes";
});
