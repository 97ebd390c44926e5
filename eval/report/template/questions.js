const PAGE = 100;
const OUTCOMES = [["", "all"], ["right", "right"], ["wrong", "wrong"], ["failed", "failed"]];
const FOUND = [["", "all"], ["hit", "all found"], ["part", "some found"], ["missed", "none found"], ["none", "no evidence"]];
const FOUND_MEANS = `Evidence found: the share ${SCORES.found} that was recalled, in a turn's own words (verbatim) or through text written from it (derived: a gist, a summary), which may hold less.`;

const cellOf = (answer) => `${answer.backbone}/${answer.method}/${answer.repeat}`;

function cellLabel(cell) {
  const [backbone, method, repeat] = splitCell(cell);
  const parts = [methodLabel(method)];
  if (Object.keys(LABELS.backbones).length > 1) parts.push(LABELS.backbones[backbone] ?? backbone);
  if (ANSWERS.some((answer) => answer.repeat > 0)) parts.push(`repeat ${repeat}`);
  return parts.join(", ");
}

function splitCell(cell) {
  const parts = cell.split("/");
  return [parts.slice(0, -2).join("/"), parts.at(-2), parts.at(-1)];
}

const outcome = (answer) => (answer.failure ? "failed" : answer.right ? "right" : "wrong");

function found(answer) {
  if (answer.found === null) return "none";
  return answer.found === 1 ? "hit" : answer.found > 0 ? "part" : "missed";
}

function searched(answer) {
  const question = QUESTIONS[answer.question];
  return [answer.question, question.question, question.reference, question.trap, question.facts.join(), answer.prediction].join("\n").toLowerCase();
}

function matching(filter) {
  const text = (filter.text ?? "").toLowerCase();
  return ANSWERS.filter((answer) =>
    (!filter.category || QUESTIONS[answer.question].category === filter.category) &&
    (!filter.cell || cellOf(answer) === filter.cell) &&
    (!filter.outcome || outcome(answer) === filter.outcome) &&
    (!filter.evidence || found(answer) === filter.evidence) &&
    (!text || searched(answer).includes(text)));
}

function questionsView(root) {
  const results = element("div");
  const count = element("p", { role: "status" });
  const show = () => {
    const rows = matching(state());
    const shown = Number(state().rows) || PAGE;
    count.textContent = `${rows.length} of ${ANSWERS.length} answers`;
    const more = rows.length > shown ? [element("button", { type: "button", onclick: () => { note({ rows: shown + PAGE }); show(); results.querySelectorAll("tbody a")[shown].focus(); } }, "Show more")] : [];
    results.replaceChildren(answerTable(rows.slice(0, shown)), ...more);
  };
  const set = (name) => (value) => { note({ [name]: value, rows: "" }); show(); };
  const now = state();
  const every = (values, label) => [["", "all"], ...unique(values).map((value) => [value, label(value)])];
  root.append(
    element("h2", { tabindex: -1 }, "Questions"),
    element("form", { role: "search", onsubmit: (event) => event.preventDefault() },
      select("Category", every(Object.values(QUESTIONS).map((q) => q.category), words), now.category, set("category")),
      select("Method", every(ANSWERS.map(cellOf), cellLabel), now.cell, set("cell")),
      select("Answer", OUTCOMES, now.outcome, set("outcome")),
      select("Evidence", FOUND, now.evidence, set("evidence")),
      element("label", {}, "Text", element("input", { type: "search", value: now.text ?? "", oninput: (event) => set("text")(event.target.value) }))),
    element("p", { class: "soft" }, `${SCORES.rule} ${FOUND_MEANS}`), count, results);
  show();
}

function answerTable(rows) {
  const headings = ["Question", "Category", "Method", "Prediction", "Reference", Object.values(SCORES.headings)[0], "Answer", "Evidence"];
  return element("table", { class: "list" },
    element("colgroup", {}, headings.map((name) => element("col", { class: name === "Question" ? "wide" : null }))),
    element("thead", {}, element("tr", {}, headings.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rows.map((answer) => answerRow(answer, headings))));
}

function answerRow(answer, headings) {
  const question = QUESTIONS[answer.question];
  const link = element("a", { href: address({ view: "answer", q: answer.question, cell: cellOf(answer) }) }, question.question);
  const cells = [words(question.category), cellLabel(cellOf(answer)), answer.prediction ?? "—", reference(question),
    score(answer.scores[Object.keys(SCORES.headings)[0]]), outcomeMark(answer), share(answer)];
  return element("tr", {}, element("th", { scope: "row" }, link),
    cells.map((cell, i) => element("td", { "data-label": headings[i + 1] }, cell)));
}

const reference = (question) => question.category === "adversarial" ? "not in the conversation" : question.reference;
const score = (value) => (value === null ? "—" : (100 * value).toFixed(1));
const percent = (value) => `${Math.round(100 * value)}%`;

function share(answer) {
  if (answer.found === null) return "—";
  const own = answer.verbatim === null || answer.verbatim === answer.found ? "" : `, ${percent(answer.verbatim)} verbatim`;
  return `${percent(answer.found)} found${own}`;
}

function outcomeMark(answer) {
  const kind = outcome(answer);
  return element("span", { class: kind === "right" ? "good" : "bad" }, { right: "✓ right", wrong: "✗ wrong", failed: "! failed" }[kind]);
}
