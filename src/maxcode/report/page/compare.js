// Runs side by side.

import { compact, EDGE, figureOf, scaleOf, stepChart, ticks, widened, WIDTH } from "./charts.js";
import { readData } from "./data.js";
import { drawn, element, empty, interval, section, table, times } from "./dom.js";

const SHADES = 6;
const nameOf = (run) => `${run.task}: ${run.method}, seed ${run.seed}`;

function showClaims(runs) {
  const known = runs.map((run, i) => ({ ...run, number: i })).filter((run) => run.fresh);
  if (!known.length) return section("claims", empty("No run has a finalist that was measured afresh."));
  section(
    "claims",
    claims(known),
    element("p", { class: "quiet" }, "Fresh measurements with their intervals; the vertical line is the baseline."),
  );
}

function claims(runs) {
  const height = EDGE.top + runs.length * 44 + EDGE.bottom;
  const [low, high] = widened([1, ...runs.flatMap((run) => [run.fresh[1], run.fresh[2]])]);
  const x = scaleOf(low, high, 16, WIDTH - EDGE.right);
  const bottom = height - EDGE.bottom;
  return figureOf(
    "Speedup of each finalist with its interval",
    height,
    drawn("line", { class: "axis", x1: x(1), x2: x(1), y1: EDGE.top, y2: bottom }),
    runs.map((run, i) => {
      const y = EDGE.top + i * 44 + 32;
      return [
        drawn(
          "text",
          { class: "label clear", x: 4, y: y - 12 },
          `${nameOf(run)}: ${times(run.fresh[0])} (${interval(run.fresh[1], run.fresh[2])})`,
        ),
        drawn("line", {
          class: `line series${run.number % SHADES}`,
          x1: x(run.fresh[1]),
          x2: x(run.fresh[2]),
          y1: y,
          y2: y,
        }),
        drawn("circle", { class: `dot series${run.number % SHADES}`, cx: x(run.fresh[0]), cy: y, r: 4 }),
      ];
    }),
    ticks(low, high).map((value) =>
      drawn("text", { class: "tick", x: x(value), y: bottom + 16, "text-anchor": "middle" }, compact(value)),
    ),
    drawn(
      "text",
      { class: "label", x: WIDTH / 2, y: height - 6, "text-anchor": "middle" },
      "times as fast as the baseline",
    ),
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
