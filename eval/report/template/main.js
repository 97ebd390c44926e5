const VIEWS = { questions: questionsView, answer: answerView, compare: compareView, memory: memoryView };
let current = null;

function show() {
  if (location.hash === "#main") return;
  const target = document.getElementById(location.hash.slice(1));
  const name = state().view in VIEWS ? state().view : "overview";
  const place = document.getElementById("view");
  document.getElementById("overview").hidden = name !== "overview";
  place.hidden = name === "overview";
  keepingFocus(() => {
    place.replaceChildren();
    VIEWS[name]?.(place);
  });
  for (const link of document.querySelectorAll("nav a")) {
    const own = link.dataset.view === name || (name === "answer" && link.dataset.view === "questions");
    if (own) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  // A new view is announced by its heading; a choice within a view keeps the place that it was made at.
  if (current !== null && current !== name) document.querySelector("section:not([hidden]) > h2, #view h2")?.focus();
  current = name;
  if (target && name === "overview") reveal(target);
}

// A place on the overview, also one that is folded away or stood in a hidden view a moment ago.
function reveal(target) {
  const folded = target.closest("details") ?? target.parentElement.querySelector(`#${target.id} + details`);
  if (folded) folded.open = true;
  target.scrollIntoView();
}

window.addEventListener("hashchange", show);
show();
document.documentElement.dataset.ready = "";
