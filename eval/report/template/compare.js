function compareView(root) {
  const ids = Object.keys(QUESTIONS);
  const now = state();
  const id = now.q in QUESTIONS ? now.q : ids[0];
  if (!id) return root.append(element("h2", { tabindex: -1 }, "Compare"), element("p", {}, "No questions are in this file."));
  const all = answersTo(id);
  const cells = all.map(cellOf);
  const first = cells.includes(now.a) ? now.a : cells[0];
  const second = cells.includes(now.b) ? now.b : cells.find((cell) => cell !== first) ?? first;
  const place = ids.indexOf(id);
  const step = (to, text) => element("button", { type: "button", "data-control": text, disabled: !ids[to], onclick: () => go({ q: ids[to] }) }, text);
  const choices = cells.map((cell) => [cell, cellLabel(cell)]);
  const panel = (cell, side) => {
    const answer = all.find((one) => cellOf(one) === cell);
    return element("section", { "aria-label": cellLabel(cell) }, element("h3", {}, cellLabel(cell)), answerPanel(answer, side), memoryLink(answer));
  };
  root.append(questionHead(id),
    element("form", { onsubmit: (event) => event.preventDefault() },
      select("Question", ids.map((one) => [one, `${one}: ${QUESTIONS[one].question}`]), id, (q) => go({ q, a: first, b: second })),
      step(place - 1, "Previous"), step(place + 1, "Next"),
      select("Left", choices, first, (a) => go({ q: id, a, b: second })),
      select("Right", choices, second, (b) => go({ q: id, a: first, b }))),
    element("div", { class: "side" }, panel(first, "left-"), panel(second, "right-")));
}
