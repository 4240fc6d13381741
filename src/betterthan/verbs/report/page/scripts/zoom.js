// Pictures are enlarged in a window of their own, and stay as interactive as they are.
const large = make("dialog", null, page, { class: "large", "aria-label": "Enlarged picture" });
const close = make("button", "Close", make("p", null, large, { class: "tools" }), { type: "button" });
close.addEventListener("click", () => large.close());
for (const figure of root.querySelectorAll("figure[data-zoom]")) {
  const tools = figure.querySelector(":scope > .tools") ?? make("p", null, null, { class: "tools" });
  if (!tools.parentElement) figure.prepend(tools);
  const button = make("button", "Enlarge", tools, { type: "button", class: "enlarge" });
  button.addEventListener("click", () => {
    const place = document.createComment("");
    figure.replaceWith(place);
    large.append(figure);
    hideTip();
    large.showModal();
    large.addEventListener("close", () => { place.replaceWith(figure); hideTip(); button.focus(); }, { once: true });
  });
}
