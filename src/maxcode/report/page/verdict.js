// What a run claims, what it cost, and what is needed to reproduce it.

import { compact } from "./charts.js";
import { counted, duration, element, interval, plural, section, significant, table, times } from "./dom.js";
import { pairs } from "./node.js";

export function showVerdict(data) {
  const v = data.verdict;
  const kind = v.improved ? "good" : "open";
  section(
    "verdict",
    element("p", { class: `headline ${kind}` }, headline(v)),
    element("p", {}, explained(v)),
    tiles(data),
  );
}

function headline(v) {
  if (v.improved) return [element("strong", {}, `${significant(v.speedup)}× faster`), ` (${interval(v.low, v.high)})`];
  if (v.state !== "finished") return "Not finished: nothing is claimed yet";
  return v.confirmed
    ? `No improvement is claimed: measured afresh, the best is ${times(v.speedup)} as fast (${interval(v.low, v.high)})`
    : "No improvement was found";
}

function explained(v) {
  if (!v.confirmed) return unconfirmed(v);
  const sanitized = v.sanitized ? ", sanitizers clean" : "";
  const tests = v.tests ? `${plural(v.tests, "test")} passed${sanitized}.` : "";
  const measured =
    `Measured afresh with new seeds in ${plural(v.pairs, "pair")} of runs, old and new in turn; ` +
    `the interval holds whenever sampling stops (alpha ${v.alpha}).`;
  const compiled = v.over_compiled ? `${times(v.over_compiled)} the original under torch.compile.` : "";
  const note = v.note ? `Note: ${v.note}.` : "";
  return [tests, measured, compiled, note].filter(Boolean).join(" ");
}

function unconfirmed(v) {
  const asked = `${plural(v.programs, "program")} asked for, ${counted(v.correct)} of them correct.`;
  if (v.speedup === null || v.low <= 1) return asked;
  const seen = `${times(v.speedup)} as fast (${interval(v.low, v.high)})`;
  return `${asked} The best so far looks ${seen}, which no fresh measurement has confirmed.`;
}

function tiles(data) {
  const v = data.verdict;
  const total = data.cost.find((row) => row.who === "total");
  const spent = data.rounds.length ? data.rounds[data.rounds.length - 1][3] : null;
  const tile = (label, value) => element("div", { class: "tile" }, element("span", {}, label), element("b", {}, value));
  const unit = (value) => (v.clock === "instructions" || v.clock === "printed" ? compact(value) : duration(value));
  return element("div", { class: "tiles" }, [
    v.before ? tile("before", unit(v.before)) : null,
    v.after ? tile("after", unit(v.after)) : null,
    v.gflops ? tile("GFLOPS", significant(v.gflops)) : null,
    tile("programs", counted(v.programs)),
    tile("correct", counted(v.correct)),
    tile("tokens", counted(total.prompt + total.completion)),
    total.usd === null ? null : tile("USD", significant(total.usd)),
    tile("time", duration(spent)),
  ]);
}

export function showCost(data) {
  const usd = (row) => (row.usd !== null ? significant(row.usd, 4) : row.prompt + row.completion ? "not known" : "–");
  section(
    "cost",
    element(
      "div",
      { class: "tables" },
      table(
        ["who", "prompt tokens", "completion tokens", "USD", "time"],
        data.cost.map((row) => [
          row.who,
          counted(row.prompt),
          counted(row.completion),
          usd(row),
          duration(row.seconds),
        ]),
        "Models",
      ),
      table(
        ["stage", "time"],
        Object.entries(data.stages).map(([stage, seconds]) => [stage, duration(seconds)]),
        "Evaluation, each program once",
      ),
    ),
  );
}

export function showReproduce(data) {
  section("reproduce", element("pre", { tabindex: "0" }, data.command), pairs(data.reproduce));
}
