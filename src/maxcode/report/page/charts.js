// Charts as SVG: lines that step, marks, and distributions.

import { drawn, element, interval, OPEN, significant, times } from "./dom.js";

export const WIDTH = 460;
export const HEIGHT = 240;
export const EDGE = { left: 52, right: 14, top: 12, bottom: 40 };

export function ticks(low, high, count = 5) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step)
    found.push(Number(value.toPrecision(12)));
  return found;
}

export function scaleOf(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

function axes(x, y, xTicks, yTicks, xLabel, yLabel) {
  const bottom = HEIGHT - EDGE.bottom;
  return [
    yTicks.map((value) => [
      drawn("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value) }),
      drawn("text", { class: "tick", x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" }, significant(value)),
    ]),
    xTicks.map((value) =>
      drawn("text", { class: "tick", x: x(value), y: bottom + 16, "text-anchor": "middle" }, compact(value)),
    ),
    drawn("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: bottom, y2: bottom }),
    drawn(
      "text",
      { class: "label", x: (EDGE.left + WIDTH - EDGE.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" },
      xLabel,
    ),
    drawn("text", { class: "label", x: 4, y: EDGE.top + 1, "dominant-baseline": "middle" }, yLabel),
  ];
}

export const compact = (value) =>
  Math.abs(value) >= 1e4 ? value.toLocaleString("en", { notation: "compact" }) : significant(value);

export function figureOf(words, height, ...children) {
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words }, children);
  return element("figure", {}, picture, element("figcaption", {}, words));
}

// series: [{name, points: [[x, y]...]}], drawn as steps; marks: single points, all in one path.
export function stepChart(words, xLabel, yLabel, series, marks = []) {
  const all = [...series.flatMap((each) => each.points), ...marks];
  const top = Math.max(...all.map((point) => point[1])) * 1.05;
  const right = Math.max(...all.map((point) => point[0])) || 1;
  const low = Math.min(0, ...all.map((point) => point[1]));
  const x = scaleOf(0, right, EDGE.left, WIDTH - EDGE.right);
  const y = scaleOf(low, top, HEIGHT - EDGE.bottom, EDGE.top + 14);
  const lines = series.map((each, i) =>
    drawn("path", { class: `line series${i}`, d: stepped(each.points, right, x, y) }),
  );
  const dots = marks.map(([a, b]) => `M${x(a).toFixed(1)} ${y(b).toFixed(1)}h0`).join("");
  return figureOf(
    words,
    HEIGHT,
    axes(x, y, ticks(0, right), ticks(low, top, 4), xLabel, yLabel),
    dots ? drawn("path", { class: "marks", d: dots }) : null,
    lines,
  );
}

function stepped(points, right, x, y) {
  let path = `M${x(points[0][0]).toFixed(1)} ${y(points[0][1]).toFixed(1)}`;
  for (const [a, b] of points.slice(1)) path += `H${x(a).toFixed(1)}V${y(b).toFixed(1)}`;
  return path + `H${x(right).toFixed(1)}`;
}

// series: [{points: [[x, y]...], faint}], drawn straight from point to point over the whole range of both.
export function lineChart(words, xLabel, series) {
  const all = series.flatMap((each) => each.points);
  const [low, high] = widened(all.map((point) => point[1]));
  const [left, right] = [Math.min, Math.max].map((end) => end(...all.map((point) => point[0])));
  const x = scaleOf(left, right, EDGE.left, WIDTH - EDGE.right);
  const y = scaleOf(low, high, HEIGHT - EDGE.bottom, EDGE.top + 14);
  const straight = (points) => points.map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("L");
  const lines = series.map(({ points, faint }) =>
    drawn("path", { class: `line series0${faint ? " faint" : ""}`, d: "M" + straight(points) }),
  );
  return figureOf(words, HEIGHT, axes(x, y, ticks(left, right), ticks(low, high, 4), xLabel, ""), lines);
}

export const SHADES = 6;

// rows: [{name, figures: [value, low, high], number}], each a dot with its interval; 1 is marked. An interval that few
// of what it comes from (pairs, tasks) leave open goes to the edges, and does not make the scale.
export function intervalChart(words, label, rows, few) {
  const height = EDGE.top + rows.length * 44 + EDGE.bottom;
  const telling = ({ figures: [value, from, to] }) => (from === null || to > OPEN * from ? [value] : [value, from, to]);
  const [low, high] = widened([1, ...rows.flatMap(telling)]);
  const place = scaleOf(low, high, 16, WIDTH - EDGE.right);
  const x = (value) => place(Math.min(Math.max(value, low), high));
  const bottom = height - EDGE.bottom;
  return figureOf(
    words,
    height,
    drawn("line", { class: "axis", x1: x(1), x2: x(1), y1: EDGE.top, y2: bottom }),
    rows.map(({ name, figures: [value, from, to], number }, i) => {
      const y = EDGE.top + i * 44 + 32;
      const shade = `series${number % SHADES}`;
      const spread = from === null || to === null ? "" : ` (${interval(from, to, few)})`;
      return [
        drawn("text", { class: "label clear", x: 4, y: y - 12 }, `${name}: ${times(value)}${spread}`),
        from === null ? null : drawn("line", { class: `line ${shade}`, x1: x(from), x2: x(to), y1: y, y2: y }),
        drawn("circle", { class: `dot ${shade}`, cx: x(value), cy: y, r: 4 }),
      ];
    }),
    ticks(low, high).map((value) =>
      drawn("text", { class: "tick", x: x(value), y: bottom + 16, "text-anchor": "middle" }, compact(value)),
    ),
    drawn("text", { class: "label", x: WIDTH / 2, y: height - 6, "text-anchor": "middle" }, label),
  );
}

const LEADERS = 5;

// The programs with the highest rewards, each a dot with its interval; nothing while no program is correct.
export function leaderChart(nodes) {
  const correct = nodes.reward.map((_, id) => id).filter((id) => id > 0 && nodes.reward[id] > 0);
  const rows = correct
    .filter((id) => nodes.speedup[id] !== null)
    .sort((a, b) => nodes.reward[b] - nodes.reward[a])
    .slice(0, LEADERS)
    .map((id) => ({ name: `node ${id}`, figures: [nodes.speedup[id], nodes.low[id], nodes.high[id]], number: 0 }));
  if (!rows.length) return [];
  return [intervalChart("The programs that rank highest, as measured, with their intervals", "times as fast", rows)];
}

const ROW = 74;

// rows: [{name, values, band}], one histogram each over a common axis, with the median marked.
export function distributions(words, label, rows) {
  const all = rows.flatMap((row) => row.values);
  const log = Math.min(...all) > 0 && Math.max(...all) / Math.min(...all) > 8;
  const place = log ? Math.log10 : (value) => value;
  const [low, high] = widened(all.map(place));
  const x = scaleOf(low, high, EDGE.left + 18, WIDTH - EDGE.right);
  const height = EDGE.top + rows.length * ROW + EDGE.bottom;
  const bottom = height - EDGE.bottom;
  const marks = log ? logTicks(low, high) : ticks(low, high);
  return figureOf(
    words,
    height,
    rows.map((row, i) => histogram(row, i, EDGE.top + (i + 1) * ROW, x, place)),
    marks.map((value) =>
      drawn(
        "text",
        { class: "tick", x: x(value), y: bottom + 16, "text-anchor": "middle" },
        compact(log ? 10 ** value : value),
      ),
    ),
    drawn("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: bottom, y2: bottom }),
    drawn(
      "text",
      { class: "label", x: WIDTH / 2, y: height - 6, "text-anchor": "middle" },
      label + (log ? " (log scale)" : ""),
    ),
  );
}

export function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++)
    for (const each of [1, 2, 5]) {
      const value = power + Math.log10(each);
      if (value >= low && value <= high) found.push(value);
    }
  return found.length > 8 ? found.filter((value) => Number.isInteger(value)) : found;
}

export function widened(values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const edge = (high - low) * 0.06 || Math.abs(high) * 0.05 || 1;
  return [low - edge, high + edge];
}

function histogram(row, number, base, x, place) {
  const size = 7;
  const bins = new Map();
  for (const value of row.values) {
    const bin = Math.floor((x(place(value)) - EDGE.left) / size);
    bins.set(bin, (bins.get(bin) || 0) + 1);
  }
  const most = Math.max(...bins.values());
  const middle = x(place(median(row.values)));
  const within = (value) => Math.min(Math.max(x(place(value)), EDGE.left), WIDTH - EDGE.right);
  const bars = [...bins].map(([bin, count]) => {
    const tall = (count / most) * (ROW - 26);
    return drawn("rect", {
      class: `bar series${number}`,
      x: EDGE.left + bin * size,
      width: size - 1,
      y: base - tall,
      height: tall,
    });
  });
  return [
    row.band
      ? drawn("rect", {
          class: "band",
          x: within(row.band[0]),
          width: Math.max(within(row.band[1]) - within(row.band[0]), 1),
          y: base - ROW + 18,
          height: ROW - 18,
        })
      : null,
    bars,
    drawn("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: base, y2: base }),
    drawn("line", { class: "median", x1: middle, x2: middle, y1: base - ROW + 18, y2: base }),
    drawn("text", { class: "label", x: 4, y: base - ROW + 14 }, row.name),
  ];
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
