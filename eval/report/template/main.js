const VIEWS = { questions: questionsView, answer: answerView, compare: compareView, memory: memoryView };
let current = null;

function show() {
  if (location.hash === "#main") return;
  const name = state().view in VIEWS ? state().view : "overview";
  const place = document.getElementById("view");
  document.getElementById("overview").hidden = name !== "overview";
  place.hidden = name === "overview";
  place.replaceChildren();
  VIEWS[name]?.(place);
  for (const link of document.querySelectorAll("nav a")) {
    const own = link.dataset.view === name || (name === "answer" && link.dataset.view === "questions");
    if (own) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  // A new view is announced by its heading; a choice within a view keeps the place that it was made at.
  if (current !== null && current !== name) document.querySelector("section:not([hidden]) > h2, #view h2")?.focus();
  current = name;
}

window.addEventListener("hashchange", show);
show();
