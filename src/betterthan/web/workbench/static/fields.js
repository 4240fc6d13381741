// Options: what the controls say, as texts by group and name; empty ones are left to the library.
const controls = all("[data-group]");
const valueOf = (control) => (control.type === "checkbox" ? control.checked || "" : control.value.trim());
const said = () => {
  const state = { files: all("[data-file]:checked").map((box) => box.dataset.file), a: byId("a").value, b: byId("b").value, kind: byId("kind").value };
  for (const control of controls) {
    const value = valueOf(control);
    if (value !== "") (state[control.dataset.group] ??= {})[control.dataset.name] = value;
  }
  return state;
};
const restore = (state) => {
  for (const control of controls) {
    const value = state[control.dataset.group]?.[control.dataset.name] ?? "";
    if (control.type === "checkbox") control.checked = value === true; else control.value = value;
  }
  for (const box of all("[data-file]")) box.checked = (state.files ?? []).includes(box.dataset.file);
  if (state.kind) byId("kind").value = state.kind;
  [wanted.a, wanted.b] = [state.a ?? "", state.b ?? ""];
};
// The two systems that are compared; kept while other files are read that may have them again.
const wanted = { a: "", b: "" };
const fillSystems = (systems) => {
  const [one, two] = [systems.includes(wanted.a) ? wanted.a : systems[0] ?? "", systems.includes(wanted.b) ? wanted.b : systems[1] ?? ""];
  for (const select of all("select[data-pair]")) {
    select.replaceChildren(...systems.map((name) => { const option = make("option", name); option.value = name; return option; }));
    select.value = select.id.startsWith("a") ? one : two;
  }
};
const fillWords = (name, words) => byId(`words-${name}`).replaceChildren(...words.map((word) => make("option", null, null, { value: word })));
const fillFiles = () => {
  for (const select of all("select[data-files]")) {
    const before = select.value;
    select.replaceChildren(make("option", "none", null, { value: "" }), ...all("#files li").map((entry) => make("option", entry.querySelector(".name").textContent, null, { value: entry.dataset.key })));
    select.value = all("option", select).some((option) => option.value === before) ? before : "";
  }
};
// Options that describe another kind of evidence, or no picture of this kind, are out of the way unless they are set.
const showFields = (kind) => {
  const takes = byId("kind").selectedOptions[0];
  for (const field of all("[data-option]")) {
    const control = field.querySelector("[data-group]");
    const other = field.dataset.kinds && kind && !field.dataset.kinds.split(" ").includes(kind);
    const unused = control.dataset.group === "plot" && !takes.dataset.options.split(" ").includes(control.dataset.name);
    field.hidden = Boolean(other || unused) && valueOf(control) === "";
    if (field.nextElementSibling?.matches(".chips")) field.nextElementSibling.hidden = field.hidden;
  }
  for (const chip of all("[data-accepts]", byId("content").parentElement)) chip.hidden = Boolean(kind) && !chip.dataset.accepts.split(" ").includes(kind) && chip.ariaPressed !== "true";
  for (const field of all("p[data-two]")) field.hidden = takes.dataset.two === undefined;
  for (const part of all("details.part:has([data-group])")) {
    const number = all("[data-group]", part).filter((control) => valueOf(control) !== "").length;
    part.querySelector("[data-said]").textContent = number ? `(${number} set)` : "";
  }
};
// Models are chosen by a click, or typed with their options in brackets.
const splitModels = (text) => text.split(/,(?![^(]*\))/).map((part) => part.trim()).filter((part) => part !== "");
const showChips = () => {
  for (const chips of all(".chips")) {
    const names = splitModels(byId(chips.dataset.for).value).map((text) => text.split("(")[0]);
    for (const chip of chips.children) chip.setAttribute("aria-pressed", String(names.includes(chip.textContent)));
  }
};
for (const chips of all(".chips")) {
  const field = byId(chips.dataset.for);
  for (const word of all("#words-models option")) {
    make("button", word.value, chips, { type: "button", "aria-pressed": "false", "data-accepts": word.dataset.accepts }).addEventListener("click", () => {
      const texts = splitModels(field.value);
      const kept = texts.filter((text) => text.split("(")[0] !== word.value);
      field.value = (kept.length === texts.length ? [...texts, word.value] : kept).join(",");
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
}
