// Downloads: what is seen, in every format.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-download]");
  if (!button) return;
  const status = button.parentElement.querySelector("[role=status]");
  status.textContent = "Writing …";
  try {
    const answer = await post(`/download/${button.dataset.download}`, { state: said() });
    if (!answer.headers.has("content-disposition")) { status.textContent = (await answer.json()).error ?? "This cannot be written."; return; }
    const address = URL.createObjectURL(await answer.blob());
    make("a", null, null, { href: address, download: button.dataset.download }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    status.textContent = `${button.dataset.download} is written.`;
  } catch {
    status.textContent = "There is no answer. Is betterthan still running?";
  }
});
