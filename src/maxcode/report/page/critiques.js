// Critiques with what followed from them, and attempts that failed.

import { counted, element, empty, inParts, plural, section, times } from "./dom.js";
import { critiqueOf } from "./node.js";
import { nodeLink } from "./timings.js";

export function showCritiques(data) {
  if (!data.critiques.length) return section("critiques", empty("No critic took part in this run."));
  const gain = (each) => (each.best === null ? -1 : data.nodes.reward[each.best] - data.nodes.reward[each.node]);
  const sorted = [...data.critiques].sort((a, b) => gain(b) - gain(a));
  section(
    "critiques",
    element(
      "p",
      { class: "quiet" },
      "Those that the largest gains followed come first. What followed need not have followed from it.",
    ),
    inParts(
      sorted,
      (each) =>
        element(
          "article",
          {},
          element("h3", {}, "Node ", nodeLink(data, each.node)),
          critiqueOf(each),
          element("p", { class: "followed" }, followed(data, each)),
        ),
      element("div", { class: "critiques" }),
      10,
    ),
  );
}

function followed(data, each) {
  if (!each.children) return "Nothing was built on it.";
  const { nodes } = data;
  const best =
    nodes.reward[each.best] > 0
      ? [
          `; the best, node `,
          nodeLink(data, each.best),
          `, is ${times(nodes.speedup[each.best])} (was ${times(nodes.speedup[each.node])})`,
        ]
      : [];
  return [
    `What followed: ${plural(each.children, "program")}, ${counted(each.correct)} correct, `,
    `${counted(each.better)} better than this one`,
    best,
    ".",
  ];
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

export function showFailures(data) {
  const { nodes } = data;
  const groups = failureGroups(nodes);
  if (!groups.length) return section("failures", empty("No attempt failed."));
  const counts = new Map();
  for (const status of nodes.status) if (status !== "ok") counts.set(status, (counts.get(status) || 0) + 1);
  const failed = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...counts].map(([status, count]) => `${counted(count)} ${status.replace("_", " ")}`).join(", ");
  section(
    "failures",
    element(
      "p",
      { class: "quiet" },
      `${counted(failed)} of ${plural(nodes.parent.length - 1, "program")} failed: ${kinds}.`,
    ),
    inParts(groups, (group) => failureGroup(data, group), element("div", {})),
  );
}

function failureGroup(data, { words, ids }) {
  const links = ids.slice(0, 40).map((id) => [nodeLink(data, id), " "]);
  return element(
    "details",
    {},
    element("summary", {}, `${counted(ids.length)} × ${words}`),
    element("pre", { tabindex: "0" }, data.nodes.reason[ids[0]] || "no reason given"),
    element("p", {}, "Nodes: ", links, ids.length > 40 ? "…" : ""),
  );
}
