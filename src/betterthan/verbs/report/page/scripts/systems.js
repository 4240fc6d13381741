// Systems: the record against every other one is filled in when an entry is opened.
const opponents = (article, part, place, entry) => {
  const scroll = make("div", null, entry, { class: "scroll", tabindex: "0", role: "region", "aria-label": `Record of ${part.systems[place]}` });
  const table = make("table", null, scroll, { "data-systems": "", class: "board opponents" });
  const head = make("tr", null, make("thead", null, table));
  for (const text of ["against", "won", "tied", "lost", "win rate", `${part.words.level} interval`, `p, ${part.words.correction}`, "explorer"]) {
    const cell = make("th", null, head, { scope: "col" });
    make("button", text, cell, { type: "button" });
  }
  const body = make("tbody", null, table);
  part.systems.forEach((name, other) => {
    if (other === place) return;
    const pair = pairOf(part, place, other);
    const row = make("tr", null, body, pair.significant ? { class: pair.significant > 0 ? "better" : "worse" } : {});
    row.dataset.s = part.ids[other];
    row.classList.toggle("marked", row.dataset.s === lit.marked);
    make("span", name, make("th", null, row, { scope: "row", dir: "auto" }), { class: "name", title: name });
    for (const kind of ["won", "tied", "lost"]) make("td", amount(pair[kind]), row).dataset.value = pair[kind];
    const numbers = [[pair.share, percent], [pair.low, () => interval(pair).trim()], [pair.p === null ? null : pair.p_adjusted, chance]];
    for (const [value, text] of numbers) {
      const cell = make("td", value === null ? "" : text(value), row);
      if (value !== null) cell.dataset.value = value;
    }
    const open = make("button", "compare", make("td", null, row), { type: "button", "aria-label": `Compare with ${name}` });
    open.addEventListener("click", () => article.dispatchEvent(new CustomEvent("choose-pair", { detail: [place, other] })));
  });
  sortable(table);
};
for (const article of root.querySelectorAll("article[data-part]")) {
  for (const entry of article.querySelectorAll("[data-entry]")) {
    entry.addEventListener("toggle", () => {
      if (entry.open && !entry.querySelector("table")) {
        opponents(article, data.parts[Number(article.dataset.part)], Number(entry.dataset.system), entry);
      }
    });
  }
}
