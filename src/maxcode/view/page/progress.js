// The best so far against what it cost.

import { leaderChart, stepChart } from "./charts.js";
import { button, element, empty } from "./dom.js";

const AXES = [
  [0, "programs"],
  [1, "tokens"],
  [2, "USD"],
  [3, "seconds"],
];
let chosen = 0;

export function drawProgress(place, nodes, rounds) {
  if (!nodes.parent || nodes.parent.length < 2) return place.replaceChildren(empty("No program has been evaluated yet."));
  const offered = AXES.filter(([column]) => !column || rounds.some((row) => row[column]));
  const buttons = offered.map(([column, words]) =>
    button(words, () => draw(column), { "aria-label": `Best so far by ${words}` }),
  );
  const chart = element("div", {});
  function draw(column) {
    chosen = column;
    buttons.forEach((each, i) => each.setAttribute("aria-pressed", String(offered[i][0] === column)));
    chart.replaceChildren(column ? byCost(rounds, column, AXES[column][1]) : byProgram(nodes));
  }
  draw(offered.some(([column]) => column === chosen) ? chosen : 0);
  place.replaceChildren(element("div", { class: "bar-of-buttons" }, buttons), chart, ...leaderChart(nodes));
}

function byProgram(nodes) {
  let best = 1;
  const points = nodes.reward.map((reward, id) => [id, (best = Math.max(best, reward))]);
  const marks = nodes.reward.map((reward, id) => [id, reward]).slice(1);
  const words = "Best so far by programs evaluated; each dot is a program, at 0 if it failed";
  return stepChart(words, "programs", "times as fast", [{ points }], marks);
}

function byCost(rounds, column, words) {
  const points = [[0, 1], ...rounds.filter((row) => row[column] !== null).map((row) => [row[column], row[4]])];
  return stepChart(`Best so far by ${words}, after each round`, words, "times as fast", [{ points }]);
}
