// Pairs: everything shown of two systems is among the numbers of the page; a pair is only reversed.
const shown = (value, digits = 4) => (value === null || value === undefined ? "not known" : String(Number(value.toPrecision(digits))).replace("-", "−"));
const percent = (share) => (share === null ? "not known" : `${(100 * share).toFixed(1)} %`);
const chance = (p) => (p === null ? "not tested" : p < 0.0001 ? p.toExponential(1) : p.toFixed(4));
const amount = (value) => value.toLocaleString("en", { maximumFractionDigits: 1 });
const less = (share) => (share === null ? null : Math.round(1e4 * (1 - share)) / 1e4);
// Pairs are listed row by row of the upper triangle.
const placeOf = (part, one, two) => {
  const [first, second] = [Math.min(one, two), Math.max(one, two)];
  return first * part.systems.length - (first * (first + 1)) / 2 + second - first - 1;
};
const pairOf = (part, one, two) => {
  const at = placeOf(part, one, two);
  const of = Object.fromEntries(Object.entries(part.pairs).map(([name, column]) => [name, column[at]]));
  if (one < two) return of;
  const value = part.words.expected ? less(of.value) : of.value === null ? null : -of.value;
  return { ...of, won: of.lost, lost: of.won, share: less(of.share), low: less(of.high), high: less(of.low), value, significant: -of.significant, confidence: less(of.confidence) };
};
// The mean of scores, with the test that fits the pair best; the other way round, only signs change.
const meanOf = (part, one, two) => {
  if (!part.mean) return null;
  const at = placeOf(part, one, two);
  const of = { low: null, high: null, p: null, ...Object.fromEntries(Object.entries(part.mean).map(([name, column]) => [name, column[at]])) };
  const less = (value) => (value === null ? null : -value);
  return one < two ? of : { ...of, value: less(of.value), median: less(of.median), low: less(of.high), high: less(of.low) };
};
const ends = (low, high, text) => (low === null && high === null ? "" : ` (${low === null ? "open" : text(low)} to ${high === null ? "open" : text(high)})`);
const interval = (pair) => (pair.low === null ? "" : ` (${percent(pair.low)} to ${percent(pair.high)})`);
// Names keep their own direction, whatever the sentence around them has.
const sentence = (parts, parent, attributes) => {
  const node = make("p", null, parent, attributes);
  for (const part of parts) typeof part === "string" ? node.append(part) : make("bdi", part.name, node);
};
const conclusion = (pair, a, b) => {
  if (pair.p === null) return [{ name: a }, " and ", { name: b }, " cannot be compared: nothing connects them."];
  if (!pair.significant) return [{ name: a }, " and ", { name: b }, " do not differ significantly."];
  const [better, worse] = pair.significant > 0 ? [a, b] : [b, a];
  return [{ name: better }, " is significantly better than ", { name: worse }, "."];
};
// Both are read from the same decisions, but a rank range also depends on all other systems.
const reconciled = (part, pair, one, two) => {
  const [first, second] = [part.ranges[one], part.ranges[two]];
  if (!first || !second || pair.p === null) return [];
  const [above, below] = [first[1] < second[0], second[1] < first[0]];
  if (!pair.significant) return above || below ? ["Their rank ranges do not overlap, because of what is known about other systems."] : [];
  return above || below ? [] : ["Their rank ranges overlap all the same: other systems may stand between them, or beside either of them."];
};
// What a tip says of a pair.
const described = (part, one, two) => {
  const pair = pairOf(part, one, two);
  // Isolates keep the direction of names to themselves.
  const lines = [`\u2068${part.systems[one]}\u2069 against \u2068${part.systems[two]}\u2069`];
  if (pair.won + pair.tied + pair.lost === 0) return [...lines, "never compared with each other"];
  if (!part.words.expected) lines.push(`${part.words.value}: ${shown(pair.value)}`);
  lines.push(`win rate ${percent(pair.share)}${interval(pair)}`, `${amount(pair.won)} won, ${amount(pair.tied)} tied, ${amount(pair.lost)} lost`);
  if (pair.p !== null) lines.push(`p = ${chance(pair.p_adjusted)} (${part.words.correction}): ${pair.significant ? "significant" : "not significant"}`);
  return lines;
};
// What each of several models says of a pair, with the test that suits the model.
const ofModels = (part, one, two) => {
  const at = placeOf(part, one, two);
  return part.models.map(({ model, test, shares, value, p, p_adjusted: adjusted }) => {
    const [own, single, corrected] = [value[at], p[at], adjusted[at]];
    const seen = one < two || own === null ? own : shares ? less(own) : -own;
    return [model, shares && seen !== null ? percent(seen) : shown(seen), test, chance(single), single === null ? "not tested" : chance(corrected)];
  });
};
const showModels = (part, one, two, box) => {
  if (!part.models.length) return;
  const title = box.closest("article").querySelector(".data-set");
  const label = `The pair by each model${title ? ` (${title.textContent})` : ""}`;
  const table = make("table", null, make("div", null, box, { class: "by-model scroll", tabindex: "0", role: "region", "aria-label": label }));
  make("caption", "By each model, with the test of this pair alone", table);
  const head = make("tr", null, make("thead", null, table));
  for (const name of ["model", "chance or difference", "test", "p", `p, ${part.models[0].correction}`]) make("th", name, head, { scope: "col" });
  const body = make("tbody", null, table);
  for (const [name, ...cells] of ofModels(part, one, two)) {
    const row = make("tr", null, body);
    make("th", name, row, { scope: "row" });
    for (const cell of cells) make("td", cell, row);
  }
};
const svgNode = (name, attributes, parent) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.append(node);
  return node;
};
const drawRate = (pair, parent) => {
  if (pair.share === null) return;
  const svg = svgNode("svg", { class: "rate", "aria-hidden": "true" }, parent);
  for (const at of [0, 50, 100]) svgNode("line", { class: "grid", x1: `${at}%`, x2: `${at}%`, y1: 0, y2: "100%" }, svg);
  if (pair.low !== null) svgNode("line", { x1: `${100 * pair.low}%`, x2: `${100 * pair.high}%`, y1: "50%", y2: "50%" }, svg);
  svgNode("circle", { cx: `${100 * pair.share}%`, cy: "50%", r: 5 }, svg);
};
// The mean difference on an axis that is the same for all pairs, so that pairs can be compared.
const drawDifference = (part, mean, parent) => {
  const reach = part.reach || 1;
  const at = (value) => `${50 + 46 * Math.max(-1, Math.min(1, value / reach))}%`;
  const svg = svgNode("svg", { class: "rate", "aria-hidden": "true" }, parent);
  svgNode("line", { class: "grid", x1: "50%", x2: "50%", y1: 0, y2: "100%" }, svg);
  if (mean.low !== null && mean.high !== null) svgNode("line", { x1: at(mean.low), x2: at(mean.high), y1: "50%", y2: "50%" }, svg);
  svgNode("circle", { cx: at(mean.value), cy: "50%", r: 5 }, svg);
};
const drawRecord = (pair, parent) => {
  const total = pair.won + pair.tied + pair.lost;
  if (!total) return;
  const bar = make("div", null, parent, { class: "record", "aria-hidden": "true" });
  for (const kind of ["won", "tied", "lost"]) if (pair[kind]) make("span", null, bar, { class: kind, style: `flex-grow:${pair[kind]}`, title: `${kind} ${amount(pair[kind])}` });
};
for (const article of root.querySelectorAll("article[data-part]")) {
  const part = data.parts[Number(article.dataset.part)];
  const words = part.words;
  const [a, b] = ["a", "b"].map((side) => article.querySelector(`select[data-pick=${side}]`));
  for (const select of [a, b]) part.systems.forEach((name, place) => { make("option", name, select).value = String(place); });
  b.value = String(Math.min(1, part.systems.length - 1));
  const show = () => {
    const box = article.querySelector(".duel");
    box.replaceChildren();
    const [one, two] = [Number(a.value), Number(b.value)];
    [a.title, b.title] = [part.systems[one], part.systems[two]];
    if (one === two) { make("p", "Choose two different systems.", box); return; }
    const pair = pairOf(part, one, two);
    const facts = make("div", null, box, { class: "facts" });
    sentence(conclusion(pair, part.systems[one], part.systems[two]), facts, { class: "conclusion" });
    const note = reconciled(part, pair, one, two);
    if (note.length) make("p", note[0], facts, { class: "muted" });
    drawRecord(pair, facts);
    drawRate(pair, facts);
    let list = make("dl", null, facts);
    const line = (name, text) => { const row = make("div", null, list); make("dt", name, row); make("dd", text, row); };
    line("won, tied, lost", [pair.won, pair.tied, pair.lost].map((number) => shown(number, 7)).join(", "));
    line(`win rate, ties half (${words.level} confidence interval)`, percent(pair.share) + interval(pair));
    line(words.value, shown(pair.value));
    if (pair.confidence !== null) line(`ahead by ${words.main}`, `${percent(pair.confidence)} of ${words.samples}`);
    line(`p (${words.test})`, chance(pair.p));
    line(`p, ${words.correction}`, pair.p === null ? "not tested" : chance(pair.p_adjusted));
    const mean = meanOf(part, one, two);
    if (mean && mean.value !== null) {
      const block = make("div", null, box, { class: "facts mean" });
      make("h3", "Mean score", block);
      drawDifference(part, mean, block);
      list = make("dl", null, block);
      line(`mean difference${mean.p === null ? "" : ` (${words.level} confidence interval)`}`, shown(mean.value) + ends(mean.low, mean.high, shown));
      line("median difference", shown(mean.median));
      if (mean.p !== null) {
        line(`p of this pair alone (${mean.test})`, chance(mean.p));
      }
      make("p", words.mean_note, block, { class: "muted" });
    }
    showModels(part, one, two, box);
    if (part.scores) showItems(part, one, two, box);
  };
  a.addEventListener("change", show);
  b.addEventListener("change", show);
  article.querySelector("[data-swap]").addEventListener("click", () => { [a.value, b.value] = [b.value, a.value]; show(); });
  article.addEventListener("choose-pair", (event) => {
    [a.value, b.value] = event.detail.map(String);
    show();
    article.querySelector(".pairs").scrollIntoView();
    a.focus();
  });
  queueMicrotask(show);
}
