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

const connection = document.getElementById("connection");

function say(words, state) {
  connection.hidden = !words;
  if (connection.textContent !== words) connection.textContent = words;
  connection.dataset.state = state;
}

// Calls back with what the server says. Cut off, it connects again from where it was; a page that nobody looks at lets
// go of its connection, as browsers have only a few for each server.
export function listen(path, name, heard) {
  let source = null;
  let last = "0";
  let left = false;
  const close = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    if (source || left || document.hidden) return;
    source = new EventSource(`/api/${path}?since=${last}`);
    source.addEventListener("open", () => say("live", "live"));
    source.addEventListener("error", lost);
    source.addEventListener(name, (event) => {
      last = event.lastEventId;
      heard(JSON.parse(event.data));
    });
  };
  const lost = () => {
    say("connection lost, trying again", "lost");
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    setTimeout(open, 3000);
  };
  const seen = () => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", seen);
  addEventListener("pagehide", close);
  open();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("pagehide", close);
    say("", "");
    close();
    left = true;
  };
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
