// The longest common subsequence of two lists of words, as [kind, word] with kind "same", "del" or "ins".
function difference(before, after) {
  const length = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      length[i][j] = before[i] === after[j] ? 1 + length[i + 1][j + 1] : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const steps = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    if (i < before.length && j < after.length && before[i] === after[j]) { steps.push(["same", before[i]]); i++; j++; }
    else if (j >= after.length || (i < before.length && length[i + 1][j] >= length[i][j + 1])) steps.push(["del", before[i++]]);
    else steps.push(["ins", after[j++]]);
  }
  return steps;
}

function marked(before, after, glue) {
  if (before === undefined) return after.join(glue);
  return difference(before, after).flatMap(([kind, word], i) => [i ? glue : "", kind === "same" ? word : element(kind, {}, word)]);
}

const NOTHING = { keywords: [], tags: [], context: "" };

function versions(memory, id, upTo) {
  let current;
  let number = 0;
  const changes = memory.history.filter((change) => change.note === id && memory.index.get(change.cause) <= upTo);
  return changes.map((change) => {
    const before = current;
    if (change.kind !== "link") { current = change.after ?? NOTHING; number++; }
    return element("div", { class: "version" }, element("strong", {}, versionTitle(change, number)), causeOf(memory, change),
      change.kind === "link" ? noteLink(memory, memory.resolve(change.target, memory.index.get(change.cause) + 1))
        : facts([["Keywords", marked(before?.keywords, current.keywords, ", ")], ["Tags", marked(before?.tags, current.tags, ", ")],
          ["Context", marked(before?.context.split(" "), current.context.split(" "), " ")]].map(([name, parts]) => [name, element("span", {}, parts)])));
  });
}

function versionTitle(change, number) {
  return { construct: `Version ${number}: constructed`, evolve: `Version ${number}: evolved`, link: "Linked to " }[change.kind];
}

function causeOf(memory, change) {
  return change.cause === change.note ? null : element("p", { class: "soft" }, "caused by the arrival of ", noteLink(memory, change.cause));
}

function noteLink(memory, id) {
  if (id === null) return "a note that did not exist";
  const [, turn, , , content] = memory.notes[memory.index.get(id)];
  return element("a", { href: address({ ...state(), n: id }), title: content }, `${id} (${turn})`);
}
