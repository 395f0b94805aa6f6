// One run, live: how it goes, its tree, its curve, its archive if it keeps one; of a training, archive and curves.

import { get, listen, ofRun, seldom } from "./api.js";
import { showMap } from "./kinds.js";
import { button, element, empty } from "./dom.js";
import { Elites } from "./elites.js";
import { drawProgress } from "./progress.js";
import { Summary } from "./summary.js";
import { curves } from "./training.js";
import { LiveTree } from "./live_tree.js";
import { problem } from "./words.js";

const part = (id, title, ...children) =>
  element("section", { id, "aria-labelledby": `h-${id}` }, element("h2", { id: `h-${id}` }, title), ...children);

export async function showRun(page, run, node) {
  const about = await get(ofRun(run));
  if (about.kind === "bench") return location.replace(`#/board/${encodeURIComponent(run)}`);
  document.title = `${about.task} · MaxCode`;
  const summary = new Summary(about);
  page.append(...summary.parts);
  const shown = about.kind === "search" ? searchParts(page, run, node, about) : trainingParts(page, run, about);
  const stop = listen(ofRun(run, "/events"), "progress", (said) => {
    summary.update(said);
    shown.heard(said);
  });
  await shown.ready;
  return { leave: stop, stays: (_, number) => shown.go(number) };
}

function searchParts(page, run, node, about) {
  const treePlace = element("div", {}, empty("Reading the journal …"));
  const progressPlace = element("div", {}, empty("No program has been evaluated yet."));
  // Only this strategy keeps an archive, from which it draws parents.
  const archivePlace = about.settings.strategy?.startsWith("evolve") ? element("div", {}) : null;
  const panel = element("div", { id: "node", role: "region", "aria-label": "The chosen node", tabindex: "-1" });
  page.append(
    element(
      "div",
      { class: "columns" },
      element(
        "div",
        {},
        part("tree", "Search tree", treePlace),
        part("progress", "Best so far", progressPlace),
        archivePlace && part("kinds", "Archive", archivePlace),
        part("settings", "Settings", settingsOf(about)),
      ),
      element("aside", { "aria-label": "Node" }, panel),
    ),
  );
  const tree = new LiveTree(run, treePlace, panel, node === undefined ? null : Number(node));
  const others = seldom(async () => {
    const progress = await get(ofRun(run, "/progress"));
    drawProgress(progressPlace, tree.nodes, progress.rounds);
    if (archivePlace) showMap(archivePlace, await get(ofRun(run, "/archive")), (id) => tree.select(id));
  }, 1500);
  let expected = 0;
  const grow = seldom(async () => {
    try {
      if (await tree.grow()) others();
      if (tree.size < expected) grow();
    } catch (error) {
      treePlace.replaceChildren(problem(error));
    }
  }, 400);
  return {
    ready: tree.grow().then((grown) => grown && others()),
    go: (number) => number !== undefined && tree.select(Number(number), false),
    heard(said) {
      if (said.problem) treePlace.replaceChildren(problem(said.problem));
      else if (said.nodes !== tree.size || !said.caught_up) grow();
      expected = said.nodes || 0;
    },
  };
}

function trainingParts(page, run, about) {
  const place = element("div", {});
  const elites = about.kind === "rl" ? new Elites(run) : null;
  page.append(...(elites ? [part("archive", "Archive", ...elites.parts)] : []), part("training", "Curves", place));
  let now = about;
  const draw = async () => {
    place.replaceChildren(...curves((await get(ofRun(run, "/series"))).series));
    await elites?.draw(now.done);
  };
  const refresh = seldom(() => draw().catch((error) => place.replaceChildren(problem(error))), 1500);
  return {
    ready: draw(),
    go() {},
    heard(said) {
      if (said.last !== now.last) refresh();
      now = said;
    },
  };
}

function settingsOf(about) {
  const copy = button("Copy", async () => {
    await navigator.clipboard.writeText(about.command);
    copy.textContent = "Copied";
  });
  const rows = Object.entries(about.settings).filter(([, value]) => value !== null && value !== "");
  const words = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return [
    about.command ? element("pre", { tabindex: "0" }, about.command) : null,
    about.command ? element("p", {}, copy) : null,
    element(
      "details",
      {},
      element("summary", {}, "All settings"),
      element(
        "dl",
        {},
        rows.map(([name, value]) => [element("dt", {}, name), element("dd", {}, words(value))]),
      ),
    ),
  ];
}
