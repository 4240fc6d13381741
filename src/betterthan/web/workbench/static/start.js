// What all parts share: elements by id, elements made, and requests to our own server.
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, text, parent, attributes = {}) => {
  const node = document.createElement(name);
  if (text !== undefined && text !== null) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (parent) parent.append(node);
  return node;
};
// Tabs of a browser are told apart, so that none overtakes another's requests.
const tab = crypto.randomUUID();
const post = (path, body, signal) =>
  fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
const tell = (id, text) => {
  const place = typeof id === "string" ? byId(id) : id;
  place.textContent = text;
  place.hidden = text === "";
};
