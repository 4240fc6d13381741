// Files: dropped or chosen, sent to our own server block by block, and closed again.
const entryOf = (file) => {
  const entry = make("li", null, byId("files"), { "data-key": file.key });
  const label = make("label", null, entry);
  make("input", null, label, { type: "checkbox", "data-file": file.key });
  label.append(" ");
  make("span", file.name, label, { class: "name", dir: "auto", title: file.path });
  make("span", file.size, entry, { class: "muted" });
  if (!file.uploaded) return;  // what was named on the command line stays
  const close = make("button", "Close", entry, { type: "button", "aria-label": `Close ${file.name}` });
  close.addEventListener("click", async () => {
    await post("/forget", { key: file.key });
    entry.remove();
    fillFiles();
    byId("picker").focus();
    changed(true);
  });
};
const upload = async (files) => {
  tell("upload-wrong", "");
  // Files that come together are one evidence; they take the place of what was shown.
  const came = [];
  for (const file of files) {
    byId("uploading").textContent = `Reading ${file.name} …`;
    try {
      const answer = await fetch(`/upload?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
      const found = answer.ok ? await answer.json() : { error: `${file.name}: ${await answer.text()}` };
      if (found.error) { tell("upload-wrong", found.error); continue; }
      entryOf(found);
      came.push(found.key);
    } catch {
      tell("upload-wrong", `${file.name} could not be sent. Is betterthan still running?`);
    }
  }
  byId("uploading").textContent = "";
  if (!came.length) return;
  for (const box of all("[data-file]")) box.checked = came.includes(box.dataset.file);
  fillFiles();
  changed(true);
};
for (const file of JSON.parse(document.body.dataset.files)) entryOf(file);
byId("picker").addEventListener("change", (event) => { upload([...event.target.files]); event.target.value = ""; });
// A file may be dropped anywhere: a browser would else leave the page for it.
for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;  // text goes into fields
  event.preventDefault();
  byId("drop").classList.toggle("over", kind === "dragover");
  if (kind === "drop" && event.dataTransfer.files.length) upload([...event.dataTransfer.files]);
});
document.addEventListener("dragleave", () => byId("drop").classList.remove("over"));
