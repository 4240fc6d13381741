// Panels: each shows the answer to its newest request; older ones are cancelled, here and on the server.
const waiting = new Map();
const place = (kind, name) => document.querySelector(`[data-${kind}="${name}"]`);
const ofPanel = (name) => ({ filled: place("panel", name), status: place("status", name), wrong: place("wrong", name) });
const fill = (name, html) => {
  const { filled } = ofPanel(name);
  filled.innerHTML = html;  // made by our own templates, which escape every name
  enliven({ querySelectorAll: (selector) => filled.querySelectorAll(selector), getElementById: byId });
};
const show = (name, answer) => {
  const { filled, status, wrong } = ofPanel(name);
  filled.removeAttribute("aria-busy");
  status.textContent = "";
  tell(wrong, answer.error ?? "");
  if (answer.error) filled.replaceChildren();
  else fill(name, answer.html);
};
// Scores are shown at once where their intervals take longer.
const QUICK = 250;
const ask = async (name) => {
  waiting.get(name)?.abort();
  const control = new AbortController();
  waiting.set(name, control);
  const request = { state: said(), tab };
  const { filled, status } = ofPanel(name);
  filled.setAttribute("aria-busy", "true");
  const slow = setTimeout(async () => {
    status.textContent = "Computing …";
    if (name !== "board") return;
    try {
      const first = await (await post("/panel/board", { ...request, quick: true }, control.signal)).json();
      if (first.html && waiting.get(name) === control && filled.hasAttribute("aria-busy")) { fill(name, first.html); status.textContent = "Computing confidence intervals …"; }
    } catch { /* overtaken, or told below */ }
  }, QUICK);
  try {
    const answer = await (await post(`/panel/${name}`, request, control.signal)).json();
    if (waiting.get(name) !== control || answer.overtaken) return null;
    if (name !== "data") show(name, answer);
    return answer;
  } catch (error) {
    if (error.name !== "AbortError") show(name, { error: "There is no answer. Is betterthan still running?" });
    return null;
  } finally {
    clearTimeout(slow);
  }
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-against]");
  if (!button) return;
  byId("b").value = button.dataset.against;
  byId("b").dispatchEvent(new Event("change", { bubbles: true }));
  byId("view-pairs").scrollIntoView();
  byId("b").focus();
});
