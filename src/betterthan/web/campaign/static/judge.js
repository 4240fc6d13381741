// Adds speed to a page that works without it: keys, drafts, sending without a reload, differences between words.
// An answer stays in this browser until the server has said that it is kept.
const $ = (query, root = document) => root.querySelector(query);
const $$ = (query, root = document) => [...root.querySelectorAll(query)];
const { judge, words: texts } = document.body.dataset;
const words = JSON.parse(texts);
const csrf = () => document.body.dataset.csrf;
const say = (text) => ($("#note").textContent = text);
const fill = (text, cards) => text.replace("{cards}", cards.join(", "));
const form = () => $("#judge");
const groups = () => $$("fieldset[data-card]", form());
const lacking = () => groups().filter((group) => !$("input:checked", group));
const name = (kind, lease = $("main").dataset.lease) => `betterthan:${judge}:${kind}:${lease}`;
let busy = false, timer = 0, started = 0, marked = false;

// Storage may be full or forbidden: then there are the drafts on the server.
const store = {
  get(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* go on without */ } },
  remove(key) { try { localStorage.removeItem(key); } catch { /* nothing was kept */ } },
  names(start) { try { return Object.keys(localStorage).filter((key) => key.startsWith(start)); } catch { return []; } },
};

function fields() {
  $("[name=seconds]", form()).value = ((performance.now() - started) / 1000).toFixed(3);
  return [...new FormData(form())];
}

function post(url, body, more) {
  return fetch(url, { method: "POST", body: new URLSearchParams(body), headers: { "X-CSRF": csrf() }, ...more });
}

// Drafts: here at once, on the server when nothing has changed for two seconds.
function changed() {
  $("[name=at]", form()).value = Date.now();
  store.set(name("draft"), fields().filter(([key]) => key !== "csrf" && key !== "key"));
  clearTimeout(timer);
  timer = setTimeout(keepDraft, 2000);
  look();
}

async function keepDraft() {
  clearTimeout(timer);
  timer = 0;
  if (busy || !form()) return;
  try {
    const answer = await post(`${form().action}/draft`, fields(), { keepalive: true });
    if (busy) return;
    if (answer.ok) say(words.draft);
    else if (answer.status === 401) say(words.ended);
  } catch { if (!busy) say(words.offline); }
}

function restore() {
  const draft = store.get(name("draft"));
  const at = draft && new Map(draft).get("at");
  if (!draft || Number(at) <= Number($("main").dataset.at)) return;
  for (const input of form().elements) {
    if (input.type === "radio" || input.type === "checkbox") {
      input.checked = draft.some(([key, value]) => key === input.name && value === input.value);
    } else if (["reason", "seconds", "at"].includes(input.name)) {
      input.value = new Map(draft).get(input.name) ?? "";
    }
  }
}

// What is lacking, said where one looks.
function look(loud) {
  const open = lacking();
  const letters = [...new Set(open.map((group) => "ABCDE"[group.dataset.card - 1]))];
  const touched = loud || open.length < groups().length;
  const text = letters[0] ? words[letters.length > 1 ? "lacks_several" : "lacks_one"] : words.no_choice;
  $("#missing").textContent = open.length && touched ? fill(text, letters) : "";
  $("#missing").classList.toggle("loud", !!loud);
  for (const group of groups()) {
    const lacks = open.includes(group);
    if (!lacks || loud) group.classList.toggle("lacks", lacks);
  }
  for (const card of $$(".card")) {
    const open = $$("fieldset", card).some((group) => !$("input:checked", group));
    if (!open || loud) card.classList.toggle("lacks", open);
    $(`.chips [data-card="${card.id.slice(5)}"]`)?.classList.toggle("done", !open);
  }
}

function submit() {
  const open = lacking();
  if (!open.length) return send({ url: form().action, body: fields(), lease: $("main").dataset.lease });
  look(true);
  $("input", open[0]).focus();
}

