// The data of the page: inflated, with programs rebuilt from the edits of their parents.

export async function readData() {
  const packed = atob(document.getElementById("data").textContent.trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(inflated).text());
}

export const linesOf = (text) => text.match(/[^\n]*\n|[^\n]+/g) || [];

function applyEdits(text, edits) {
  const lines = linesOf(text);
  for (const [start, end, replacement] of [...edits].reverse()) lines.splice(start, end - start, replacement);
  return lines.join("");
}

// Files by name of a program; those made on the way are kept, so that a chain of ten thousand is walked once.
export function programReader(packed) {
  const known = new Map();
  return (number) => {
    const chain = [];
    let at = number;
    while (at !== null && !known.has(at)) {
      chain.push(at);
      at = packed[at].from;
    }
    let files = at === null ? new Map() : known.get(at);
    for (const each of chain.reverse()) {
      files = new Map(files);
      for (const name of packed[each].gone) files.delete(name);
      for (const [name, edits] of Object.entries(packed[each].edits))
        files.set(name, applyEdits(files.get(name) || "", edits));
      known.set(each, files);
    }
    return files;
  };
}

const MOST_DIFFERENT = 1500;

// Edits between two texts (Myers); texts that have next to nothing in common are replaced as a whole.
export function editsBetween(before, after) {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first++;
  let last = 0;
  const most = Math.min(before.length, after.length) - first;
  while (last < most && before[before.length - 1 - last] === after[after.length - 1 - last]) last++;
  const old = before.slice(first, before.length - last);
  const fresh = after.slice(first, after.length - last);
  return shortestEdits(old, fresh).map(([start, end, lines]) => [start + first, end + first, lines]);
}

function shortestEdits(old, fresh) {
  if (!old.length && !fresh.length) return [];
  const reach = { 1: 0 };
  const trace = [];
  for (let d = 0; d <= Math.min(old.length + fresh.length, MOST_DIFFERENT); d++) {
    trace.push({ ...reach });
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[k - 1] < reach[k + 1]);
      let x = down ? reach[k + 1] : reach[k - 1] + 1;
      while (x < old.length && x - k < fresh.length && old[x] === fresh[x - k]) x++;
      reach[k] = x;
      if (x >= old.length && x - k >= fresh.length) return merged(backtracked(trace, old.length, fresh));
    }
  }
  return [[0, old.length, fresh]];
}

function backtracked(trace, oldLength, fresh) {
  const steps = [];
  let x = oldLength;
  let y = fresh.length;
  for (let d = trace.length - 1; d > 0; d--) {
    const reach = trace[d];
    const k = x - y;
    const down = k === -d || (k !== d && reach[k - 1] < reach[k + 1]);
    const fromX = down ? reach[k + 1] : reach[k - 1];
    const fromY = fromX - (down ? k + 1 : k - 1);
    steps.push(down ? [fromX, fromX, [fresh[fromY]]] : [fromX, fromX + 1, []]);
    x = fromX;
    y = fromY;
  }
  return steps.reverse();
}

function merged(steps) {
  const found = [];
  for (const [start, end, lines] of steps) {
    const last = found[found.length - 1];
    if (last && last[1] === start) {
      last[1] = end;
      last[2].push(...lines);
    } else found.push([start, end, [...lines]]);
  }
  return found;
}

// Rows of a comparison: numbers of the old and the new line, null where there is none.
export function alignedRows(oldCount, edits) {
  const rows = [];
  let i = 0;
  let j = 0;
  for (const [start, end, lines] of edits) {
    while (i < start) rows.push([i++, j++]);
    const removed = end - start;
    for (let k = 0; k < Math.max(removed, lines.length); k++)
      rows.push([k < removed ? start + k : null, k < lines.length ? j + k : null, true]);
    i = end;
    j += lines.length;
  }
  while (i < oldCount) rows.push([i++, j++]);
  return rows;
}
