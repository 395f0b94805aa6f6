// Leaderboards: benchmarks by suite, their methods with intervals, and all their tables.

import { get, listen, ofRun, seldom } from "./api.js";
import { intervalChart } from "./charts.js";
import { element, empty, interval, table, times } from "./dom.js";
import { Summary } from "./summary.js";
import { age, bar, chip, done, problem } from "./words.js";

export async function showBoards(page) {
  page.append(element("h1", {}, "Leaderboards"));
  const { runs } = await get("runs?limit=1000&q=bench:");
  const benches = runs.filter((row) => row.kind === "bench");
  if (!benches.length)
    return page.append(
      element("p", { class: "empty" }, "No benchmark is in the journal yet. The smallest one takes some minutes:"),
      element("pre", {}, "maxcode bench demo --quick"),
    );
  const grid = element("div", { class: "cards" });
  page.append(grid);
  for (const row of benches) grid.append(await card(row));
}

async function card(row) {
  const board = await get(ofRun(row.run, "/board")).catch((error) => ({ methods: [], error }));
  const first = board.methods
    .slice(0, 5)
    .map((each) => [each.method, times(each.geometric_mean), interval(each.ci_low, each.ci_high, "tasks")]);
  return element(
    "article",
    { class: "card" },
    element(
      "h2",
      {},
      element("a", { href: `#/board/${encodeURIComponent(row.run)}` }, row.task.replace(/^bench:/, "")),
      " ",
      chip(row.state),
    ),
    element("p", { class: "quiet" }, `${done(row)} searches · ${age(Date.now() / 1000 - row.started)} · ${row.run}`),
    bar(row),
    board.error
      ? problem(board.error)
      : first.length
        ? table(["method", "speedup", "95% interval"], first, "Geometric mean over tasks")
        : empty("No task has been finished by all methods yet."),
  );
}

export async function showBoard(page, run) {
  const about = await get(ofRun(run));
  const suite = about.task.replace(/^bench:/, "");
  document.title = `${suite} · MaxCode`;
  const summary = new Summary(about, suite, element("a", { href: "#/boards" }, "Leaderboards"));
  const place = element("div", {});
  page.append(...summary.parts, place);
  const draw = async () => place.replaceChildren(...parts(await get(ofRun(run, "/board"))));
  await draw();
  const refresh = seldom(() => draw().catch((error) => place.prepend(problem(error))), 2000);
  const stop = listen(ofRun(run, "/events"), "progress", (said) => {
    summary.update(said);
    refresh();
  });
  return { leave: stop };
}

function parts(board) {
  const rows = board.methods.map((each, number) => ({
    name: each.method,
    figures: [each.geometric_mean, each.ci_low, each.ci_high],
    number,
  }));
  const [first, ...others] = board.tables;
  return [
    rows.length
      ? intervalChart(
          "Geometric mean of the speedups, with its 95% interval",
          "times as fast as the baseline",
          rows,
          "tasks",
        )
      : empty("No task has been finished by all methods yet."),
    first ? tableOf(first) : null,
    ...others.map((each) => element("details", {}, element("summary", {}, each.title), tableOf(each))),
    board.cells.length ? element("details", {}, element("summary", {}, "All searches"), searches(board.cells)) : null,
  ].filter(Boolean);
}

function tableOf(each) {
  const note = each.note ? element("p", { class: "quiet" }, each.note) : null;
  return element("div", { class: "tabled" }, table(each.columns, each.rows, each.title), note);
}

function searches(cells) {
  const link = (cell) =>
    cell.run ? element("a", { href: `#/run/${encodeURIComponent(cell.run)}` }, cell.run) : "not started";
  const rows = cells.map((cell) => [
    cell.task,
    cell.method,
    String(cell.seed),
    cell.problem ? cell.problem : times(cell.speedup),
    interval(cell.low, cell.high),
    String(cell.evals),
    link(cell),
  ]);
  return table(["task", "method", "seed", "speedup", "interval", "programs", "run"], rows, "Searches");
}
