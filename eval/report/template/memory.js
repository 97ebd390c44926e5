function memoryView(root) {
  const names = Object.keys(MEMORIES);
  root.append(element("h2", { tabindex: -1 }, "Memory"));
  for (const [name, notes] of Object.entries(DATA.undrawn)) {
    root.append(element("p", {}, `${name}: ${notes} notes are too many for a picture; python -m eval inspect-memory shows them.`));
  }
  if (!names.length) return root.append(element("p", {}, "This file holds no note network."));
  const now = state();
  const name = now.mem in MEMORIES ? now.mem : names[0];
  const memory = prepared(MEMORIES[name]);
  const picture = element("div");
  const below = element("div");
  const redraw = () => keepingFocus(() => drawMemory(memory, name, picture, below, redraw));
  const asked = ANSWERS.filter((answer) => memoryName(answer) === name && answer.recall);
  root.append(
    element("form", { onsubmit: (event) => event.preventDefault() },
      names.length > 1 ? select("Memory", names.map((one) => [one, memoryLabel(one)]), name, (mem) => go({ mem, n: "", q: "", s: "" })) : null,
      slider(memory, redraw),
      select("Question", [["", "none"], ...asked.map((answer) => [askedAs(answer), `${answer.question}${severalMethods(asked) ? `, ${methodLabel(answer.method)}` : ""}: ${QUESTIONS[answer.question].question}`])], now.q,
        (q) => { note({ q }); redraw(); })),
    picture, below);
  redraw();
}

function memoryLabel(name) {
  const parts = name.split("/");
  const [method, conversation, repeat] = parts.slice(-3);
  const backbone = parts.slice(0, -3).join("/");
  return [methodLabel(method), conversation, LABELS.backbones[backbone] ?? backbone, repeat === "0" ? "" : `repeat ${repeat}`].filter(Boolean).join(", ");
}

// Rows of a k-sweep ask one memory, so a question alone does not say what was recalled.
const askedAs = (answer) => `${answer.method}/${answer.question}`;
const severalMethods = (answers) => unique(answers.map((answer) => answer.method)).length > 1;

function sessionOf(memory) {
  const wanted = Number(state().s || memory.sessions.length);
  return Math.min(Math.max(1, wanted || 1), memory.sessions.length) - 1;
}

function slider(memory, redraw) {
  const output = element("output", {}, "");
  const tell = () => {
    const place = sessionOf(memory);
    output.textContent = `${memory.sessions[place]}, ${memory.notes[memory.last[place]][5]}`;
    input.setAttribute("aria-valuetext", output.textContent);
  };
  const input = element("input", { type: "range", id: "session", "data-control": "After session", min: 1, max: memory.sessions.length, value: sessionOf(memory) + 1,
    oninput: (event) => { note({ s: event.target.value }); tell(); redraw(); } });
  tell();
  return element("label", {}, "After session ", input, output);
}

function drawMemory(memory, name, picture, below, redraw) {
  const { n, q } = state();
  const session = sessionOf(memory);
  const answer = q && ANSWERS.find((one) => memoryName(one) === name && askedAs(one) === q);
  const choose = (id) => { note({ n: id }); redraw(); picture.querySelector(`[data-note="${id}"]`)?.focus(); };
  const [svg, boxes] = drawNetwork(memory, session, n, wayOf(answer), choose);
  const visible = memory.notes.slice(0, memory.last[session] + 1);
  picture.replaceChildren(element("div", { class: "scroll" }, svg), legend(memory, boxes, Boolean(answer)));
  below.replaceChildren(
    element("form", { onsubmit: (event) => event.preventDefault() },
      select("Note", [["", "none"], ...visible.map(([id, turn, , , content]) => [id, `${id} (${turn}) ${content.slice(0, 80)}`])], n ?? "", (id) => { note({ n: id }); redraw(); })),
    memory.index.has(n) ? noteSection(memory, n, memory.last[session], boxes) : "",
    answer ? element("section", {}, element("h3", {}, QUESTIONS[answer.question].question), retrievalPanel(memory, answer)) : "");
}

function legend(memory, boxes, withQuestion) {
  const large = [...boxes].filter(([, members]) => members.length > 1).sort((a, b) => b[1].length - a[1].length);
  const alone = [...boxes].length - large.length;
  const shown = large.slice(0, 10).map(([root, members], i) => element("span", {}, i ? ", " : " ",
    element("span", { class: "swatch", style: `background:${memory.colours.get(root)}` }), `box of ${root}: ${members.length} notes`));
  return element("p", { class: "soft" }, `Boxes of linked notes: ${large.length};`, shown, large.length > 10 ? ", …" : "", `; ${alone} notes alone (grey). `,
    "Outlined: new in this session. Large ring: the chosen note.", withQuestion ? " Numbers: hits by rank; dashed: reached through a link." : "");
}

function noteSection(memory, id, last, boxes) {
  const place = memory.index.get(id);
  if (place > last) return element("p", {}, `${id} is not there yet after this session.`);
  const [, turn, session, speaker, content, time] = memory.notes[place];
  const box = [...boxes.values()].find((members) => members.includes(id));
  const from = linksAt(memory, last).filter(([, target]) => target === id).map(([source]) => source);
  return element("section", { "aria-label": `Note ${id}` }, element("h3", {}, `Note ${id}`),
    facts([["Content", content], ["Turn", `${turn}, ${session}, ${speaker}, ${time}`], ["Box", `${box.length} notes`],
      ["Linked from", element("span", {}, unique(from).flatMap((source, i) => [i ? ", " : "", noteLink(memory, source)]))]]),
    element("h4", {}, "What happened to it"), versions(memory, id, last));
}
