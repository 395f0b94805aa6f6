// Light or dark as the system has it, or as chosen here; before anything is drawn, so that nothing flashes.
{
  const sheet = document.getElementById("dark");
  const medium = { light: "not all", dark: "all" };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("theme");
  const isDark = () => (chosen() ? chosen() === "dark" : system.matches);
  const apply = () => {
    sheet.media = medium[chosen()] || "(prefers-color-scheme: dark)";
    dispatchEvent(new Event("themechange"));
  };
  globalThis.theme = {
    isDark,
    toggle() {
      const next = isDark() ? "light" : "dark";
      if ((next === "dark") === system.matches) localStorage.removeItem("theme");
      else localStorage.setItem("theme", next);
      apply();
    },
  };
  apply();
}