const pause = (seconds) => new Promise((done) => {
  setTimeout(done, seconds * 1000);
  addEventListener("online", done, { once: true });
});

// Send until the server has answered. With `lease` it is kept here until then; `once` is not sent twice, but looked up.
async function send(sent) {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  say(words.saving);
  if (sent.lease) store.set(name("pending", sent.lease), sent);
  let look = false, fresh = false;
  for (let wait = 1; ; wait = Math.min(2 * wait, 15)) {
    let answer, html;
    try {
      answer = await (look ? fetch("/") : post(sent.url, sent.body));
      look ||= sent.once || answer.redirected;
      html = await answer.text();
    } catch {
      look ||= sent.once;
      say(words.offline);
      await pause(wait);
      continue;
    }
    if (answer.status >= 500 || answer.status === 429) {
      say(words.offline);
      await pause(Number(answer.headers.get("Retry-After")) || wait);
      continue;
    }
    if (answer.status === 403 && !fresh) { // somebody signed in anew in another tab: the token is that of the old session
      fresh = true;
      document.body.dataset.csrf = (await fetchPage()).body.dataset.csrf ?? csrf();
      continue;
    }
    busy = false;
    if (answer.status === 401 && !look) return say(words.ended);
    // What another campaign at this address has to be told is not ours to drop.
    if (sent.old && answer.status === 404) return say("");
    if (sent.lease) {
      store.remove(name("pending", sent.lease));
      if (answer.ok || answer.status === 409) store.remove(name("draft", sent.lease));
    }
    say(answer.ok ? words.saved : words.refused);
    return show(html, answer.url);
  }
}

const parse = (html) => new DOMParser().parseFromString(html, "text/html");

async function fetchPage() {
  try { return parse(await (await fetch("/")).text()); } catch { return document; }
}

function show(html, url) {
  const next = parse(html);
  if (!$("#judge", next) && $("main", next).dataset.stage !== "refused") return location.replace(url);
  document.title = next.title;
  document.body.dataset.csrf = next.body.dataset.csrf ?? csrf();
  for (const part of ["#progress", "#help", "main"]) if ($(part, next)) $(part)?.replaceWith($(part, next));
  scrollTo(0, 0);
  begin();
  const first = $("[autofocus]") ?? $("main");
  if (first.matches("main")) first.tabIndex = -1;
  first.focus({ preventScroll: first.matches("main") });
}

function begin() {
  marked = false;
  if (!form()) return wait();
  restore();
  started = performance.now() - 1000 * Number($("[name=seconds]", form()).value);
  $("#diff").hidden = false;
  if (!$("#missing").textContent) look();
}

// Look again without a reload, which would begin reading aloud anew, until there is something else to show.
async function wait() {
  const { refresh, stage } = $("main").dataset;
  while (refresh) {
    await pause(Number(refresh));
    if ($("main", await fetchPage()).dataset.stage !== stage) return location.replace("/");
  }
}

// Choosing.
function choose(group, value) {
  const input = group && $$("input", group).find((each) => each.value === value);
  if (!input) return;
  const fresh = !$("input:checked", group);
  input.checked = true;
  changed();
  const next = fresh && lacking().find((each) => each.dataset.card >= group.dataset.card) || fresh && lacking()[0];
  (next ? $("input", next) : input).focus();
}

function current() {
  const active = document.activeElement;
  const own = active.closest?.("fieldset[data-card]");
  if (own) return own;
  const card = active.closest?.(".card");
  const inside = card ? $$("fieldset", card) : [];
  return inside.find((group) => !$("input:checked", group)) ?? inside[0] ?? lacking()[0] ?? groups()[0];
}

function allEqual() {
  for (const group of groups()) $$("input", group).find((each) => ["1", "equal"].includes(each.value)).checked = true;
  changed();
}

// Differences: words that are not in the longest common sequence with the card in focus, or with A.
const split = (text) => Intl.Segmenter
  ? [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].map((part) => part.segment)
  : text.split(/(\s+)/);

