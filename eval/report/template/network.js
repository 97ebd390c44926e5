const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A8A00", "#7B3FA0"];
const ALONE = "#8b8f97";

// Adds what the viewer asks again and again: places of notes, sessions in order, links with the note that brought them.
function prepared(memory) {
  if (memory.index) return memory;
  memory.index = new Map(memory.notes.map(([id], place) => [id, place]));
  memory.sessions = unique(memory.notes.map((entry) => entry[2]));
  memory.last = memory.sessions.map((session) => memory.notes.findLastIndex((entry) => entry[2] === session));
  // A link may be a place in the list of notes, counted from the end where negative, and may lead nowhere.
  memory.resolve = (target, count) => {
    if (typeof target === "string") return target;
    const place = target < 0 ? target + count : target;
    return place >= 0 && place < count ? memory.notes[place][0] : null;
  };
  memory.colours = boxColours(memory);
  return memory;
}

function linksAt(memory, last) {
  return memory.history
    .filter((change) => change.kind === "link" && memory.index.get(change.cause) <= last)
    .map((change) => [change.note, memory.resolve(change.target, last + 1)])
    .filter(([source, target]) => target !== null && target !== source);
}

// A box is a connected component of the links; it is called by its oldest note.
function boxesAt(memory, last) {
  const parent = new Map(memory.notes.slice(0, last + 1).map(([id]) => [id, id]));
  const root = (id) => { while (parent.get(id) !== id) id = parent.get(id); return id; };
  for (const [a, b] of linksAt(memory, last)) {
    const [older, newer] = [root(a), root(b)].sort((x, y) => memory.index.get(x) - memory.index.get(y));
    parent.set(newer, older);
  }
  const boxes = new Map();
  for (const id of parent.keys()) boxes.set(root(id), [...(boxes.get(root(id)) ?? []), id]);
  return boxes;
}

// A box keeps its colour while the slider moves: colours are given in order of first appearance.
function boxColours(memory) {
  const colours = new Map();
  for (const last of memory.last) {
    for (const [root, members] of boxesAt(memory, last)) {
      if (members.length > 1 && !colours.has(root)) colours.set(root, COLOURS[colours.size % COLOURS.length]);
    }
  }
  return colours;
}

function drawNetwork(memory, session, chosen, way, onchoose) {
  const last = memory.last[session];
  const boxes = boxesAt(memory, last);
  const rootOf = new Map([...boxes].flatMap(([root, members]) => members.map((id) => [id, root])));
  const at = (id) => memory.notes[memory.index.get(id)].slice(6);
  const line = ([a, b], name) => {
    const [[x1, y1], [x2, y2]] = [at(a), at(b)];
    return element("line", { x1, y1, x2, y2, class: name });
  };
  const shown = memory.notes.slice(0, last + 1);
  // Hundreds of notes need smaller circles, or they hide their links and one another.
  const scale = Math.min(1, Math.max(0.55, Math.sqrt(120 / memory.notes.length)));
  const circles = shown.map((entry) => noteCircle(entry, {
    scale,
    colour: boxes.get(rootOf.get(entry[0])).length > 1 ? memory.colours.get(rootOf.get(entry[0])) : ALONE,
    fresh: memory.sessions.indexOf(entry[2]) === session, chosen: entry[0] === chosen, mark: way.marks.get(entry[0]), onchoose,
  }));
  circles[Math.max(0, shown.findIndex(([id]) => id === chosen))]?.setAttribute("tabindex", 0);
  const visible = new Set(shown.map(([id]) => id));
  const steps = way.steps.filter((step) => step.every((id) => visible.has(id)));
  const ranks = [...way.marks].filter(([id, mark]) => visible.has(id) && mark.rank).map(([id, mark]) =>
    element("text", { x: at(id)[0] + 12, y: at(id)[1] - 9 }, mark.rank));
  const svg = element("svg", { class: "graph", viewBox: "0 0 1000 640", role: "group", "aria-label":
    `Note network: ${shown.length} notes in ${boxes.size} boxes. Arrow keys go from note to note, Enter chooses.` },
    linksAt(memory, last).map((link) => line(link, null)), steps.map((step) => line(step, "way")), onTop(circles), ranks);
  svg.addEventListener("keydown", (event) => arrows(event, circles));
  return [svg, boxes];
}

// What a question reached, and the chosen note, must not be hidden by others.
function onTop(circles) {
  const marked = (circle) => /hit|linked|chosen/.test(circle.getAttribute("class"));
  return [...circles.filter((circle) => !marked(circle)), ...circles.filter(marked)];
}

function noteCircle([id, turn, , , content, , x, y], { scale, colour, fresh, chosen, mark, onchoose }) {
  const names = ["note", fresh && "fresh", chosen && "chosen", mark?.kind].filter(Boolean).join(" ");
  const spoken = `${id}, ${turn}${mark ? `, ${mark.kind}` : ""}: ${content}`;
  const choose = () => onchoose(id);
  return element("circle", { cx: x, cy: y, r: scale * (chosen ? 13 : mark ? 11 : 8), fill: colour, class: names, role: "button", tabindex: -1,
    "aria-label": spoken, "aria-pressed": String(chosen), "data-note": id, onclick: choose,
    onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } } },
    element("title", {}, spoken));
}

function arrows(event, circles) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const place = circles.indexOf(document.activeElement);
  if (!step || place < 0) return;
  event.preventDefault();
  circles[place].setAttribute("tabindex", -1);
  const next = circles[(place + step + circles.length) % circles.length];
  next.setAttribute("tabindex", 0);
  next.focus();
}
