const SHORT_LIST = 12;
const answersTo = (id) => ANSWERS.filter((answer) => answer.question === id);

function answerView(root) {
  const { q, cell } = state();
  const all = answersTo(q);
  const answer = all.find((one) => cellOf(one) === cell) ?? all[0];
  if (!answer) return root.append(element("h2", { tabindex: -1 }, "No such question"), element("p", {}, q ?? ""));
  root.append(questionHead(q),
    element("form", {}, select("Method", all.map((one) => [cellOf(one), cellLabel(cellOf(one))]), cellOf(answer), (value) => go({ cell: value }))),
    element("p", {}, element("a", { href: address({ view: "compare", q, a: cellOf(answer) }) }, "Compare with another method"), memoryLink(answer, " · ")),
    answerPanel(answer, ""));
}

function questionHead(id) {
  const question = QUESTIONS[id];
  return element("div", {}, element("h2", { tabindex: -1 }, question.question),
    facts([["Question", `${id}, ${words(question.category)}`], ["Reference", reference(question)], ["Trap", question.trap], ...question.facts]),
    element("p", { class: "soft" }, `${SCORES.rule} ${FOUND_MEANS}`));
}

function memoryLink(answer, before = "") {
  const mem = memoryName(answer);
  return mem in MEMORIES
    ? element("span", {}, before, element("a", { href: address({ view: "memory", mem, q: `${answer.method}/${answer.question}` }) }, "See it in the memory"))
    : null;
}

const memoryName = (answer) => `${answer.backbone}/${DATA.memoryOf[answer.method]}/${QUESTIONS[answer.question].conversation}/${answer.repeat}`;

// `side` tells the two of a comparison apart in the address.
function answerPanel(answer, side) {
  const failure = answer.failure && `${answer.failure.kind}: ${answer.failure.message}`;
  return element("div", { class: "answer" },
    facts([["Prediction", answer.prediction], ["Failure", failure], ["Answer", outcomeMark(answer)],
      ["Options", answer.options && answer.options.join(" | ")],
      ["Scores ×100", Object.entries(SCORES.headings).map(([key, name]) => `${name} ${score(answer.scores[key])}`).join(", ")],
      ["Tokens", `${answer.prompt_tokens ?? "—"} in the answering prompt, ${answer.recall?.tokens ?? "—"} recalled`]]),
    evidenceList(answer), sourceList(answer, side), recalledText(answer, side), callList(answer, side));
}

function evidenceList(answer) {
  const question = QUESTIONS[answer.question];
  const got = new Map();
  for (const [turn, derived] of sourcesOf(answer)) if (!got.has(turn) || !derived) got.set(turn, derived);
  const item = (turn) => {
    const mark = !got.has(turn) ? ["bad", "✗ missed"] : ["good", got.get(turn) ? "✓ hit, derived" : "✓ hit, verbatim"];
    return element("li", {}, element("span", { class: mark[0] }, mark[1]), ` ${turn} `, turnText(question, turn));
  };
  const list = () => element("ul", { class: "turns" }, question.evidence.map(item));
  const hits = question.evidence.filter((turn) => got.has(turn)).length;
  return element("div", {}, element("h3", {}, "Evidence"), question.evidence.length > SHORT_LIST
    ? folded(`${hits} of ${question.evidence.length} turns recalled, ${share(answer)}, ${SCORES.found}`, list)
    : question.evidence.length ? list()
    : element("p", { class: "soft" }, "The data set names no evidence."));
}

const turnText = (question, turn) => TURNS[question.conversation]?.[turn] ?? "";

function sourceList(answer, side) {
  const question = QUESTIONS[answer.question];
  const sources = sourcesOf(answer);
  const item = ([turn, derived]) => {
    const evidence = question.evidence.includes(turn);
    return element("li", { class: evidence ? "evidence" : null }, turn, derived ? " (derived)" : "",
      evidence ? element("strong", {}, " ★ evidence ") : " ", turnText(question, turn));
  };
  return folded(`${side}turns`, `Recalled turns: ${sources.length}`, () => element("ol", { class: "turns" }, sources.map(item)));
}

function recalledText(answer, side) {
  if (!answer.recall) return element("p", {}, "Nothing was recalled.");
  const { text, trace } = answer.recall;
  return element("div", {},
    text && folded(`${side}text`, "Recalled text", async () => longText("Recalled text", await textOf(text))),
    Object.keys(trace).length ? folded(`${side}trace`, "Trace", () => longText("Trace", JSON.stringify(trace, null, 1))) : null);
}

function callList(answer, side) {
  const item = ([purpose, key, prompt, completion, seconds, usd, failure], place) =>
    folded(`${side}call${place + 1}`, `${purpose}: ${prompt ?? "—"} + ${completion ?? "—"} tokens, ${seconds.toFixed(2)} s` +
      `${usd === null ? "" : `, $${usd.toFixed(4)}`}${failure ? `, failed: ${failure}` : ""}`, () => promptOf(key));
  return element("div", {}, element("h3", {}, "Calls, with their exact prompts"), answer.calls.map(item));
}

async function promptOf(key) {
  const prompt = (await unpacked()).prompts[key];
  if (!prompt) return element("p", {}, `The record store beside the run did not hold the call ${key}.`);
  const messages = await Promise.all(prompt.messages.map(async ([role, places]) =>
    [element("h4", {}, role), longText(`Prompt, ${role}`, await textOf(places))]));
  const reply = prompt.reply && [element("h4", {}, "reply"), longText("Reply", await textOf(prompt.reply))];
  return element("div", {}, messages, reply, element("p", { class: "soft" }, `${JSON.stringify(prompt.sampling)} ${key}`));
}
