// Pairs.
const shown = (value, digits = 4) => (value === null || value === undefined ? "not known" : String(Number(value.toPrecision(digits))));
const chance = (p) => (p === null ? "not tested" : p < 0.0001 ? p.toExponential(1) : p.toFixed(4));
for (const article of root.querySelectorAll("article[data-part]")) {
  const part = data.parts[Number(article.dataset.part)];
  const size = part.systems.length;
  const [a, b] = ["a", "b"].map((side) => article.querySelector(`select[data-pick=${side}]`));
  for (const select of [a, b]) part.systems.forEach((name, place) => { make("option", name, select).value = String(place); });
  b.value = String(Math.min(1, size - 1));
  // Pairs are listed row by row of the upper triangle.
  const place = (one, two) => one * size - (one * (one + 1)) / 2 + two - one - 1;
  const show = () => {
    const box = article.querySelector(".duel");
    box.replaceChildren();
    const [one, two] = [Number(a.value), Number(b.value)];
    if (one === two) { make("p", "Choose two different systems.", box); return; }
    const straight = one < two;
    const at = place(Math.min(one, two), Math.max(one, two));
    const of = (name) => part.pairs[name][at];
    const [won, lost] = straight ? [of("won"), of("lost")] : [of("lost"), of("won")];
    const isChance = part.value === "expected score";
    let value = of("value");
    if (!straight && value !== null) value = isChance ? 1 - value : -value;
    let sure = of("confidence");
    if (!straight && sure !== null) sure = 1 - sure;
    const list = make("dl", null, box);
    const line = (name, text) => { const row = make("div", null, list); make("dt", name, row); make("dd", text, row); };
    line("won, tied, lost", `${shown(won, 7)}, ${shown(of("tied"), 7)}, ${shown(lost, 7)}`);
    line(part.value, shown(value));
    line(`better by ${part.main} in so many resamples`, sure === null ? "not known" : `${(100 * sure).toFixed(1)} %`);
    line("p", chance(of("p")));
    line("p, corrected", chance(of("p_adjusted")));
    if (part.scores) drawScores(box, list, line, part, one, two);
  };
  const drawScores = (box, list, line, part, one, two) => {
    const both = part.scores[one].map((x, i) => [x, part.scores[two][i]]).filter(([x, y]) => x !== null && y !== null);
    const gaps = both.map(([x, y]) => (part.lower ? y - x : x - y)).sort((x, y) => x - y);
    if (!gaps.length) return;
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const middle = gaps.length % 2 ? gaps[(gaps.length - 1) / 2] : (gaps[gaps.length / 2 - 1] + gaps[gaps.length / 2]) / 2;
    line("instances", String(gaps.length));
    line("mean difference", shown(mean));
    line("median difference", shown(middle));
    const side = 240, edge = 24;
    const all = both.flat();
    const low = Math.min(...all), high = Math.max(...all), span = high - low || 1;
    const on = (value) => edge + ((value - low) / span) * (side - 2 * edge);
    const draw = (name, attributes, parent) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      parent.append(node);
      return node;
    };
    const svg = draw("svg", { width: side, height: side, role: "img", "aria-label": "Scores of the two systems on every instance" }, box);
    draw("line", { x1: on(low), y1: side - on(low), x2: on(high), y2: side - on(high), stroke: "#666", "stroke-dasharray": "4 3" }, svg);
    for (const [x, y] of both) draw("circle", { cx: on(x), cy: side - on(y), r: 2.5, fill: "#0072B2", "fill-opacity": 0.5 }, svg);
    for (const [text, x, y, turn] of [["first", side / 2, side - 6, 0], ["second", 12, side / 2, -90]]) {
      const node = draw("text", { x, y, "font-size": 11, fill: "#444", "text-anchor": "middle", transform: `rotate(${turn} ${x} ${y})` }, svg);
      node.textContent = text;
    }
  };
  a.addEventListener("change", show);
  b.addEventListener("change", show);
  article.querySelector("[data-swap]").addEventListener("click", () => { [a.value, b.value] = [b.value, a.value]; show(); });
  show();
}
