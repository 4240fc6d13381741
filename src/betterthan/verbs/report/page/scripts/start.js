// Where the page is: the document, or the shadow of a fragment within another page, which stands before this script.
const root = document.currentScript.previousElementSibling?.shadowRoot ?? document;
const data = JSON.parse(root.getElementById("data").textContent);
const make = (name, text, parent, attributes = {}) => {
  const node = document.createElement(name);
  if (text !== undefined && text !== null) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (parent) parent.append(node);
  return node;
};
