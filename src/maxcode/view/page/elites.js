// The archive of a training as a map: the best program of each problem and each set of techniques.

import { get, ofRun } from "./api.js";
import { counted, element, empty, significant } from "./dom.js";
import { heatMap, redrawn, strength } from "./grid.js";
import { pairs } from "./node.js";
import { wholeFile } from "./panel.js";
import { problem } from "./words.js";

const AXES = "Best reward by the techniques that a program uses (down) and by problem (across).";
const WORDS = { openmp: "threads", simd: "SIMD", pragmas: "compiler hints" };

const techniques = (names) => names.map((name) => WORDS[name] || name.replace("_", " ")).join(", ") || "plain loops";

const figures = ({ reward, gflops }) =>
  `reward ${significant(reward)}` + (gflops === null ? "" : `, ${significant(gflops)} GFLOPS`);

export class Elites {
  constructor(run) {
    this.run = run;
    this.shown = null; // the cell on the panel, and what it earned: another may take its place
    this.map = element("div", {});
    this.said = element("p", { class: "hidden", role: "status" });
    this.panel = element("div", { id: "elite", class: "program", role: "region", "aria-label": "The chosen program" });
    this.parts = [element("div", { class: "elites" }, this.map, this.panel), this.said];
  }

  async draw(steps) {
    const found = await get(ofRun(this.run, "/archive"));
    if (!found.cells?.length) return this.map.replaceChildren(empty(nothing(found, steps)));
    const cells = new Map(found.cells.map((cell) => [`${cell.set},${cell.task}`, this.told(cell, found)]));
    redrawn(this.map, () => this.map.replaceChildren(...this.drawn(found, cells)));
    const again = [...cells.values()].find((cell) => cell.cell === this.shown?.cell);
    if (again && again.reward !== this.shown.reward) await this.open(again);
  }

  told(cell, { tasks, sets }) {
    const used = techniques(sets.find((each) => each.set === cell.set).techniques);
    return { ...cell, name: tasks[cell.task], used };
  }

  drawn(found, cells) {
    const rewards = found.cells.map((cell) => cell.reward);
    const [least, most] = [Math.min(...rewards), Math.max(...rewards)];
    const cellAt = (set, task) => {
      const cell = cells.get(`${set},${task}`);
      if (!cell) return null;
      return {
        shade: strength(most > least ? (cell.reward - least) / (most - least) : 1),
        text: significant(cell.reward, 2),
        words: `${cell.name}, ${cell.used}: ${figures(cell)}`,
        open: () => this.open(cell, true),
      };
    };
    const rows = found.sets.map((each) => ({ at: each.set, label: techniques(each.techniques) }));
    const columns = found.tasks.map((label, at) => ({ at, label }));
    return [
      element("p", { class: "quiet" }, AXES, " At 100 a program is as fast as the machine can be."),
      element("div", { class: "wide" }, heatMap(AXES, rows, columns, cellAt, { className: "named", headsFirst: true })),
      element("p", { class: "quiet", id: "diversity" }, diversity(found)),
    ];
  }

  async open(cell, byHand = false) {
    this.shown = cell;
    try {
      const found = await get(ofRun(this.run, `/elites/${cell.cell}`));
      if (this.shown !== cell) return;
      this.panel.replaceChildren(...program(cell, found));
      this.panel.dataset.cell = cell.cell;
      this.said.textContent = `Program shown: ${cell.name}, ${cell.used}: ${figures(found)}`;
      if (byHand) this.panel.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (this.shown === cell) this.panel.replaceChildren(problem(error));
    }
  }
}

function nothing(found, steps) {
  if (found.recorded) return "No answer has been correct yet.";
  if (!steps) return "No step yet: the map appears with the first.";
  return "An earlier version recorded this training, without the programs of its archive: there is no map of it.";
}

const diversity = ({ cells, possible, coverage, qd_score }) =>
  `${counted(cells.length)} of ${counted(possible)} cells are filled: coverage ${significant(coverage * 100)}%. ` +
  `QD-score ${significant(qd_score)}: the sum of the rewards, each as a share of the highest possible one.`;

const program = (cell, found) => [
  element("h3", {}, `${cell.name}: ${cell.used}`),
  pairs([
    ["reward", significant(found.reward)],
    ["GFLOPS", found.gflops === null ? null : significant(found.gflops)],
    ["found under the mask", found.mask],
  ]),
  wholeFile(`The best program of ${cell.name} with ${cell.used}`, found),
];
