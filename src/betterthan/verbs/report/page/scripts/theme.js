// Theme: what the system says, until the reader says otherwise.
const page = root.querySelector(".page");
const theme = root.getElementById("theme");
const dark = () => {
  const chosen = page.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
const label = () => { theme.textContent = dark() ? "Light" : "Dark"; theme.setAttribute("aria-pressed", String(dark())); };
theme.addEventListener("click", () => { page.dataset.theme = dark() ? "light" : "dark"; label(); });
label();
