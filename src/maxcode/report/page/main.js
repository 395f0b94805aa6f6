// Puts the page together.

import { showCode } from "./code.js";
import { showCritiques, showFailures } from "./critiques.js";
import { readData } from "./data.js";
import { showTree } from "./node.js";
import { showRoofline } from "./roofline.js";
import { showProfile, showProgress, showSamples } from "./timings.js";
import { showCost, showReproduce, showVerdict } from "./verdict.js";

readData().then((data) => {
  data.critiqueAt = new Map(data.critiques.map((each) => [each.node, each]));
  data.go = showTree(data);
  for (const show of [
    showVerdict,
    showCode,
    showProgress,
    showSamples,
    showProfile,
    showRoofline,
    showCritiques,
    showFailures,
    showCost,
    showReproduce,
  ])
    show(data);
  document.documentElement.dataset.ready = "yes";
});
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => (each.open = true)));
