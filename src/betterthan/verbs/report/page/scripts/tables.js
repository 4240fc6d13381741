// Tables: sorted by a click on a heading, numbers as numbers; filtered by the name in the row's heading.
const keyOf = (cell) => {
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  const text = cell.textContent.trim();
  const number = Number(text.replaceAll(",", "").replace(" %", ""));
  return text !== "" && !Number.isNaN(number) ? number : text;
};
const order = (a, b) => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a === "" || b === "") return a === "" ? (b === "" ? 0 : 1) : -1;
  return String(a).localeCompare(String(b));
};
const sortable = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].map((row) => [keyOf(row.cells[place]), row]);
    // What is not known stays last whichever way the rest is sorted.
    rows.sort(([one], [two]) => (one === "" || two === "" ? 1 : down ? -1 : 1) * order(one, two));
    table.classList.add("sorted");
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }));
};
root.querySelectorAll("table[data-sortable]").forEach(sortable);
for (const field of root.querySelectorAll("input[data-filter]")) {
  const tools = field.closest(".tools");
  const list = tools.nextElementSibling;
  const count = tools.querySelector("[data-count]");
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    const rows = [...list.querySelectorAll(list.matches(".entries") ? "[data-entry]" : "tbody tr")];
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.querySelector("th, [data-name]").textContent.toLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = wanted ? `${shown} of ${rows.length} ${count.dataset.count} shown` : "";
  });
}
