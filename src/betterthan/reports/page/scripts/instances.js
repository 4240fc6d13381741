// Items that decide a pair: both systems' scores on every item, and the items on which they lie farthest apart.
const MOST_DECIDING = 5;
const showInstances = (part, one, two, box) => {
  const both = part.items.map((item, at) => [item, part.scores[one][at], part.scores[two][at]]).filter(([, x, y]) => x !== null && y !== null);
  if (!both.length) return;
  drawScores(part, both, box);
  const lead = ([, x, y]) => (part.lower ? y - x : x - y);
  const sorted = [...both].sort((one_, two_) => lead(two_) - lead(one_));
  const tables = make("div", null, box, { class: "deciding" });
  const ends = [[part.systems[one], sorted.filter((each) => lead(each) > 0).slice(0, MOST_DECIDING)],
    [part.systems[two], sorted.filter((each) => lead(each) < 0).slice(-MOST_DECIDING).reverse()]];
  for (const [name, items] of ends) {
    if (!items.length) continue;
    const table = make("table", null, tables);
    const caption = make("caption", "Items that favour ", table);
    make("bdi", name, caption);
    caption.append(" most");
    const head = make("tr", null, make("thead", null, table));
    make("th", "item", head, { scope: "col" });
    for (const system of [one, two]) make("span", part.systems[system], make("th", null, head, { scope: "col", dir: "auto" }), { class: "name", title: part.systems[system] });
    const body = make("tbody", null, table);
    for (const [item, x, y] of items) {
      const row = make("tr", null, body);
      make("th", item, row, { scope: "row", dir: "auto" });
      for (const value of [x, y]) make("td", shown(value, 5), row);
    }
  }
};
const drawScores = (part, both, box) => {
  const side = 260, edge = 26;
  let [low, high] = [Infinity, -Infinity];
  for (const [, x, y] of both) { low = Math.min(low, x, y); high = Math.max(high, x, y); }
  const on = (value) => edge + ((value - low) / (high - low || 1)) * (side - 2 * edge);
  const svg = svgNode("svg", { class: "joint", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "Scores of the two systems on every item" }, box);
  svgNode("line", { class: "grid", x1: on(low), y1: side - on(low), x2: on(high), y2: side - on(high) }, svg);
  for (const [item, x, y] of both) {
    const dot = svgNode("circle", { cx: on(x), cy: side - on(y), r: 3 }, svg);
    svgNode("title", {}, dot).textContent = `${item}: ${shown(x, 5)}, ${shown(y, 5)}`;
  }
  for (const [text, x, y, turn] of [["first system", side / 2, side - 7, 0], ["second system", 14, side / 2, -90]]) {
    svgNode("text", { x, y, transform: `rotate(${turn} ${x} ${y})` }, svg).textContent = text;
  }
};
