// The search tree of a run, node by node as they come.

import { get, ofRun } from "./api.js";
import { button, element, plural } from "./dom.js";
import { inShort } from "./node.js";
import { Panel } from "./panel.js";
import { TreeView } from "./tree.js";

const KEYS = [
  ["slower", "slower"],
  ["same", "no clear difference"],
  ["some", "faster"],
  ["most", "fastest"],
  ["ring", "best"],
];

export class LiveTree {
  constructor(run, place, panel, wanted) {
    Object.assign(this, { run, place, wanted, best: 0, size: 0, nodes: {}, view: null, growing: null });
    this.panel = new Panel(run, panel, (id) => this.select(id));
    this.follows = wanted === null;
  }

  // Whether there was anything new; asked again while it goes on, it is done once.
  grow() {
    this.growing ??= this.fetched().finally(() => (this.growing = null));
    return this.growing;
  }

  async fetched() {
    const before = this.size;
    for (;;) {
      const found = await get(ofRun(this.run, `/nodes?since=${this.size}`));
      if (found.problem) throw new Error(found.problem);
      for (const [name, values] of Object.entries(found.columns)) this.add(name, values);
      this.size = this.nodes.parent.length;
      this.best = found.best < this.size ? found.best : this.best;
      this.caughtUp = found.caught_up;
      if (this.size >= found.size) break;
    }
    if (this.size) this.draw(this.size !== before);
    return this.size !== before;
  }

  add(name, values) {
    this.nodes[name] ??= [];
    for (const value of values) this.nodes[name].push(value);
  }

  draw(grown) {
    this.place.dataset.nodes = this.size;
    if (this.view && grown) this.view.grow(this.best);
    if (!this.view) this.plant();
    const reading = this.caughtUp ? "" : ", reading on …";
    this.count.textContent = plural(this.size, "node") + reading;
    this.number.max = this.size - 1;
    const wanted = this.wanted !== null && this.wanted < this.size ? this.wanted : this.follows ? this.best : null;
    if (wanted !== null && wanted !== this.view.selected) this.select(wanted, false);
    else if (!this.panel.shown && wanted !== null) this.select(wanted, false);
    if (this.wanted !== null && this.wanted < this.size) this.wanted = null;
  }

  plant() {
    this.canvas = element("canvas", {
      id: "canvas",
      tabindex: "0",
      role: "application",
      "aria-label":
        "Search tree: arrow keys go to parent, child and neighbours; Home to the best; + and - zoom, 0 shows all",
    });
    this.tip = element("div", { id: "tip", hidden: "" });
    this.said = element("p", { id: "said", class: "quiet", "aria-live": "polite" });
    this.number = element("input", { id: "toNode", type: "number", min: "0", value: "0" });
    this.count = element("span", { class: "quiet", id: "nodeCount" });
    this.place.replaceChildren(
      this.tools(),
      element("div", { id: "stage" }, this.canvas, this.tip),
      element(
        "div",
        { class: "keys" },
        element("span", {}, element("b", { class: "failed" }, "×"), "failed"),
        KEYS.map(([kind, words]) => element("span", {}, element("i", { class: kind }), words)),
      ),
      this.said,
    );
    this.view = new TreeView(this.canvas, this.nodes, this.best, {
      onSelect: (id) => this.chosen(id),
      onHover: (id, event) => this.hover(id, event),
    });
    this.view.fit();
  }

  tools() {
    this.number.addEventListener("change", () => {
      const id = Number(this.number.value);
      if (Number.isInteger(id) && id >= 0 && id < this.size) this.select(id);
    });
    return element(
      "div",
      { class: "bar-of-buttons tree-tools" },
      this.count,
      button("+", () => this.view.zoom(1.4), { "aria-label": "Zoom in" }),
      button("−", () => this.view.zoom(1 / 1.4), { "aria-label": "Zoom out" }),
      button("Show all", () => this.view.fit()),
      button("Best", () => this.select(this.best)),
      element("label", {}, "Node ", this.number),
    );
  }

  // Chosen by somebody, or by the page itself, which then goes on following the best.
  select(id, byHand = true) {
    if (!this.view || !(id < this.size)) return (this.wanted = id);
    if (byHand) this.follows = false;
    this.byPage = !byHand;
    this.view.select(id);
    this.byPage = false;
  }

  chosen(id) {
    if (!this.byPage) {
      this.follows = false;
      history.replaceState(null, "", `#/run/${encodeURIComponent(this.run)}/node/${id}`);
    }
    this.said.textContent = inShort(this.nodes, id);
    this.number.value = id;
    this.panel.show(id, this.nodes, this.best);
  }

  hover(id, event) {
    this.tip.hidden = id === null;
    if (id === null) return;
    this.tip.textContent = [inShort(this.nodes, id), this.nodes.reason[id]].filter(Boolean).join("\n");
    this.tip.style.left = Math.max(Math.min(event.offsetX + 14, this.canvas.clientWidth - 260), 0) + "px";
    this.tip.style.top = event.offsetY + 16 + "px";
  }
}
