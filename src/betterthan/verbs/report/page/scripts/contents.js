// Contents: the section that is being read is marked.
const links = new Map([...root.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    const link = links.get(entry.target.dataset.heading);
    for (const other of links.values()) other.toggleAttribute("aria-current", false);
    link.setAttribute("aria-current", "location");
  }
}, { rootMargin: "-15% 0px -75% 0px" });
for (const id of links.keys()) {
  const heading = root.getElementById(id);
  const section = heading.closest("article") === heading ? heading : heading.closest("section");
  section.dataset.heading = id;
  seen.observe(section);
}
// Addresses lead into documents, not into fragments.
if (root !== document) root.addEventListener("click", (event) => {
  const target = root.getElementById(event.target.closest("a[href^='#']")?.hash.slice(1));
  if (target) { event.preventDefault(); target.scrollIntoView(); }
});
