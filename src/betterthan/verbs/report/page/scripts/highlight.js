// One system everywhere: pointing at it, or focusing its name, lights it up; a click or the choice in the contents marks it.
const chosen = root.getElementById("highlight");
data.names.forEach((name, id) => { make("option", name, chosen).value = String(id); });
chosen.closest("[hidden]").hidden = false;
for (const name of root.querySelectorAll(".pick")) name.setAttribute("aria-pressed", "false");
const lit = { hot: null, marked: null };
const watchers = [];  // called when another system is lit or marked
const nodesOf = (id) => (id === null ? [] : root.querySelectorAll(`[data-s="${id}"]`));
// The interval of a system, drawn behind those of all others on its board: what overlaps can be seen.
const band = (row, on) => {
  const drawn = row.querySelector(":scope > .drawn[data-low]");
  if (!drawn) return;
  const style = row.closest("table").style;
  for (const end of ["low", "high"]) on ? style.setProperty(`--${end}`, `${drawn.dataset[end]}%`) : style.removeProperty(`--${end}`);
};
// A band changes the style of a whole table, so pointing at a system draws it in the table at the pointer only.
let banded = [];
const redraw = (table) => {
  for (const row of banded) band(row, false);
  banded = [...nodesOf(lit.hot)].filter((node) => node.localName === "tr" && table?.contains(node));
  if (!banded.length && lit.hot === null) banded = [...nodesOf(lit.marked)].filter((node) => node.localName === "tr");
  for (const row of banded) band(row, true);
};
const light = (kind, id, table = null) => {
  if (lit[kind] === id) return;
  for (const on of [false, true]) {
    if (on) lit[kind] = id;
    for (const node of nodesOf(lit[kind])) {
      node.classList.toggle(kind, on);
      if (kind === "marked") node.querySelector(".pick")?.setAttribute("aria-pressed", String(on));
    }
  }
  redraw(table);
  page.classList.toggle(`some-${kind}`, id !== null);
  for (const watcher of watchers) watcher();
};
const mark = (id) => { light("marked", id); chosen.value = id ?? ""; };
chosen.addEventListener("change", () => mark(chosen.value === "" ? null : chosen.value));
const systemAt = (target) => target.closest("[data-s]")?.dataset.s ?? null;
page.addEventListener("pointerover", (event) => light("hot", systemAt(event.target), event.target.closest("table")));
page.addEventListener("pointerleave", () => light("hot", null));
page.addEventListener("focusin", (event) => light("hot", event.target.matches(".pick") ? systemAt(event.target) : null, event.target.closest("table")));
page.addEventListener("click", (event) => {
  const at = event.target.closest(".pick, tbody th, figure [data-s]");
  const id = at && systemAt(at);
  if (id !== null && id !== undefined) mark(id === lit.marked ? null : id);
});
// Within a table one name is reached by the tabulator, the others by the arrow keys.
page.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.matches(".pick")) return;
  const names = [...event.target.closest("tbody").querySelectorAll("tr:not([hidden]) .pick")];
  const next = names[names.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});
