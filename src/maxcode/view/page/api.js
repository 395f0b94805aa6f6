// Talking to the server. Answers are data; nothing in them is ever taken for markup, an address or a script.

async function answered(answer) {
  if (answer.status === 401) location.replace("/login");
  const said = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  if (!answer.ok) throw new Error(said.error || `The server answered ${answer.status}.`);
  return said;
}

export const get = async (path, signal) => answered(await fetch("/api/" + path, { signal }));

export const post = async (path, body = {}) =>
  answered(
    await fetch("/api/" + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-maxcode": "1" },
      body: JSON.stringify(body),
    }),
  );

export const ofRun = (run, rest = "") => `runs/${encodeURIComponent(run)}${rest}`;

// Calls back with what the server says; the browser connects again by itself, from where it was cut off.
export function listen(path, name, heard) {
  const connection = document.getElementById("connection");
  const say = (words, state) => {
    if (connection.textContent !== words) connection.textContent = words;
    connection.dataset.state = state;
  };
  const source = new EventSource("/api/" + path);
  source.addEventListener("open", () => say("live", "live"));
  source.addEventListener("error", () => say("connection lost, trying again", "lost"));
  source.addEventListener(name, (event) => heard(JSON.parse(event.data)));
  addEventListener("pagehide", () => source.close(), { once: true });
  return () => source.close();
}

// At most once in a while, and always after the last call.
export function seldom(action, pause) {
  let waiting = null;
  let again = false;
  const run = async () => {
    waiting = true;
    again = false;
    try {
      await action();
    } finally {
      setTimeout(() => {
        waiting = null;
        if (again) run();
      }, pause);
    }
  };
  return () => {
    if (waiting) again = true;
    else run();
  };
}
