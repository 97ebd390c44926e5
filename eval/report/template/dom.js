// What `eval.report.page.packed` packed: compressed JSON in an element that nothing else reads.
async function unpack(id) {
  const raw = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

const DATA = await unpack("data");
const { labels: LABELS, questions: QUESTIONS, answers: ANSWERS, turns: TURNS, memories: MEMORIES, scores: SCORES } = DATA;
for (const { recall } of ANSWERS) if (recall) Object.assign(recall, DATA.recalls[recall.same]);

// Everything shown goes through text nodes and attributes: what a dialogue holds is never read as markup.
function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "circle", "line", "text", "g", "title"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined).map(asNode));
  return node;
}

function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

function select(label, options, chosen, onchange) {
  const entries = options.map(([value, text]) => element("option", { value, selected: value === chosen }, text));
  return element("label", {}, label, element("select", { "data-control": label, onchange: (event) => onchange(event.target.value) }, entries));
}

// Whoever works by keyboard keeps the control that a choice was made at, though the view around it is built anew.
function keepingFocus(build) {
  const held = document.activeElement?.dataset.control;
  build();
  if (held) document.querySelector(`[data-control="${CSS.escape(held)}"]`)?.focus();
}

const longText = (name, text) => element("pre", { tabindex: 0, role: "group", "aria-label": name }, text);

function facts(entries) {
  const known = entries.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", {}, known.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

// Builds its content when it is first opened, so that a page of many prompts stays quick. What is open stands in the
// address under `name`.
function folded(name, summary, build) {
  const box = element("details", { open: opened().includes(name) }, element("summary", {}, summary));
  box.addEventListener("toggle", async () => {
    const others = opened().filter((other) => other !== name);
    note({ open: (box.open ? [...others, name] : others).join(",") });
    if (box.open && box.children.length === 1) box.append(await build());
  });
  return box;
}

const opened = () => (state().open ?? "").split(",").filter(Boolean);

let texts = null;
const unpacked = () => (texts ??= unpack("texts"));

async function textOf(places) {
  const { lines } = await unpacked();
  return places.flatMap((place) => Array.isArray(place) ? lines.slice(place[0], place[0] + place[1]) : [lines[place]]).join("\n");
}

// Turns in a row are stored as the first one and the number of the last.
function sourcesOf(answer) {
  return (answer.recall?.sources ?? []).flatMap(([turn, derived, to]) => {
    if (to === undefined) return [[turn, derived]];
    const colon = turn.lastIndexOf(":");
    const first = Number(turn.slice(colon + 1));
    return Array.from({ length: to - first + 1 }, (_, i) => [`${turn.slice(0, colon)}:${first + i}`, derived]);
  });
}

const words = (name) => name.replaceAll("_", " ");
const unique = (values) => [...new Set(values)];
const methodLabel = (name) => LABELS.methods[name] ?? name;
