// Tabs: one result at a time, chosen by a click or by the arrow keys; what is not seen is not computed.
const tabs = all("[role=tab]");
const SHOWS = { board: ["board"], pairs: ["pairs", "duel"], diagnosis: ["diagnosis"], pictures: ["pictures"], data: [], code: ["code"] };
const stale = new Set();
const current = () => tabs.find((each) => each.getAttribute("aria-selected") === "true").dataset.tab;
const refresh = () => {
  for (const name of SHOWS[current()]) {
    if (!stale.delete(name)) continue;
    ask(name);
  }
};
const select = (chosen) => {
  for (const each of tabs) {
    each.setAttribute("aria-selected", String(each === chosen));
    each.tabIndex = each === chosen ? 0 : -1;
    byId(`view-${each.dataset.tab}`).hidden = each !== chosen;
  }
  refresh();
};
for (const [number, each] of tabs.entries()) {
  each.addEventListener("click", () => select(each));
  each.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -number, End: tabs.length - 1 - number }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(number + step + tabs.length) % tabs.length];
    next.focus();
    select(next);
  });
}
