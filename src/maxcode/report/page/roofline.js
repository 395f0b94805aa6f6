// What a kernel reaches of what the machine can do.

import { compact, EDGE, figureOf, HEIGHT, logTicks, scaleOf, WIDTH } from "./charts.js";
import { drawn, element, empty, plural, section, significant, table } from "./dom.js";

export function showRoofline(data) {
  const r = data.roofline;
  if (!r) return document.getElementById("roofline").remove();
  const rows = [
    ["before", significant(r.before), significant(r.bandwidth_before)],
    ["after", significant(r.after), significant(r.bandwidth_after)],
  ];
  section(
    "roofline",
    element(
      "p",
      {},
      `${significant(r.intensity)} operations per byte, when every argument is moved once.` +
        (r.roofs
          ? ` Below ${significant(r.roofs.gflops / r.roofs.bandwidth)} memory is the limit here, above it arithmetic.`
          : ""),
    ),
    rooflineChart(r),
    table(["", "GFLOPS", "GB/s at least"], rows, "Rates reached"),
  );
}

function rooflineChart(r) {
  if (!r.roofs)
    return empty("The roofs are not known. `maxcode report RUN --profile`, on the machine of the run, measures them.");
  const { gflops: peak, bandwidth, cpus } = r.roofs;
  const words =
    `The roofs are what numpy reaches with ${plural(cpus, "CPU")} of this machine: ${significant(peak)} GFLOPS ` +
    `in a matrix product of doubles, ${significant(bandwidth)} GB/s in copying`;
  const [low, high] = [Math.min(0.06, r.intensity / 4), Math.max(60, r.intensity * 4, (peak / bandwidth) * 4)].map(
    Math.log10,
  );
  const floor = Math.log10(Math.min(r.before, r.after, 10 ** low * bandwidth) / 2);
  const top = Math.log10(Math.max(peak, r.after) * 2);
  const x = scaleOf(low, high, EDGE.left, WIDTH - EDGE.right);
  const y = scaleOf(floor, top, HEIGHT - EDGE.bottom, EDGE.top + 14);
  const at = (intensity, rate) => `${x(Math.log10(intensity)).toFixed(1)} ${y(Math.log10(rate)).toFixed(1)}`;
  const roof = `M${at(10 ** low, 10 ** low * bandwidth)}L${at(peak / bandwidth, peak)}L${at(10 ** high, peak)}`;
  const point = (rate, number, name) => [
    drawn("circle", { class: `point series${number}`, cx: x(Math.log10(r.intensity)), cy: y(Math.log10(rate)), r: 5 }),
    drawn("text", { class: "label", x: x(Math.log10(r.intensity)) + 10, y: y(Math.log10(rate)) + 4 }, name),
  ];
  const marks = (from, to, place, draw) => logTicks(from, to).map((value) => draw(place(value), compact(10 ** value)));
  return figureOf(
    words,
    HEIGHT,
    marks(low, high, x, (spot, text) =>
      drawn("text", { class: "tick", x: spot, y: HEIGHT - EDGE.bottom + 16, "text-anchor": "middle" }, text),
    ),
    marks(floor, top, y, (spot, text) => [
      drawn("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: spot, y2: spot }),
      drawn("text", { class: "tick", x: EDGE.left - 6, y: spot + 4, "text-anchor": "end" }, text),
    ]),
    drawn("path", { class: "line series2", d: roof }),
    point(r.before, 0, "before"),
    point(r.after, 1, "after"),
    drawn("text", { class: "label", x: WIDTH / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "operations per byte"),
    drawn("text", { class: "label", x: 4, y: EDGE.top + 1, "dominant-baseline": "middle" }, "GFLOPS"),
  );
}
