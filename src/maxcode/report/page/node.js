// One node of the tree: what it is, what became of it, and its program.

import { comparison, wholeFiles } from "./code.js";
import { programReader } from "./data.js";
import { button, duration, element, empty, interval, plural, significant, times } from "./dom.js";
import { TreeView } from "./tree.js";

export function statusOf(nodes, id) {
  if (nodes.status[id] !== "ok") return nodes.status[id].replace("_", " ");
  if (nodes.speedup[id] === null) return "correct";
  return { faster: "faster", slower: "slower" }[nodes.verdict[id]] || "no clear difference";
}

export function inShort(nodes, id) {
  const speed =
    nodes.speedup[id] === null ? "" : ` ${times(nodes.speedup[id])} (${interval(nodes.low[id], nodes.high[id])})`;
  return `node ${id}: ${statusOf(nodes, id)}${speed}`;
}

export function pairs(rows) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== "–");
  return element(
    "dl",
    {},
    known.map(([label, value]) => [element("dt", {}, label), element("dd", {}, value)]),
  );
}

export function factList(facts) {
  const place = (fact) => (fact.file ? `${fact.file}${fact.line ? ":" + fact.line : ""}: ` : "");
  return element(
    "ul",
    { class: "facts" },
    facts.map((fact) => element("li", {}, element("b", {}, fact.kind.replace("_", " ")), " ", place(fact) + fact.text)),
  );
}

export function critiqueOf(found) {
  if (!found.diagnoses.length) return element("p", { class: "words" }, found.text);
  return element(
    "ul",
    {},
    found.diagnoses.map((each, i) =>
      element(
        "li",
        {},
        element("b", {}, each.kind),
        ": " + each.what,
        each.evidence ? element("div", { class: "quiet" }, "Shown by: " + each.evidence) : null,
        each.advice ? element("div", {}, "Advice: " + each.advice) : null,
        found.agreements[i] && found.agreements[i] !== "not measured"
          ? element(
              "div",
              { class: "quiet" },
              `The measurement ${found.agreements[i] === "agrees" ? "agrees" : "says otherwise"}.`,
            )
          : null,
      ),
    ),
  );
}

function ancestorProgram(nodes, id) {
  for (let at = nodes.parent[id]; at !== null; at = nodes.parent[at]) if (nodes.program[at] !== null) return at;
  return null;
}

export function speedupOf(nodes, id) {
  if (nodes.speedup[id] === null) return null;
  return `${times(nodes.speedup[id])} (${interval(nodes.low[id], nodes.high[id])}), ${plural(nodes.pairs[id], "pair")}`;
}

export function costOf(nodes, id) {
  if (nodes.tokens[id] === null) return null;
  const usd = nodes.usd[id] === null ? "" : `${significant(nodes.usd[id])} USD, `;
  return `${plural(nodes.tokens[id], "token")}, ${usd}${duration(nodes.seconds[id])}`;
}

function nodePanel(data, id, read) {
  const { nodes } = data;
  const critique = data.critiqueAt.get(id);
  const facts = data.facts[id];
  const twin = nodes.program.indexOf(nodes.program[id]);
  const parts = [
    element(
      "h3",
      {},
      id === 0 ? "Node 0: the baseline" : `Node ${id}`,
      id === data.best && id
        ? element("span", { class: "chip good" }, data.verdict.confirmed ? "the finalist" : "the best so far")
        : null,
    ),
    pairs([
      ["verdict", statusOf(nodes, id)],
      ["speedup", speedupOf(nodes, id)],
      ["GFLOPS", significant(nodes.gflops[id])],
      ["best on its path", times(nodes.u[id])],
      ["place", `round ${nodes.step[id]}, depth ${nodes.depth[id]}` + (id ? `, from node ${nodes.parent[id]}` : "")],
      ["tests passed", nodes.tests[id] === null ? null : `${nodes.passed[id]} of ${nodes.tests[id]}`],
      ["by", nodes.origin[id]],
      ["cost", costOf(nodes, id)],
      ["evaluation", nodes.evaluation[id] ? duration(nodes.evaluation[id]) : null],
      ["same program as", nodes.program[id] !== null && twin !== id ? `node ${twin}` : null],
    ]),
    nodes.reason[id] ? [element("h4", {}, "Why it failed"), element("pre", { tabindex: "0" }, nodes.reason[id])] : null,
    critique ? [element("h4", {}, "Critique"), critiqueOf(critique)] : null,
    facts
      ? element(
          "details",
          {},
          element("summary", {}, `What compiler and profiler say (${facts.length})`),
          factList(facts),
        )
      : null,
    nodes.program[id] === null ? empty("The answer had no program in it.") : programPanel(data, id, read),
  ];
  return parts.flat(Infinity).filter(Boolean);
}

