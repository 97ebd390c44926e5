// The whole state of the page is in the address, so that any view can be linked to.
function state() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function address(values) {
  const kept = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return "#" + new URLSearchParams(kept);
}

function go(changes) {
  location.hash = address({ ...state(), ...changes });
}

// For what changes at every key or step of a slider: no entry in the history, and no new view.
function note(changes) {
  history.replaceState(null, "", address({ ...state(), ...changes }));
}
