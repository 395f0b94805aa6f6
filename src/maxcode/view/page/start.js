// Starting a search.

import { get, post } from "./api.js";
import { element } from "./dom.js";
import { problem } from "./words.js";

const option = (value, words = value) => element("option", { value }, words);

function field(label, control, hint) {
  const id = "start-" + control.name;
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", id + "-hint");
  return element(
    "div",
    { class: "field" },
    element("label", { for: id }, label),
    control,
    hint ? element("span", { class: "hint", id: id + "-hint" }, hint) : null,
  );
}

const select = (name, options, value) => {
  const made = element("select", { name }, options);
  if (value) made.value = value;
  return made;
};

const number = (name, value, attributes = {}) =>
  element("input", { name, type: "number", value, min: "0", ...attributes });

export async function showStart(page) {
  page.append(element("h1", {}, "New run"));
  const choices = await get("choices");
  const task = select("task", [
    ...choices.tasks.map(({ folder, name }) => option(folder, `${name} (${folder})`)),
    option(PROGRAM, "a program of yours"),
  ]);
  const program = programFields();
  const shown = () => (program.hidden = task.value !== PROGRAM);
  task.addEventListener("change", shown);
  shown();
  const said = element("div", { "aria-live": "assertive" });
  const go = element("button", { class: "main" }, "Start");
  const form = element(
    "form",
    { class: "start" },
    field(
      "Task",
      task,
      "Tasks of earlier runs, those in the folders that the server was started with, or a program to make one of.",
    ),
    program,
    field(
      "Policy",
      element("input", { name: "policy", value: "rewrite", list: "policies", required: "", maxlength: "200" }),
      "Who proposes: rewrite needs no model; openai:MODEL asks one.",
    ),
    element("datalist", { id: "policies" }, choices.policies.map((each) => option(each))),
    field(
      "Strategy",
      select(
        "strategy",
        choices.strategies.map((each) => option(each)),
        "default",
      ),
    ),
    field(
      "Critic",
      select(
        "critic",
        choices.critics.map((each) => option(each)),
      ),
    ),
    element(
      "div",
      { class: "fields" },
      field("Programs", number("evals", 64, { min: "1", max: "100000", required: "" }), "How many to ask for at most."),
      field("Most USD", number("max_usd", "", { step: "any" }), "Empty: no limit. Needs the prices of the models."),
      field("Most seconds", number("max_seconds", "", { min: "1" }), "Empty: no limit."),
      field("Seed", number("seed", 0, { required: "" }), "Same seed and same answers, same tree."),
    ),
    element("div", { class: "bar-of-buttons" }, go),
    said,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    try {
      const given = new FormData(form);
      if (given.get("task") === PROGRAM) given.set("task", await made(given, said));
      const { run } = await post("runs", wanted(given));
      location.hash = `#/run/${encodeURIComponent(run)}`;
    } catch (error) {
      said.replaceChildren(problem(error));
    }
    go.disabled = false;
  });
  page.append(form);
}

function programFields() {
  const sent = (name, accept = "") => element("input", { name, type: "file", ...(accept ? { accept } : {}) });
  const path = (name, words) => element("input", { name, maxlength: "1000", placeholder: words });
  return element(
    "div",
    { class: "own-program" },
    field("Program", sent("program", ".c,.cc,.cpp,.cxx,.py"), "C, C++ or Python; reads standard input and prints."),
    field("or its path", path("programPath", "slow.cpp"), "In a folder that the server was started with."),
    field("Input", sent("input"), "What it is timed on: best something that takes it 30 ms to 3 s."),
    field("or its path", path("inputPath", "numbers.txt")),
  );
}

// Makes a task of the program that was chosen; gives its folder.
async function made(form, said) {
  const program = await fileOf(form, "program");
  if (!program) throw new Error("Choose a program, or write its path.");
  said.replaceChildren(
    element("p", { class: "quiet" }, "Making a task of it: tests are derived and tried, for up to a minute …"),
  );
  const { task } = await post("tasks", { program, input: await fileOf(form, "input") });
  said.replaceChildren();
  return task;
}

async function fileOf(form, name) {
  const file = form.get(name);
  if (!file || !file.name) return form.get(name + "Path") || null;
  const bytes = await file.arrayBuffer();
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new Error(`${file.name} is not text; use \`maxcode new\` in a terminal.`);
  }
}

const PROGRAM = "";
const OF_RUN = ["task", "policy", "strategy", "critic"];
const NUMBERS = ["evals", "max_usd", "max_seconds", "seed"];

function wanted(form) {
  const known = ([name, value]) => value !== "" && (OF_RUN.includes(name) || NUMBERS.includes(name));
  const given = [...form].filter(known);
  return Object.fromEntries(given.map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]));
}
