// What both pages of the tab have: the worker in which Python plays, what is opened, the way back.
const state = document.body.classList;
const find = (selector) => document.querySelector(selector);
export const light = matchMedia("(prefers-color-scheme: light)").matches;

// -- the worker -------------------------------------------------------------------------------------------------------

// A worker obeys the policy of this page only if it begins as a blob of it: no server has to send a header.
const start = new Blob([`import ${JSON.stringify(new URL("worker.js", location).href)};`], {type: "text/javascript"});
const worker = new Worker(URL.createObjectURL(start), {type: "module"});
export const tell = (...message) => worker.postMessage(message);

function become(name, sentence) {
  state.remove("-loading", "-elsewhere", "-closed", "-failed");
  if (name) state.add(name);
  if (!name) return;
  const word = find(`.word.${name.slice(1)}`);
  if (sentence) word.querySelector("p").textContent = sentence;
  word.querySelector("button")?.focus();
}

const heard = {
  paint: () => {}, // each page sets its own by show()
  progress(share, sentence) {
    if (!state.contains("-loading")) become("-loading");
    find("progress").value = share;
    find(".loading p").textContent = sentence;
  },
  become,
  save(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "application/json"}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  },
  leave() {
    leaving = true;
    history.back();
  },
  sit(identifier) {
    store(sessionStorage, "table", identifier);
  },
  persist() {
    navigator.storage?.persist?.();
  },
  takeOver() {
    store(localStorage, HANDED, "");
  },
  open(address, elsewhere) {
    open(address, elsewhere ? "_blank" : "_self", "noopener");
  },
  verdict(sentence) {
    find("dialog p").textContent = sentence;
    find("dialog").showModal();
  },
};
worker.onmessage = ({data: [name, ...values]}) => heard[name](...values);
worker.onerror = (error) => become("-failed", `The game has stopped: ${error.message ?? "a file is missing"}`);

// What Python shows goes to a page; the first of it ends the loading.
export function show(paint, opens) {
  heard.paint = (text) => {
    if (state.contains("-loading")) opened(opens);
    paint(text);
  };
}

function opened(opens) {
  become("");
  opens();
  document.onvisibilitychange = () => tell("focus", !document.hidden);
  // Only now that everything is loaded, so that nothing is loaded twice.
  navigator.serviceWorker?.register("offline.js").catch(() => {}); // a browser may refuse it: the next visit loads again
}

// -- what is opened ----------------------------------------------------------------------------------------------------

const HANDED = "420 table"; // the game of the first page (first_page.js)

// A browser may store nothing.
function store(storage, name, value) {
  try {
    if (value) storage.setItem(name, value);
    else storage.removeItem(name);
  } catch {}
}

export function asked() {
  const link = location.hash.slice(1);
  try {
    const [seen, table] = [sessionStorage.getItem("link") === link, sessionStorage.getItem("table") ?? ""];
    store(sessionStorage, "link", link);
    return {link, seen, light, game: JSON.parse(localStorage.getItem(HANDED)), table};
  } catch {
    return {link, light};
  }
}

let shown = location.hash;
onhashchange = () => {
  shown = location.hash;
  if (leaving || !shown) return;
  store(sessionStorage, "link", shown.slice(1));
  tell("link", shown.slice(1));
};

// -- the way back -----------------------------------------------------------------------------------------------------

// Back is Esc, and leaves the page from the lobby only. It uses an entry of the history that is added whenever
// something is done here: Chrome skips entries that a page adds by itself. Another link in this page is an entry
// as well, but does not lead back.
let leaving = false;
export function addEntry() {
  leaving = false;
  if (history.state !== "game") history.pushState("game", "");
}
onpopstate = () => {
  if (leaving) history.back(); // and over what was linked to before
  else if (location.hash === shown && history.state !== "game") {
    addEntry();
    tell("back");
  }
};

for (const button of document.querySelectorAll(".word button")) button.onclick = () => location.reload();
