// Progress, samples and profiles.

import { distributions, leaderChart, stepChart } from "./charts.js";
import { button, counted, element, empty, interval, plural, section, table, times } from "./dom.js";
import { factList } from "./node.js";

export function showProgress(data) {
  const { nodes, rounds } = data;
  if (nodes.parent.length < 2) return section("progress", empty("No program has been evaluated yet."));
  let best = 1;
  const byProgram = nodes.reward.map((reward, id) => [id, (best = Math.max(best, reward))]);
  const marks = nodes.reward.map((reward, id) => [id, reward]).slice(1);
  const charts = [
    stepChart(
      "Best so far by programs evaluated; each dot is a program, at 0 if it failed",
      "programs",
      "times as fast",
      [{ points: byProgram }],
      marks,
    ),
  ];
  const costs = [
    [1, "tokens", "tokens"],
    [2, "USD", "USD"],
    [3, "time", "seconds"],
  ];
  for (const [column, words, label] of costs) {
    const points = [[0, 1], ...rounds.filter((row) => row[column] !== null).map((row) => [row[column], row[4]])];
    if (points[points.length - 1][0] > 0)
      charts.push(stepChart(`Best so far by ${words}, after each round`, label, "times as fast", [{ points }]));
  }
  charts.push(...leaderChart(nodes));
  const free = rounds.length && rounds[rounds.length - 1][1] === 0;
  section(
    "progress",
    element(
      "p",
      { class: "quiet" },
      "Rewards: each program's speedup, drawn towards 1 where it may be noise.",
    ),
    element("div", { class: "charts" }, charts),
    free ? empty("No model was asked, so there are no tokens and no USD to draw.") : null,
  );
}

export function showSamples(data) {
  const s = data.samples;
  if (!s) return section("samples", empty("No program was timed as a finalist."));
  const v = data.verdict;
  const unit = s.unit === "s" ? "seconds per run" : s.unit;
  const ratios = s.before.map((value, i) => value / s.after[i]);
  section(
    "samples",
    element(
      "div",
      { class: "charts" },
      distributions(`Timings, ${plural(s.before.length, "pair")}; the line is the median`, unit, [
        { name: "before", values: s.before },
        { name: "after", values: s.after },
      ]),
      distributions("Speedup of each pair; the band is the interval of the estimate", "times as fast", [
        { name: "before / after", values: ratios, band: [v.low, v.high] },
      ]),
    ),
  );
  if (data.finalists.length)
    section(
      "samples",
      table(
        ["measurement", "node", "status", "speedup", "interval", "pairs"],
        data.finalists.map((each) => [
          each.kind === "claim" ? "the winner, once more" : "finalist",
          each.node === null ? "–" : nodeLink(data, each.node),
          each.status,
          times(each.speedup),
          each.ci_low === null ? "–" : interval(each.ci_low, each.ci_high),
          counted(each.samples),
        ]),
        "Fresh measurements",
      ),
    );
}

export const nodeLink = (data, id) =>
  button(String(id), () => data.go(id), { class: "link", "aria-label": `show node ${id} in the tree` });

const FACTS = ["hot_function", "hot_line", "count", "resource", "not_vectorized", "vectorized"];

export function showProfile(data) {
  const sorted = (facts) => facts && [...facts].sort((a, b) => FACTS.indexOf(a.kind) - FACTS.indexOf(b.kind));
  const [before, after] = [data.facts[0], data.facts[data.best]].map(sorted);
  if (!before && !after)
    return section(
      "profile",
      empty("Nothing was profiled in this run. `maxcode report RUN --profile` does that first."),
    );
  const side = (title, facts) =>
    element(
      "div",
      {},
      element("h3", {}, title),
      facts ? factList(facts) : empty("Not profiled. `maxcode report RUN --profile` does that first."),
    );
  section("profile", element("div", { class: "two" }, side("Before", before), data.best ? side("After", after) : null));
}
