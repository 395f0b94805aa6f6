// The head of a run: what it is, how it goes, what it reached, and what can be done with it.

import { get, ofRun, post } from "./api.js";
import { button, counted, duration, element, interval, significant, times } from "./dom.js";
import { bar, chip, done, UNITS, when } from "./words.js";

const KINDS = {
  "policy.asked": "asked for programs",
  "policy.answered": "got programs",
  "evaluate.asked": "began to judge a program",
  "evaluate.answered": "judged a program",
  "race.answered": "measured a program further",
  "profile.answered": "profiled a program",
  "critic.answered": "criticised a program",
  "confirm.asked": "measures a finalist afresh",
  "confirm.answered": "measured a finalist afresh",
  "claim.answered": "measured the winner once more",
  "cell.started": "began a search",
  "cell.answered": "finished a search",
  "rl.step": "did a step",
  "rl.finished": "finished",
  "session.opened": "went to work",
  "session.closed": "left off work",
  "report.opened": "is looked at for a report",
  finished: "finished",
};
const QUIET = [
  "clock",
  "race.asked",
  "profile.asked",
  "critic.asked",
  "examples",
  "screen",
  "value",
  "claim.asked",
  "cell.asked",
  "rl.archive",
];
const MOST = 60;

const WORDS = { stop: "Stopping: what is under way is ended in good order.", resume: "Going on." };

export class Summary {
  constructor(about, title = about.task, above = element("a", { href: "#/" }, "Runs")) {
    this.chip = element("span", { class: "chip-place" });
    this.actions = element("div", { class: "bar-of-buttons" });
    this.tiles = element("div", { class: "tiles" });
    this.live = element("p", { class: "live", role: "status", "aria-live": "polite" });
    this.said = element("p", { class: "said", role: "status" });
    this.log = element("ol", { class: "log", "aria-label": "What happened, the newest first", tabindex: "0" });
    this.output = element("div", {});
    this.parts = [
      element("p", { class: "crumbs" }, above, ` / ${about.run}`),
      element("div", { class: "heading" }, element("h1", {}, title), this.chip, this.actions),
      this.said,
      this.tiles,
      this.live,
      element("details", { class: "happened" }, element("summary", {}, "What happened"), this.log),
      this.output,
    ];
    this.update({ ...about, happened: [] });
    this.showOutput(about.log);
  }

  // What its process said last: where it ended badly, this says why.
  showOutput(log) {
    const shown = element("details", {}, element("summary", {}, "What its process said"), element("pre", {}, log));
    this.output.replaceChildren(...(log ? [shown] : []));
  }

  say(words) {
    this.said.textContent = words;
  }

  async act(run, action) {
    this.say(WORDS[action]); // before it is asked for: what has come of it may be told before the answer is here
    try {
      await post(ofRun(run, "/" + action));
    } catch (error) {
      this.say(error.message);
    }
  }

  update(said) {
    if (this.state !== said.state) {
      this.chip.replaceChildren(chip(said.state));
      this.actions.replaceChildren(...this.offered(said));
      if (this.state) this.changed(said);
      else this.say(said.state === "active" ? "Started in a terminal: Ctrl-C stops it there." : said.refusal || "");
      this.state = said.state;
    }
    this.tiles.replaceChildren(...this.figures(said));
    const doing = said.state === "running" || said.state === "active" ? said.doing || "working" : "";
    const words = doing ? `Now: ${doing} …` : "";
    if (this.live.textContent !== words) this.live.textContent = words;
    this.happened(said.happened);
  }

  changed(said) {
    const kept = said.kind === "rl" ? "the last checkpoint" : "everything so far";
    this.say(said.state === "stopped" ? `Stopped; ${kept} is kept.` : said.refusal || "");
    get(ofRun(said.run)).then(
      (about) => this.showOutput(about.log),
      () => {},
    );
  }

  offered(said) {
    const report = element("a", { class: "as-button", href: `/api/${ofRun(said.run, "/report.html")}` }, "Report");
    const stop = button("Stop", () => this.act(said.run, "stop"), { class: "warn" });
    const resume = button("Resume", () => this.act(said.run, "resume"), { class: "main" });
    if (said.kind === "other") return [];
    return [
      said.state === "running" ? stop : null,
      ["stopped", "refused"].includes(said.state) && !said.bench ? resume : null,
      said.kind === "search" ? report : null,
    ].filter(Boolean);
  }

  figures(said) {
    const tile = (label, value, ...more) =>
      element("div", { class: "tile" }, element("span", {}, label), element("b", {}, value), ...more);
    const ended = said.state === "finished";
    const claim = said.claimed ? "speedup, confirmed" : ended ? "speedup" : "best so far";
    const none = ended ? "no claim" : "–";
    const spread = said.speedup === null ? null : element("small", {}, interval(said.low, said.high));
    const working = ["running", "active"].includes(said.state) ? Date.now() / 1000 : said.heard;
    return [
      said.kind === "search" ? tile(claim, said.speedup === null ? none : times(said.speedup), spread) : null,
      tile(UNITS[said.kind], done(said), bar(said)),
      said.kind === "search" ? tile("tokens", counted(said.tokens)) : null,
      said.usd === null ? null : tile("USD", significant(said.usd)),
      tile("started", when(said.started)),
      tile("since then", duration(Math.max(Math.round(working - said.started), 0))),
    ].filter(Boolean);
  }

  happened(events) {
    const told = events.filter(({ kind }) => !QUIET.some((each) => kind.startsWith(each)));
    for (const { time, kind } of told.slice(-MOST)) {
      const at = new Date(time * 1000).toLocaleTimeString("en", { hour12: false });
      this.log.prepend(element("li", {}, element("time", {}, at), " ", KINDS[kind] || kind.replace(".", ": ")));
    }
    while (this.log.children.length > MOST) this.log.lastElementChild.remove();
  }
}