function programPanel(data, id, read) {
  const { nodes } = data;
  const above = ancestorProgram(nodes, id);
  const place = element("div", { class: "program" });
  const own = read(nodes.program[id]);
  const views = {
    parent: () => comparison(read(nodes.program[above]), own, `changes from node ${above}`),
    baseline: () => comparison(read(0), own, "changes from the baseline"),
    whole: () => wholeFiles(own),
  };
  const labels = {
    parent: `Changes from node ${above}`,
    baseline: "Changes from the baseline",
    whole: "Whole program",
  };
  const offered = id === 0 ? ["whole"] : above === 0 ? ["parent", "whole"] : ["parent", "baseline", "whole"];
  if (above === 0) labels.parent = "Changes from the baseline";
  const buttons = offered.map((name) => button(labels[name], () => choose(name)));
  function choose(name) {
    buttons.forEach((each, i) => each.setAttribute("aria-pressed", String(offered[i] === name)));
    place.replaceChildren(...views[name]().flat(Infinity));
  }
  choose(offered[0]);
  return [element("div", { class: "bar-of-buttons" }, element("h4", {}, "Program"), buttons), place];
}

export function showTree(data) {
  const { nodes } = data;
  const read = programReader(data.programs);
  const panel = document.getElementById("node");
  const tip = document.getElementById("tip");
  const said = document.getElementById("said");
  const canvas = document.getElementById("canvas");
  const view = new TreeView(canvas, nodes, data.best, {
    onSelect: (id) => {
      panel.replaceChildren(...nodePanel(data, id, read));
      said.textContent = inShort(nodes, id);
      document.getElementById("toNode").value = id;
    },
    onHover: (id, event) => {
      tip.hidden = id === null;
      if (id === null) return;
      const critique = data.critiqueAt.get(id);
      const words = [
        inShort(nodes, id),
        nodes.reason[id].split("\n")[0],
        critique && critique.diagnoses.length ? critique.diagnoses[0].what : "",
        nodes.tokens[id] ? plural(nodes.tokens[id], "token") : "",
      ];
      tip.textContent = words
        .filter(Boolean)
        .map((each) => each.slice(0, 160))
        .join("\n");
      tip.style.left = Math.min(event.offsetX + 14, canvas.clientWidth - 260) + "px";
      tip.style.top = event.offsetY + 16 + "px";
    },
  });
  const actions = {
    zoomIn: () => view.zoom(1.4),
    zoomOut: () => view.zoom(1 / 1.4),
    fit: () => view.fit(),
    toBest: () => view.select(data.best),
  };
  for (const [name, action] of Object.entries(actions)) document.getElementById(name).addEventListener("click", action);
  const number = document.getElementById("toNode");
  number.max = nodes.parent.length - 1;
  number.addEventListener("change", () => {
    const id = Number(number.value);
    if (Number.isInteger(id) && id >= 0 && id < nodes.parent.length) view.select(id);
  });
  view.fit();
  view.select(data.best);
  return (id) => {
    view.select(id);
    document.getElementById("tree").scrollIntoView();
    canvas.focus({ preventScroll: true });
  };
}
