// Keeps the organiser's page up to date: every few seconds the part that changes is fetched and put in place.
const EVERY = 5000;

async function refresh() {
  const live = document.getElementById("live");
  if (document.hidden || live.contains(document.activeElement)) return;
  const answer = await fetch("/organiser", { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("live");
  if (fresh) live.replaceWith(document.adoptNode(fresh));
}

setInterval(() => refresh().catch(() => undefined), EVERY);
