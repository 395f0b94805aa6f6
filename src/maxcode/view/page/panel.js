// One node: what it is, what became of it, what was said about it, and its program.

import { get, ofRun } from "./api.js";
import { distributions } from "./charts.js";
import { codeTable, diffRow, pieces, unified } from "./code.js";
import { editsBetween, linesOf } from "./data.js";
import { button, duration, element, empty, interval, plural, significant, times } from "./dom.js";
import { critiqueOf, factList, pairs, statusOf } from "./node.js";
import { problem } from "./words.js";

const MOST_KEPT = 50;

export class Panel {
  constructor(run, place, go) {
    Object.assign(this, { run, place, go, shown: null });
    this.view = null; // what somebody chose to see of programs, kept from node to node
    this.kept = new Map();
  }

  // Nodes do not change but for critiques and facts, which come when they are built upon: what is shown is asked anew.
  async node(id, fresh) {
    if (fresh || !this.kept.has(id)) {
      const found = await get(ofRun(this.run, `/nodes/${id}`));
      this.kept.delete(id);
      this.kept.set(id, found);
      if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
    }
    return this.kept.get(id);
  }

  async show(id, nodes, best) {
    const first = this.shown === null;
    this.shown = id;
    try {
      const node = await this.node(id, true);
      if (this.shown !== id) return;
      this.place.replaceChildren(...this.parts(node, nodes, best));
      this.place.dataset.node = id;
      await this.program(node);
    } catch (error) {
      if (this.shown === id) this.place.replaceChildren(problem(error));
      if (first) this.shown = null;
    }
  }

  parts(node, nodes, best) {
    const { outcome } = node;
    this.code = element("div", { class: "program" });
    this.choice = element("div", { class: "bar-of-buttons" });
    return [
      element(
        "h2",
        {},
        node.node === 0 ? "Node 0: the baseline" : `Node ${node.node}`,
        node.node === best && best ? element("span", { class: "chip good" }, "best") : null,
      ),
      pairs([
        ["verdict", statusOf(nodes, node.node)],
        ["speedup", outcome.speedup === null ? null : speedupOf(outcome)],
        ["GFLOPS", significant(outcome.gflops)],
        ["best on its path", times(node.u)],
        ["best below it", node.children ? times(node.value) : null],
        ["place", this.position(node)],
        ["tests passed", outcome.total === null ? null : `${outcome.passed} of ${outcome.total}`],
        ["by", node.origin],
        ["cost", costOf(node.cost)],
        ["evaluation", outcome.seconds ? stagesOf(outcome) : null],
        ["same program as", node.program && node.twin !== node.node ? this.link(node.twin) : null],
      ]),
      this.choice,
      this.code,
      element("h3", {}, "Feedback"),
      element("pre", { tabindex: "0", class: "feedback" }, node.feedback),
      node.critique ? [element("h3", {}, "Critique"), ...this.critique(node.critique)] : [],
      node.facts.length ? folded(`What compiler and profiler say (${node.facts.length})`, factList(node.facts)) : [],
      outcome.before.length > 2 ? folded(`Timings (${plural(outcome.before.length, "pair")})`, timings(outcome)) : [],
    ].flat();
  }

  position(node) {
    const where = `round ${node.step}, depth ${node.depth}${node.island ? `, island ${node.island + 1}` : ""}`;
    return node.parent === null ? where : [where + ", from ", this.link(node.parent)];
  }

  link(id) {
    return button(`node ${id}`, () => this.go(id), { class: "link" });
  }

  critique(found) {
    const followed = found.children
      ? [
          `What followed: ${plural(found.children, "program")}, ${found.correct} correct, ${found.better} better`,
          found.best === null ? "" : [", the best is ", this.link(found.best)],
          ".",
        ]
      : ["Nothing was built on it yet."];
    return [critiqueOf(found), element("p", { class: "quiet" }, ...followed.flat())];
  }

  async program(node) {
    if (!node.program) return this.code.replaceChildren(empty("The answer had no program in it."));
    const offered = [["whole", "Whole program"]];
    if (node.above !== null && node.above !== 0) offered.unshift(["baseline", "Changes from the baseline"]);
    if (node.above !== null)
      offered.unshift(["above", `Changes from ${node.above ? `node ${node.above}` : "the baseline"}`]);
    const buttons = offered.map(([name, words]) => button(words, () => choose((this.view = name))));
    let chosen = null;
    const choose = async (name) => {
      chosen = name;
      buttons.forEach((each, i) => each.setAttribute("aria-pressed", String(offered[i][0] === name)));
      const shown = name === "whole" ? whole(node) : changes(await this.node(name === "above" ? node.above : 0), node);
      if (this.shown === node.node && chosen === name) this.code.replaceChildren(...shown.flat());
    };
    this.choice.replaceChildren(element("h3", {}, "Program"), ...buttons);
    await choose(offered.some(([name]) => name === this.view) ? this.view : offered[0][0]);
  }
}

const folded = (words, ...children) => element("details", {}, element("summary", {}, words), ...children);

const speedupOf = (outcome) =>
  `${times(outcome.speedup)} (${interval(outcome.ci_low, outcome.ci_high)}), ${plural(outcome.samples, "pair")}`;

function costOf(cost) {
  if (!cost || !(cost.tokens || cost.seconds)) return null;
  const usd = cost.usd === null ? "" : `${significant(cost.usd)} USD, `;
  return `${plural(cost.tokens, "token")}, ${usd}${duration(cost.seconds)}`;
}

function stagesOf(outcome) {
  const stages = Object.entries(outcome.stages).map(([name, seconds]) => `${name} ${duration(seconds)}`);
  return `${duration(outcome.seconds)} (${stages.join(", ")})`;
}

function timings(outcome) {
  const unit = { instructions: "instructions", printed: "number" }[outcome.clock] || "seconds per run";
  return distributions("The line is the median", unit, [
    { name: "before", values: outcome.before },
    { name: "after", values: outcome.after },
  ]);
}

// Colours by line; a line that two files share is coloured as in the first of them.
function painter(...files) {
  const known = new Map();
  for (const file of files)
    if (file && file.lines) linesOf(file.text).forEach((line, at) => known.has(line) || known.set(line, file.lines[at]));
  return (line) => (known.get(line) ? pieces(known.get(line)) : line.replace(/\n$/, ""));
}

function changes(from, to) {
  const names = [...new Set([...Object.keys(from.files), ...Object.keys(to.files)])];
  const changed = names.filter((name) => from.files[name]?.text !== to.files[name]?.text);
  if (!changed.length) return [empty("No difference: the programs are the same, byte for byte.")];
  return changed.map((name) => {
    const [before, after] = [from, to].map((each) => linesOf(each.files[name]?.text || ""));
    const paint = painter(to.files[name], from.files[name]);
    return [
      element("h4", {}, name),
      unified(before, after, editsBetween(before, after), `${name}, changes from node ${from.node}`, paint),
    ];
  });
}

const whole = (node) =>
  Object.entries(node.files).map(([name, file]) => [element("h4", {}, name), wholeFile(name, file)]);

export function wholeFile(label, file) {
  const paint = painter(file);
  const rows = linesOf(file.text).map((line, at) => diffRow("", " ", "", at + 1, paint(line)));
  return codeTable("whole", label, rows);
}
