// What the picture marks for a question: hits with their rank, then the notes that links led to, and the steps between.
function wayOf(answer) {
  const way = { marks: new Map(), steps: [] };
  if (!answer?.recall) return way;
  const { hits = [], linked = [] } = answer.recall.trace;
  hits.forEach(({ note }, place) => way.marks.set(note, { kind: "hit", rank: place + 1 }));
  for (const { note, via } of linked) {
    if (!way.marks.has(note)) way.marks.set(note, { kind: "linked" });
    way.steps.push([via, note]);
  }
  return way;
}

function retrievalPanel(memory, answer) {
  const { hits = [], linked = [] } = answer.recall.trace;
  const plain = memory.plain[askedAs(answer)];
  const evidence = QUESTIONS[answer.question].evidence;
  const shown = new Set([...hits, ...linked].map(({ note }) => note));
  const item = (id, detail) => {
    const [, turn, , , content] = memory.notes[memory.index.get(id)];
    const isEvidence = evidence.includes(turn);
    return element("li", { class: isEvidence ? "evidence" : null }, noteLink(memory, id), isEvidence ? element("strong", {}, " ★ evidence") : "",
      element("span", { class: "soft" }, ` ${detail} `), content);
  };
  const missed = evidence.filter((turn) => !memory.notes.some(([id, own]) => own === turn && shown.has(id)));
  return element("div", {}, element("p", {}, missed.length ? `Evidence not shown: ${missed.join(", ")}.` : evidence.length ? "All evidence was shown." : ""),
    element("div", { class: "side" },
      element("section", {}, element("h4", {}, `This memory: ${hits.length} hits, then ${linked.length} through links`),
        element("ol", { class: "turns" }, hits.map(({ note, score }) => item(note, `hit, cosine ${score.toFixed(3)}`)),
          linked.map(({ note, via }) => item(note, `through a link of ${via}`)))),
      element("section", {}, element("h4", {}, `Plain top-${plain?.length ?? "k"}: as many notes, no links`),
        plain ? element("ol", { class: "turns" }, plain.map(({ note, score }) => item(note, `cosine ${score.toFixed(3)}${shown.has(note) ? "" : ", not in this memory's recall"}`)))
          : element("p", {}, "The question's vector is not in the record store beside the run."))));
}
