// Highlight one system everywhere: chosen in the contents, or by a click on its name.
const chosen = root.getElementById("highlight");
for (const name of new Set(data.parts.flatMap((part) => part.systems))) make("option", name, chosen).value = name;
chosen.closest("[hidden]").hidden = false;
const mark = (name) => {
  chosen.value = name;
  for (const head of root.querySelectorAll("table[data-systems] tbody th, [data-name]")) {
    head.parentElement.classList.toggle("marked", name !== "" && head.textContent === name);
  }
};
chosen.addEventListener("change", () => mark(chosen.value));
root.getElementById("content").addEventListener("click", (event) => {
  const head = event.target.closest("table[data-systems] tbody th");
  if (head) mark(head.textContent === chosen.value ? "" : head.textContent);
});
