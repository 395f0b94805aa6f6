// The sections of a run's report, from the verdict to what is needed to reproduce it.

function showVerdict(data) {
  const v = data.verdict;
  const kind = v.improved ? "good" : "open";
  section("verdict", element("p", { class: `headline ${kind}` }, headline(v)), element("p", {}, explained(v)), tiles(data));
}

function headline(v) {
  if (v.improved) return [element("strong", {}, `${significant(v.speedup)}× faster`), ` (${interval(v.low, v.high)})`];
  if (v.state !== "finished") return "Not finished: nothing is claimed yet";
  return v.confirmed ? `No improvement is claimed: measured afresh, the best is ${interval(v.low, v.high)} times as fast` : "No improvement was found";
}

function explained(v) {
  if (!v.confirmed) {
    const seen = v.speedup !== null && v.speedup > 1 ? ` The best so far looks ${times(v.speedup)} as fast (${interval(v.low, v.high)}), which a fresh measurement has not confirmed.` : "";
    return `${plural(v.programs, "program")} were asked for, ${counted(v.correct)} of them correct.${seen}`;
  }
  const sanitized = v.sanitized ? ", sanitizers clean" : "";
  const tests = v.tests ? `${plural(v.tests, "test")} passed${sanitized}. ` : "";
  const compiled = v.over_compiled ? ` ${times(v.over_compiled)} the original under torch.compile.` : "";
  return `${tests}Measured afresh with new seeds in ${plural(v.pairs, "pair")} of runs, old and new in turn; the interval holds whenever sampling stops (alpha ${v.alpha}).${compiled}${v.note ? " " + v.note : ""}`;
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

function showProgress(data) {
  const { nodes, rounds } = data;
  if (nodes.parent.length < 2) return section("progress", empty("No program has been evaluated yet."));
  let best = 1;
  const byProgram = nodes.reward.map((reward, id) => [id, (best = Math.max(best, reward))]);
  const marks = nodes.reward.map((reward, id) => [id, reward]).slice(1);
  const charts = [stepChart("Best so far by programs evaluated; each dot is a program, at 0 if it failed", "programs", "times as fast", [{ points: byProgram }], marks)];
  const costs = [[1, "tokens", "tokens"], [2, "USD", "USD"], [3, "time", "seconds"]];
  for (const [column, words, label] of costs) {
    const points = [[0, 1], ...rounds.filter((row) => row[column] !== null).map((row) => [row[column], row[4]])];
    if ( points[points.length - 1][0] > 0) charts.push(stepChart(`Best so far by ${words}, after each round`, label, "times as fast", [{ points }]));
  }
  const free = rounds.length && rounds[rounds.length - 1][1] === 0;
  section("progress", element("p", { class: "quiet" }, "Rewards: the lower end of each program's interval, exactly 1 for what cannot be told from the baseline."), element("div", { class: "charts" }, charts), free ? empty("No model was asked, so there are no tokens and no USD to draw.") : null);
}

function showSamples(data) {
  const s = data.samples;
  if (!s) return section("samples", empty("Nothing has been timed."));
  const v = data.verdict;
  const unit = s.unit === "s" ? "seconds per run" : s.unit;
  const ratios = s.before.map((value, i) => value / s.after[i]);
  section("samples", element("div", { class: "charts" },
    distributions(`Timings, ${plural(s.before.length, "pair")}; the line is the median`, unit, [{ name: "before", values: s.before }, { name: "after", values: s.after }]),
    distributions("Speedup of each pair; the band is the interval of the estimate", "times as fast", [{ name: "before / after", values: ratios, band: [v.low, v.high] }]),
  ));
  if (data.finalists.length) section("samples", table(["measurement", "node", "verdict", "speedup", "interval", "pairs"], data.finalists.map((each) => [each.kind === "claim" ? "the winner, once more" : "finalist", each.node === null ? "–" : nodeLink(data, each.node), each.status, times(each.speedup), each.ci_low === null ? "–" : interval(each.ci_low, each.ci_high), counted(each.samples)]), "Fresh measurements"));
}

const nodeLink = (data, id) => button(String(id), () => data.go(id), { class: "link", "aria-label": `show node ${id} in the tree` });

const FACTS = ["hot_function", "hot_line", "count", "resource", "not_vectorized", "vectorized"];

function showProfile(data) {
  const sorted = (facts) => facts && [...facts].sort((a, b) => FACTS.indexOf(a.kind) - FACTS.indexOf(b.kind));
  const [before, after] = [data.facts[0], data.facts[data.best]].map(sorted);
  if (!before && !after) return section("profile", empty("Nothing was profiled in this run. `maxcode report RUN --profile` does that first."));
  const side = (title, facts) => element("div", {}, element("h3", {}, title), facts ? factList(facts) : empty("Not profiled. `maxcode report RUN --profile` does that first."));
  section("profile", element("div", { class: "two" }, side("Before", before), data.best ? side("After", after) : null));
}

function showRoofline(data) {
  const r = data.roofline;
  if (!r) return document.getElementById("roofline").remove();
  const rows = [["before", significant(r.before), significant(r.bandwidth_before)], ["after", significant(r.after), significant(r.bandwidth_after)]];
  section("roofline",
    element("p", {}, `${significant(r.intensity)} operations per byte, when every argument is moved once.` + (r.roofs ? ` Below ${significant(r.roofs.gflops / r.roofs.bandwidth)} the memory of this machine is the limit, above it its arithmetic.` : "")),
    rooflineChart(r),
    table(["", "GFLOPS", "GB/s at least"], rows, "Rates reached"));
}

function rooflineChart(r) {
  if (!r.roofs) return empty("The roofs of the machine are not known. `maxcode report RUN --profile` measures them, on the machine of the run.");
  const { gflops: peak, bandwidth, cpus } = r.roofs;
  const words = `The roofs are what numpy reaches with ${plural(cpus, "CPU")} of this machine: ${significant(peak)} GFLOPS in a matrix product of doubles, ${significant(bandwidth)} GB/s in copying`;
  const [low, high] = [Math.min(0.06, r.intensity / 4), Math.max(60, r.intensity * 4, (peak / bandwidth) * 4)].map(Math.log10);
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
  return figureOf(words, HEIGHT,
    marks(low, high, x, (spot, text) => drawn("text", { class: "tick", x: spot, y: HEIGHT - EDGE.bottom + 16, "text-anchor": "middle" }, text)),
    marks(floor, top, y, (spot, text) => [drawn("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: spot, y2: spot }), drawn("text", { class: "tick", x: EDGE.left - 6, y: spot + 4, "text-anchor": "end" }, text)]),
    drawn("path", { class: "line series2", d: roof }),
    point(r.before, 0, "before"), point(r.after, 1, "after"),
    drawn("text", { class: "label", x: WIDTH / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "operations per byte"),
    drawn("text", { class: "label", x: 4, y: EDGE.top + 1, "dominant-baseline": "middle" }, "GFLOPS"));
}

function showCritiques(data) {
  if (!data.critiques.length) return section("critiques", empty("No critic took part in this run."));
  const gain = (each) => (each.best === null ? -1 : data.nodes.reward[each.best] - data.nodes.reward[each.node]);
  const sorted = [...data.critiques].sort((a, b) => gain(b) - gain(a));
  section("critiques", element("p", { class: "quiet" }, "Those that the largest gains followed come first. What followed need not have followed from it."),
    inParts(sorted, (each) => element("article", {}, element("h3", {}, "Node ", nodeLink(data, each.node)), critiqueOf(each), element("p", { class: "followed" }, followed(data, each))), element("div", { class: "critiques" }), 10));
}

function followed(data, each) {
  if (!each.children) return "Nothing was built on it.";
  const { nodes } = data;
  const best = nodes.reward[each.best] > 0 ? [`; the best, node `, nodeLink(data, each.best), `, is ${times(nodes.speedup[each.best])} (was ${times(nodes.speedup[each.node])})`] : [];
  return [`What followed: ${plural(each.children, "program")}, ${counted(each.correct)} correct, ${counted(each.better)} better than this one`, best, "."];
}

// Reasons that differ only in numbers are one kind of failure.
function failureGroups(nodes) {
  const groups = new Map();
  nodes.status.forEach((status, id) => {
    if (status === "ok") return;
    const words = `${status.replace("_", " ")}: ${nodes.reason[id].split("\n")[0].slice(0, 200)}`;
    const key = words.replace(/\d+/g, "0");
    if (!groups.has(key)) groups.set(key, { words, ids: [] });
    groups.get(key).ids.push(id);
  });
  return [...groups.values()].sort((a, b) => b.ids.length - a.ids.length);
}

function showFailures(data) {
  const { nodes } = data;
  const groups = failureGroups(nodes);
  if (!groups.length) return section("failures", empty("No attempt failed."));
  const counts = new Map();
  for (const status of nodes.status) if (status !== "ok") counts.set(status, (counts.get(status) || 0) + 1);
  const failed = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...counts].map(([status, count]) => `${counted(count)} ${status.replace("_", " ")}`).join(", ");
  section("failures", element("p", { class: "quiet" }, `${counted(failed)} of ${plural(nodes.parent.length - 1, "program")} failed: ${kinds}.`),
    inParts(groups, (group) => failureGroup(data, group), element("div", {})));
}

function failureGroup(data, { words, ids }) {
  const links = ids.slice(0, 40).map((id) => [nodeLink(data, id), " "]);
  return element("details", {}, element("summary", {}, `${counted(ids.length)} × ${words}`),
    element("pre", { tabindex: "0" }, data.nodes.reason[ids[0]] || "no reason given"),
    element("p", {}, "Nodes: ", links, ids.length > 40 ? "…" : ""));
}

function showCost(data) {
  const usd = (row) => (row.usd !== null ? significant(row.usd, 4) : row.prompt + row.completion ? "not known" : "–");
  section("cost", element("div", { class: "tables" },
    table(["who", "prompt tokens", "completion tokens", "USD", "time"], data.cost.map((row) => [row.who, counted(row.prompt), counted(row.completion), usd(row), duration(row.seconds)]), "Models"),
    table(["stage", "time"], Object.entries(data.stages).map(([stage, seconds]) => [stage, duration(seconds)]), "Evaluation, each program once")));
}

function showReproduce(data) {
  section("reproduce", element("pre", { tabindex: "0" }, data.command), pairs(data.reproduce));
}
