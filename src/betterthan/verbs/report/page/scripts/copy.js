// Copying to the clipboard.
for (const button of root.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const source = root.getElementById(button.dataset.copy);
    const status = button.parentElement.querySelector("[role=status]");
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      status.textContent = "copied";
    } catch {
      status.textContent = "select the text and copy it: this page may not write to the clipboard";
    }
  });
}

