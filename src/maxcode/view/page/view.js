// The frame: which page is shown, the keys that work everywhere, light and dark.

import { showBoard, showBoards } from "./boards.js";
import { element } from "./dom.js";
import { showRun } from "./run.js";
import { showRuns } from "./runs.js";
import { showStart } from "./start.js";
import { problem } from "./words.js";

const main = document.getElementById("main");
const PAGES = [
  [/^#?\/?$/, "Runs", showRuns],
  [/^#\/new$/, "New run", showStart],
  [/^#\/boards$/, "Leaderboards", showBoards],
  [/^#\/board\/([^/]+)$/, "Leaderboard", showBoard],
  [/^#\/run\/([^/]+)(?:\/node\/(\d+))?$/, "Run", showRun],
];
let leave = () => {};
let shown = null;

async function show() {
  const [found, title, open] = PAGES.map(([form, ...rest]) => [form.exec(location.hash), ...rest]).find(
    ([match]) => match,
  ) || [[], "Not found", async () => main.replaceChildren(element("h1", {}, "No such page"))];
  const words = found.slice(1).map((part) => part && decodeURIComponent(part));
  if (shown && shown.stays && shown.open === open && shown.first === words[0]) return shown.stays(...words);
  leave();
  leave = () => {};
  shown = { open, first: words[0] };
  const mine = shown;
  document.documentElement.dataset.ready = "no";
  document.title = `${title} · MaxCode`;
  for (const link of document.querySelectorAll(".top nav a"))
    if (link.hash === (location.hash || "#/")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  const page = element("div", { class: "page" });
  main.replaceChildren(page);
  try {
    const left = await open(page, ...words);
    if (shown !== mine) return left && left.leave && left.leave();
    leave = (left && left.leave) || leave;
    mine.stays = left && left.stays;
  } catch (error) {
    page.append(problem(error));
  }
  document.documentElement.dataset.ready = "yes";
}

const KEYS = {
  "/": ["go to the filter", () => document.getElementById("filter")?.focus()],
  r: ["runs", () => (location.hash = "#/")],
  b: ["leaderboards", () => (location.hash = "#/boards")],
  n: ["new run", () => (location.hash = "#/new")],
  t: ["light or dark", () => theme.toggle()],
  g: ["go to the tree", () => document.getElementById("canvas")?.focus()],
  "?": ["show these keys", () => document.getElementById("keys").showModal()],
};
const IN_TREE = {
  "arrow keys": "in the tree: parent, child and neighbours",
  Home: "in the tree: the best program",
  "+ - 0": "in the tree: zoom in, zoom out, show all",
  "arrow keys ": "in a map of programs: the next one",
  Esc: "close this",
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key][1]();
});

const described = [...Object.entries(KEYS).map(([key, [words]]) => [key, words]), ...Object.entries(IN_TREE)];
document
  .getElementById("keyList")
  .append(
    ...described.flatMap(([key, words]) => [
      element("dt", {}, element("kbd", {}, key.trim())),
      element("dd", {}, words),
    ]),
  );
document.getElementById("help").addEventListener("click", KEYS["?"][1]);

const themeButton = document.getElementById("theme");
const named = () => (themeButton.textContent = theme.isDark() ? "Light" : "Dark");
themeButton.addEventListener("click", () => theme.toggle());
addEventListener("themechange", named);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", named);
named();

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", async () => {
  const before = shown;
  await show();
  if (shown !== before) main.focus({ preventScroll: true });
});
show();
