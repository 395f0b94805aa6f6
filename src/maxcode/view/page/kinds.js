// The archive as a map: how long programs are, how many loops they have, and the fastest of each sort.

import { element, empty, plural, significant, times } from "./dom.js";
import { heatMap, redrawn, strength } from "./grid.js";

const GROWTH = 1.3;
const AXES = "Fastest program by number of loops (upwards) and characters of text (across).";
let island = null;

const shade = (reward, fastest) => {
  if (!reward) return "failed";
  if (reward <= 1) return reward < 1 ? "slower" : "same";
  return strength(Math.log(reward) / Math.log(fastest));
};

const length = (size) => {
  const characters = GROWTH ** size;
  return characters < 1000 ? significant(characters, 2) : significant(characters / 1000, 2) + "k";
};

export function showMap(place, map, go) {
  if (!map.cells.length) return place.replaceChildren(empty("No program yet."));
  const draw = () => {
    const cells = merged(map.cells.filter((cell) => island === null || cell.island === island));
    grid.replaceChildren(tableOf(cells, go));
    said.textContent =
      `${AXES} ${plural(cells.size, "cell")} filled; the sum of their speedups is ` +
      `${significant([...cells.values()].reduce((sum, cell) => sum + (cell.reward || 0), 0))}.`;
  };
  const grid = element("div", { class: "wide" });
  const said = element("p", { class: "quiet" });
  const parts = [
    element(
      "p",
      { class: "quiet" },
      "The programs that the search draws parents from: the fastest of each number of loops and length of text. ",
      "A cell shows its speedup, and opens it.",
    ),
    map.islands > 1 ? islands(map, draw) : "",
    grid,
    said,
  ];
  redrawn(place, () => {
    place.replaceChildren(...parts);
    draw();
  });
}

function islands(map, draw) {
  const names = [...new Set(map.cells.map((cell) => cell.island))].sort((a, b) => a - b);
  const select = element(
    "select",
    {},
    element("option", { value: "" }, "all islands"),
    names.map((each) => element("option", { value: each }, `island ${each + 1}`)),
  );
  select.value = island === null ? "" : String(island);
  select.addEventListener("change", () => {
    island = select.value === "" ? null : Number(select.value);
    draw();
  });
  return element("label", { class: "islands" }, "Show ", select);
}

function merged(cells) {
  const found = new Map();
  for (const cell of cells) {
    const at = `${cell.loops},${cell.size}`;
    const known = found.get(at);
    if (!known) found.set(at, { ...cell });
    else {
      known.programs += cell.programs;
      if ((cell.reward || 0) > (known.reward || 0)) Object.assign(known, { reward: cell.reward, node: cell.node });
    }
  }
  return found;
}

function tableOf(cells, go) {
  const all = [...cells.values()];
  const loops = range(all.map((cell) => cell.loops)).reverse();
  const sizes = range(all.map((cell) => cell.size));
  const fastest = Math.max(1.0001, ...all.map((cell) => cell.reward || 0));
  const cellAt = (loop, size) => {
    const cell = cells.get(`${loop},${size}`);
    if (!cell) return null;
    return {
      shade: shade(cell.reward, fastest),
      text: cell.reward ? significant(cell.reward, 2) : "×",
      words: inWords(cell),
      open: () => go(cell.node),
    };
  };
  const rows = loops.map((at) => ({ at, label: at === 8 ? "8+" : String(at) }));
  const columns = sizes.map((at) => ({ at, label: length(at) }));
  return heatMap(AXES, rows, columns, cellAt);
}

const range = (values) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return Array.from({ length: high - low + 1 }, (_, i) => low + i);
};

const inWords = (cell) =>
  `${plural(cell.loops, "loop")}, about ${length(cell.size)} characters: ${plural(cell.programs, "program")}, ` +
  (cell.reward ? `the best ${times(cell.reward)}, node ${cell.node}` : "none of them correct");
