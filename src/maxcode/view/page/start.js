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
  if (!choices.tasks.length)
    return page.append(
      element("p", {}, "No task is known yet. Start the server with a folder of tasks, for example:"),
      element("pre", {}, "maxcode view --tasks examples"),
    );
  const said = element("div", { "aria-live": "assertive" });
  const go = element("button", { class: "main" }, "Start");
  const form = element(
    "form",
    { class: "start" },
    field(
      "Task",
      select(
        "task",
        choices.tasks.map(({ folder, name }) => option(folder, `${name} (${folder})`)),
      ),
      "Tasks of earlier runs, and those in the folders that the server was started with.",
    ),
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
      const { run } = await post("runs", wanted(new FormData(form)));
      location.hash = `#/run/${encodeURIComponent(run)}`;
    } catch (error) {
      said.replaceChildren(problem(error));
    }
    go.disabled = false;
  });
  page.append(form);
}

const NUMBERS = ["evals", "max_usd", "max_seconds", "seed"];

function wanted(form) {
  const given = [...form].filter(([, value]) => value !== "");
  return Object.fromEntries(given.map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]));
}
