// Curves of whatever figures a run writes down, step by step.

import { lineChart } from "./charts.js";
import { element, empty, significant } from "./dom.js";

const SMOOTH = 0.85;

function smoothed(points) {
  let mean = points[0][1];
  return points.map(([x, y]) => [x, (mean = SMOOTH * mean + (1 - SMOOTH) * y)]);
}

export function curves(series) {
  if (!series.length) return [empty("No figures yet: they appear with the second step.")];
  const place = element("div", { class: "charts" });
  const filter = element("input", {
    type: "search",
    placeholder: "Filter curves",
    "aria-label": "Filter curves",
    class: "small-filter",
  });
  const draw = () => {
    const word = filter.value.toLowerCase();
    const wanted = series.filter((each) => `${each.kind} ${each.name}`.toLowerCase().includes(word));
    place.replaceChildren(...wanted.map(curve));
  };
  filter.addEventListener("input", draw);
  draw();
  return series.length > 6 ? [filter, place] : [place];
}

function curve({ kind, name, points }) {
  const last = points[points.length - 1];
  const words = `${name}: ${significant(last[1])} at step ${significant(last[0])}` + (kind ? ` (${kind})` : "");
  const noisy = points.length > 8;
  const lines = noisy ? [{ points, faint: true }, { points: smoothed(points) }] : [{ points }];
  return lineChart(words, "step", lines);
}
