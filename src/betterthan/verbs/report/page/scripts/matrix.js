// The matrix of all pairs: numbers by pointer or arrow keys, a click or Enter opens the pair, cells grow and shrink.
const SIZES = [0.25, 0.4, 0.6, 0.9, 1.4, 2.6];
const LEGIBLE = 0.9, WRITTEN = 2.4;
for (const figure of root.querySelectorAll("figure[data-matrix]")) {
  const article = figure.closest("article[data-part]");
  const part = data.parts[Number(article.dataset.part)];
  const number = part.systems.length;
  const cells = figure.querySelector("[data-cells]");
  const status = make("p", null, figure, { class: "unseen", role: "status" });
  const bars = Object.fromEntries(["hot row", "hot column", "marked row", "marked column", "here"].map((name) => [name, make("div", null, cells, { class: `cross ${name}`, hidden: "" })]));
  let at = null;
  const put = (bar, row, column, rows, columns) => {
    bar.hidden = row === null;
    if (row === null) return;
    bar.style.cssText = `top:${(100 * row) / number}%;left:${(100 * column) / number}%;height:${(100 * rows) / number}%;width:${(100 * columns) / number}%`;
  };
  watchers.push(() => {
    for (const kind of ["hot", "marked"]) {
      const place = lit[kind] === null ? -1 : part.ids.indexOf(Number(lit[kind]));
      put(bars[`${kind} row`], place < 0 ? null : place, 0, 1, number);
      put(bars[`${kind} column`], place < 0 ? null : 0, place, number, 1);
    }
  });
  const go = (row, column) => {
    at = [row, column];
    put(bars.here, row, column, 1, 1);
    light("hot", String(part.ids[row]));
    return row === column ? [part.systems[row]] : described(part, row, column);
  };
  const leave = () => { at = null; put(bars.here, null); hideTip(); };
  const open = () => { if (at && at[0] !== at[1]) article.dispatchEvent(new CustomEvent("choose-pair", { detail: at })); };
  cells.addEventListener("pointermove", (event) => {
    const box = cells.getBoundingClientRect();
    const [row, column] = [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width].map((share) => Math.min(number - 1, Math.max(0, Math.floor(share * number))));
    showTip(go(row, column), event.clientX, event.clientY);
  });
  cells.addEventListener("pointerleave", leave);
  cells.addEventListener("click", open);
  cells.addEventListener("blur", leave);
  const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -number], End: [0, number], PageUp: [-10, 0], PageDown: [10, 0] };
  cells.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); open(); return; }
    if (!(event.key in MOVES)) return;
    event.preventDefault();
    const [row, column] = (at ?? [0, 0]).map((place, side) => (at ? Math.min(number - 1, Math.max(0, place + MOVES[event.key][side])) : place));
    const lines = go(row, column);
    status.textContent = lines.join("; ");
    bars.here.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = bars.here.getBoundingClientRect();
    showTip(lines, box.right, box.bottom);
  });
  cells.tabIndex = 0;
  cells.setAttribute("role", "application");
  cells.setAttribute("aria-label", "Matrix of all pairs of systems. Arrow keys move through the pairs, Enter opens a pair in the explorer.");
  let size = SIZES.indexOf(parseFloat(figure.style.getPropertyValue("--cell")));
  const tools = make("p", null, null, { class: "tools" });
  figure.prepend(tools);
  const buttons = [["−", "Smaller cells", -1], ["+", "Larger cells", 1]].map(([text, name, step]) => {
    const button = make("button", text, tools, { type: "button", "aria-label": name });
    button.addEventListener("click", () => { size = Math.min(SIZES.length - 1, Math.max(0, size + step)); resize(); });
    return button;
  });
  const resize = () => {
    figure.style.setProperty("--cell", `${SIZES[size]}rem`);
    figure.classList.toggle("named", SIZES[size] >= LEGIBLE);
    figure.classList.toggle("written", SIZES[size] >= WRITTEN);
    buttons.forEach((button, place) => { button.disabled = size === (place ? SIZES.length - 1 : 0); });
  };
  resize();
}