function pieces(card) {
  const walker = document.createTreeWalker($(".output", card), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) for (const text of split(walker.currentNode.data)) found.push([walker.currentNode, text]);
  return found;
}

function common(one, two) {
  const width = two.length + 1, table = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) for (let j = two.length - 1; j >= 0; j--) {
    table[i * width + j] = one[i] === two[j] ? table[(i + 1) * width + j + 1] + 1
      : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
  }
  const inOne = new Set(), inTwo = new Set();
  for (let i = 0, j = 0; i < one.length && j < two.length;) {
    if (one[i] === two[j]) { inOne.add(i++); inTwo.add(j++); }
    else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) i++;
    else j++;
  }
  return [inOne, inTwo];
}

function mark(parts, same) {
  const nodes = new Map();
  parts.forEach(([node, text], at) => {
    if (!nodes.has(node)) nodes.set(node, []);
    const differs = !same.has(at) && text.trim();
    const made = differs ? document.createElement("mark") : document.createTextNode(text);
    if (differs) made.textContent = text;
    nodes.get(node).push(made);
  });
  for (const [node, made] of nodes) node.replaceWith(...made);
}

function differences() {
  const base = document.activeElement.closest?.(".card") ?? $(".card");
  for (const each of $$(".output mark")) each.replaceWith(each.textContent);
  for (const each of $$(".output")) each.normalize();
  marked = !marked;
  $("#diff").setAttribute("aria-pressed", marked);
  if (!marked) return;
  const cards = $$(".card"), mine = pieces(base).slice(0, 4000);
  for (const card of cards.filter((each) => each !== base)) {
    const theirs = pieces(card).slice(0, 4000);
    const [inMine, inTheirs] = common(mine.map((part) => part[1]), theirs.map((part) => part[1]));
    mark(theirs, inTheirs);
    if (cards.length === 2) mark(mine, inMine);
  }
}

function undo() {
  if ($("#undo-button").getAttribute("aria-disabled")) return say($("#undo-button").title);
  send({ url: "/undo", body: [], once: true });
}

function toggle(menu) {
  menu.open = !menu.open;
  if (menu.open) $("input, textarea", menu)?.focus();
  else $("summary", menu).focus();
}

document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (!["judge", "skip", "problem", "undo"].includes(target.id)) return;
  event.preventDefault();
  if (submitter?.id === "equal") allEqual();
  else if (target.id === "judge") submit();
  else if (target.id === "undo") undo();
  else {
    const lease = target.id === "skip" && $("main").dataset.lease;
    send({ url: target.action, body: [...new FormData(target)], lease });
  }
});
document.addEventListener("input", (event) => event.target.form?.id === "judge" && changed());
document.addEventListener("click", (event) => event.target.closest("#diff") && differences());
document.addEventListener("visibilitychange", () => document.hidden && timer && keepDraft());
addEventListener("pageshow", (event) => event.persisted && location.reload());
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!form() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (key === "Escape") {
    for (const menu of $$("#help[open], .menu[open]")) toggle(menu);
    return;
  }
  if (target.closest(".popup, textarea, select, input:not([type=radio], [type=checkbox])")) return;
  const arrow = { ArrowLeft: "left", ArrowDown: "equal", ArrowRight: "right" }[key];
  const count = Number($("main").dataset.cards);
  const own = !target.closest("a, button, summary");
  const scrolls = target.closest(".long, pre");
  const does = {
    "=": allEqual, d: differences, u: undo, s: () => toggle($("#skip-menu")), "?": () => toggle($("#help")),
    Enter: own && !event.repeat && submit,
  }[key.length === 1 ? key.toLowerCase() : key];
  if (does) does();
  else if (count === 2 && arrow && !scrolls && !target.closest(".strength")) choose(current(), arrow);
  else if (count > 2 && key >= "1" && key <= String(count)) choose(current(), key);
  else return;
  event.preventDefault();
});

begin();
for (const key of store.names(name("pending", ""))) await send({ ...store.get(key), old: true });
