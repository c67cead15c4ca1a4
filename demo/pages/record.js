// What this page has seen since it was loaded. The demo and the tests judge by it: the page's own word, not the tool's.
window.__record = {
  // A reload would make another.
  document: crypto.randomUUID(),
  events: [],
};
for (const type of ["click", "input", "change", "keydown", "submit", "focusin"]) {
  document.addEventListener(type, (event) => {
    const {tagName, name, id} = event.target;
    window.__record.events.push({type, trusted: event.isTrusted, on: name || id || tagName.toLowerCase()});
  });
}
