// Items that decide a pair: both systems' scores on every item, and the items on which they differ most.
const MOST_DECIDING = 5;
const showItems = (part, one, two, box) => {
  const both = part.items.map((item, at) => [item, part.scores[one][at], part.scores[two][at]]).filter(([, x, y]) => x !== null && y !== null);
  if (!both.length) return;
  const lead = ([, x, y]) => (part.lower ? y - x : x - y);
  drawScores(part, one, two, both, box);
  drawDifferences(part.systems[one], part.systems[two], both.map(lead), box);
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
// Scores of both systems on every item; above or below the diagonal one of them is better.
const drawScores = (part, one, two, both, box) => {
  const side = 300, edge = 52;
  let [low, high] = [Infinity, -Infinity];
  for (const [, x, y] of both) { low = Math.min(low, x, y); high = Math.max(high, x, y); }
  const on = (value) => edge + ((value - low) / (high - low || 1)) * (side - 2 * edge);
  const figure = make("figure", null, box, { class: "joint" });
  const svg = svgNode("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "Scores of the two systems on every item" }, figure);
  svgNode("line", { class: "grid", x1: on(low), y1: side - on(low), x2: on(high), y2: side - on(high) }, svg);
  for (const end of low === high ? [low] : [low, high]) {
    svgNode("text", { x: on(end), y: side - edge + 20, class: "tick" }, svg).textContent = shown(end, 3);
    svgNode("text", { x: edge - 14, y: side - on(end) + 4, class: "tick end" }, svg).textContent = shown(end, 3);
  }
  for (const [item, x, y] of both) svgNode("circle", { cx: on(x), cy: side - on(y), r: 3.5, "data-item": `${item}: ${shown(x, 5)} and ${shown(y, 5)}` }, svg);
  const caption = make("figcaption", null, figure);
  caption.append("Score on every item: ");
  make("bdi", part.systems[one], caption);
  caption.append(" across, ");
  make("bdi", part.systems[two], caption);
  caption.append(" up. On the dashed line both are equal.");
};
// How much better the first system is, item by item; ties have no bar. Bins are those of the picture of differences.
const drawDifferences = (a, b, leads, box) => {
  const width = 300, height = 220, foot = 40, edge = 12;
  const reach = Math.max(...leads.map(Math.abs)) || 1;
  const half = Math.min(20, Math.max(5, Math.floor(Math.sqrt(leads.length))));
  const counts = new Array(2 * half).fill(0);
  for (const lead of leads) if (lead) counts[half + Math.sign(lead) * Math.ceil(Math.min(half, (Math.abs(lead) / reach) * half)) - (lead > 0 ? 1 : 0)] += 1;
  const most = Math.max(...counts, 1);
  const at = (value) => width / 2 + (value / reach) * (width / 2 - edge);
  const figure = make("figure", null, box, { class: "joint differences" });
  const svg = svgNode("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Histogram of the differences between the two systems" }, figure);
  counts.forEach((count, place) => {
    const [from, to] = [at(((place - half) / half) * reach), at(((place - half + 1) / half) * reach)];
    const tall = (count / most) * (height - foot - edge);
    if (count) svgNode("rect", { class: place < half ? "down" : "up", x: from + 0.5, width: to - from - 1, y: height - foot - tall, height: tall, "data-item": `${count} items` }, svg);
  });
  svgNode("line", { class: "grid", x1: width / 2, x2: width / 2, y1: edge, y2: height - foot }, svg);
  for (const value of [-reach, 0, reach]) svgNode("text", { x: Math.min(width - 24, Math.max(24, at(value))), y: height - foot + 18, class: "tick" }, svg).textContent = shown(value, 3);
  const caption = make("figcaption", null, figure);
  const ties = leads.filter((lead) => lead === 0).length;
  caption.append("Difference on every item: right of the line ");
  make("bdi", a, caption);
  caption.append(" is better, left of it ");
  make("bdi", b, caption);
  caption.append(`. ${ties ? `${amount(ties)} ties are not drawn.` : "There are no ties."}`);
};
