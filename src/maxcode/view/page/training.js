// Curves of whatever figures a run writes down, step by step.

import { lineChart } from "./charts.js";
import { element, empty, significant } from "./dom.js";

const FIRST = "reward reward_best success gflops gflops_best loss kl entropy coverage qd_score".split(" ");

// The mean of the neighbours on both sides: no lag, as a trend from one side would have.
function smoothed(points) {
  const reach = Math.max(2, Math.round(points.length / 24));
  return points.map(([x], i) => {
    const near = points.slice(Math.max(0, i - reach), i + reach + 1);
    return [x, near.reduce((sum, point) => sum + point[1], 0) / near.length];
  });
}

const rank = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

export function curves(series) {
  if (!series.length) return [empty("No figures yet: they appear with the second step.")];
  const place = element("div", { class: "charts" });
  series.sort((a, b) => rank(a) - rank(b));
  const filter = element("input", {
    type: "search",
    placeholder: "Filter curves",
    "aria-label": "Filter curves",
    class: "small-filter",
  });
  const several = new Set(series.map((each) => each.kind)).size > 1;
  const draw = () => {
    const word = filter.value.toLowerCase();
    const wanted = series.filter((each) => `${each.kind} ${each.name}`.toLowerCase().includes(word));
    place.replaceChildren(...wanted.map((each) => curve(each, several)));
  };
  filter.addEventListener("input", draw);
  draw();
  return series.length > 6 ? [filter, place] : [place];
}

function curve({ kind, name, points }, several) {
  const last = points[points.length - 1];
  const words = `${name}: ${significant(last[1])} at step ${significant(last[0])}` + (several && kind ? ` (${kind})` : "");
  const noisy = points.length > 8;
  const lines = noisy ? [{ points, faint: true }, { points: smoothed(points) }] : [{ points }];
  return lineChart(words, "step", lines);
}
