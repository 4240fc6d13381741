// Pictures are enlarged by a click, or by the keyboard.
const large = make("dialog", null, page, { class: "large", "aria-label": "Enlarged picture" });
const close = make("button", "Close", make("p", null, large, { class: "tools" }), { type: "button" });
const enlarged = make("img", null, large, { alt: "" });
close.addEventListener("click", () => large.close());
for (const picture of root.querySelectorAll("figure img")) {
  const button = make("button", null, null, { type: "button", class: "zoom", title: "Enlarge" });
  picture.replaceWith(button);
  button.append(picture);
  button.addEventListener("click", () => { [enlarged.src, enlarged.alt] = [picture.src, picture.alt]; large.showModal(); });
}
