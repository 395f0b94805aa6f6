// The search tree on a canvas: only what is in view is drawn, so ten thousand nodes move as well as ten.

function layout(parents) {
  const children = parents.map(() => []);
  parents.forEach((parent, id) => parent !== null && children[parent].push(id));
  const across = new Float64Array(parents.length);
  const down = new Float64Array(parents.length);
  let leaves = 0;
  const stack = [[0, 0]];
  while (stack.length) {
    const top = stack[stack.length - 1];
    const [id, next] = top;
    if (next < children[id].length) {
      down[children[id][next]] = down[id] + 1;
      stack.push([children[id][next], 0]);
      top[1]++;
    } else {
      const own = children[id];
      across[id] = own.length ? (across[own[0]] + across[own[own.length - 1]]) / 2 : leaves++;
      stack.pop();
    }
  }
  return { children, across, down, leaves: Math.max(leaves, 1), depth: down.reduce((a, b) => Math.max(a, b), 0) };
}

export class TreeView {
  constructor(canvas, nodes, best, { onSelect, onHover }) {
    Object.assign(this, { canvas, nodes, onSelect, onHover, selected: 0, moved: false });
    this.plant(best);
    this.listen();
    new ResizeObserver(() => this.fit()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    addEventListener("themechange", () => this.draw());
  }

  plant(best) {
    const { nodes, canvas } = this;
    this.best = best;
    this.plan = layout(nodes.parent);
    this.fastest = nodes.reward.reduce((a, b) => Math.max(a, b), 1.0001);
    this.winners = new Set();
    for (let id = best; id !== null; id = nodes.parent[id]) this.winners.add(id);
    canvas.style.height = Math.min(Math.max(this.plan.depth * 80 + 70, 150), 440) + "px";
  }

  // The nodes have become more: all of them are shown, unless somebody looks at a part.
  grow(best) {
    this.plant(best);
    if (this.moved) this.draw();
    else this.fit();
  }

  fit() {
    this.moved = false;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const zoom = window.devicePixelRatio || 1;
    this.canvas.width = width * zoom;
    this.canvas.height = height * zoom;
    this.scaleX = Math.min((width - 60) / Math.max(this.plan.leaves - 1, 1), 90);
    this.scaleY = Math.min((height - 60) / Math.max(this.plan.depth, 1), 80);
    this.left = (width - this.scaleX * (this.plan.leaves - 1)) / 2;
    this.top = 30;
    this.draw();
  }

  x(id) {
    return this.left + this.plan.across[id] * this.scaleX;
  }

  y(id) {
    return this.top + this.plan.down[id] * this.scaleY;
  }

  inView(id, edge = 20) {
    const [x, y] = [this.x(id), this.y(id)];
    return x > -edge && y > -edge && x < this.canvas.clientWidth + edge && y < this.canvas.clientHeight + edge;
  }

  draw() {
    const pen = this.canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    this.colours = (name) => style.getPropertyValue(name).trim();
    const zoom = window.devicePixelRatio || 1;
    pen.setTransform(zoom, 0, 0, zoom, 0, 0);
    pen.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    this.drawEdges(pen, false);
    this.drawEdges(pen, true);
    const size = Math.max(2, Math.min(7, this.scaleX * 0.42));
    for (let id = 0; id < this.nodes.parent.length; id++) if (this.inView(id)) this.drawNode(pen, id, size);
    this.drawRing(pen, this.best, size + 4, this.colours("--good"));
    this.drawRing(pen, this.selected, size + 7, this.colours("--focus"));
  }

  drawEdges(pen, winning) {
    pen.strokeStyle = this.colours(winning ? "--good" : "--line");
    pen.lineWidth = winning ? 2 : 1;
    pen.beginPath();
    this.nodes.parent.forEach((parent, id) => {
      if (parent === null || this.winners.has(id) !== winning || !(this.inView(id) || this.inView(parent))) return;
      const middle = (this.y(parent) + this.y(id)) / 2;
      pen.moveTo(this.x(parent), this.y(parent));
      pen.bezierCurveTo(this.x(parent), middle, this.x(id), middle, this.x(id), this.y(id));
    });
    pen.stroke();
  }

  drawNode(pen, id, size) {
    const [x, y] = [this.x(id), this.y(id)];
    pen.beginPath();
    if (this.nodes.status[id] !== "ok") {
      const arm = size * 0.75;
      pen.strokeStyle = this.colours("--bad");
      pen.lineWidth = Math.max(1, size / 3.5);
      pen.moveTo(x - arm, y - arm);
      pen.lineTo(x + arm, y + arm);
      pen.moveTo(x + arm, y - arm);
      pen.lineTo(x - arm, y + arm);
      pen.stroke();
      return;
    }
    pen.fillStyle = this.colour(id);
    pen.arc(x, y, size, 0, 7);
    pen.fill();
  }

  colour(id) {
    const verdict = this.nodes.verdict[id];
    if (verdict !== "faster") return this.colours(verdict === "slower" ? "--slower" : "--same");
    const share = Math.log(Math.max(this.nodes.reward[id], 1)) / Math.log(this.fastest);
    return this.colours(`--faster${Math.min(3, Math.floor(share * 4))}`);
  }

  drawRing(pen, id, size, colour) {
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(this.x(id), this.y(id), size, 0, 7);
    pen.stroke();
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    this.moved = true;
    this.left = x - (x - this.left) * factor;
    this.top = y - (y - this.top) * factor;
    this.scaleX *= factor;
    this.scaleY *= factor;
    this.draw();
  }

  nearest(x, y) {
    let found = null;
    let closest = 14 ** 2;
    for (let id = 0; id < this.nodes.parent.length; id++) {
      const distance = (this.x(id) - x) ** 2 + (this.y(id) - y) ** 2;
      if (distance < closest) [found, closest] = [id, distance];
    }
    return found;
  }

  select(id) {
    this.selected = id;
    if (!this.inView(id, -10)) {
      this.left += this.canvas.clientWidth / 2 - this.x(id);
      this.top += this.canvas.clientHeight / 2 - this.y(id);
    }
    this.draw();
    this.onSelect(id);
  }

  neighbour(key) {
    const { parent } = this.nodes;
    const own = parent[this.selected];
    if (key === "ArrowUp") return own;
    if (key === "ArrowDown") return this.plan.children[this.selected][0];
    const level = [...parent.keys()].filter((id) => this.plan.down[id] === this.plan.down[this.selected]);
    level.sort((a, b) => this.plan.across[a] - this.plan.across[b]);
    return level[level.indexOf(this.selected) + (key === "ArrowLeft" ? -1 : 1)];
  }

  pressed(event) {
    const actions = {
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      0: () => this.fit(),
      Home: () => this.select(this.best),
    };
    const arrow = event.key.startsWith("Arrow");
    if (event.ctrlKey || event.metaKey || !(arrow || actions[event.key])) return;
    event.preventDefault();
    const next = arrow ? this.neighbour(event.key) : undefined;
    if (!arrow) actions[event.key]();
    else if (next !== undefined && next !== null) this.select(next);
  }

  listen() {
    const { canvas } = this;
    let from = null;
    let moved = false;
    canvas.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      moved = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return this.onHover(this.nearest(event.offsetX, event.offsetY), event);
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      if (!moved && Math.hypot(dx, dy) < 4) return;
      moved = this.moved = true;
      from = [event.clientX, event.clientY];
      this.left += dx;
      this.top += dy;
      this.draw();
    });
    canvas.addEventListener("pointerup", (event) => {
      const found = from && !moved ? this.nearest(event.offsetX, event.offsetY) : null;
      from = null;
      if (found !== null) this.select(found);
    });
    canvas.addEventListener("pointerleave", (event) => this.onHover(null, event));
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (document.activeElement !== canvas && !event.ctrlKey) return;
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * 0.002), event.offsetX, event.offsetY);
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => this.pressed(event));
  }
}
