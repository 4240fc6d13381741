// A tip beside the pointer: the system's whole name, and the numbers of what is pointed at.
const tip = make("div", null, page, { class: "tip", popover: "manual", "aria-hidden": "true" });
let tipShown = false;
const hideTip = () => { if (tipShown) tip.hidePopover(); tipShown = false; };
const showTip = (lines, x, y) => {
  tip.replaceChildren();
  lines.forEach((line, place) => make(place ? "div" : "strong", line, tip, { dir: "auto" }));
  if (!tipShown && tip.showPopover) { tip.showPopover(); tipShown = true; }
  const { width, height } = tip.getBoundingClientRect();
  const left = x + 14 + width > innerWidth ? x - 14 - width : x + 14;
  const top = y + 14 + height > innerHeight ? y - 14 - height : y + 14;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, top)}px`;
};
// What the browser would say of a name, the tip says.
for (const node of root.querySelectorAll("figure [title]")) node.removeAttribute("title");
page.addEventListener("pointermove", (event) => {
  const at = event.target.closest("[data-tip], figure [data-s]");
  if (event.target.closest("[data-cells]")) return;
  const item = event.target.closest("[data-item]");
  if (item) { showTip([item.dataset.item], event.clientX, event.clientY); return; }
  const id = at && systemAt(at);
  if (!at || id === null) { hideTip(); return; }
  showTip([data.names[id], ...(at.dataset.tip ? [at.dataset.tip] : [])], event.clientX, event.clientY);
});
page.addEventListener("pointerleave", hideTip);
page.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
addEventListener("scroll", hideTip, { passive: true, capture: true });
