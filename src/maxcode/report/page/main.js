// Puts the page together.

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
