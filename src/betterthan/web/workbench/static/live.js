// Live: a change of an option asks again, for what is in sight; the state outlives a reload of the page.
let kind = "";
const changed = async (reading) => {
  sessionStorage.setItem("state", JSON.stringify(said()));
  showChips();
  showFields(kind);
  for (const names of Object.values(SHOWS)) for (const name of names) stale.add(name);
  if (!said().files.length) {
    for (const name of [...stale, "data"]) { waiting.get(name)?.abort(); show(name, { html: '<p class="muted">Open a file to see results.</p>' }); }
    stale.clear();
    byId("read-line").textContent = "No file is open yet.";
    return;
  }
  if (!reading) { refresh(); return; }
  if (current() === "board") refresh();  // needs no names of systems
  const facts = await ask("data");
  if (facts === null) return;
  show("data", facts);
  const line = byId("read-line");
  line.textContent = facts.error ?? byId("view-data").querySelector(".headline").textContent;
  line.classList.toggle("warning", Boolean(facts.error));
  kind = facts.kind ?? "";
  fillWords("columns", facts.columns ?? []);
  fillWords("systems", facts.systems ?? []);
  fillSystems(facts.systems ?? []);
  showFields(kind);
  refresh();
};
let typing = 0;
const reads = (target) => target.matches("[data-file], [data-group=read]");
document.addEventListener("input", (event) => {
  if (!event.target.matches("input[type=text][data-group], textarea[data-group]")) return;
  clearTimeout(typing);
  typing = setTimeout(() => changed(reads(event.target)), 400);
});
document.addEventListener("change", (event) => {
  const target = event.target;
  if (!target.matches("[data-group], [data-file], [data-pair], #kind")) return;
  if (target.matches("[data-pair]")) {
    for (const select of all("select[data-pair]")) if (select.id[0] === target.id[0]) select.value = target.value;
    [wanted.a, wanted.b] = [byId("a").value, byId("b").value];
  }
  clearTimeout(typing);
  changed(reads(target));
});
byId("swap").addEventListener("click", () => {
  const [a, b] = [byId("a").value, byId("b").value];
  [byId("a").value, byId("b").value] = [b, a];
  byId("b").dispatchEvent(new Event("change", { bubbles: true }));
});
byId("reset").addEventListener("click", () => { restore({ files: said().files }); changed(true); });
// On a phone the results come first once there are some.
const narrow = matchMedia("(max-width: 60rem)").matches;
fillFiles();
const begun = JSON.parse(document.body.dataset.state);
const kept = JSON.parse(sessionStorage.getItem("state") ?? "null");
restore(kept ?? begun);
if (narrow && said().files.length) byId("side").open = false;
changed(true);
