// The whole game in a tab: the worker in which Python plays, what is opened, the way back.
const state = document.body.classList;
export const find = (selector) => document.querySelector(selector);
const matches = (query) => matchMedia(query).matches;
export const light = matches("(prefers-color-scheme: light)");

// -- its look ---------------------------------------------------------------------------------------------------------

// "?terminal" and "?text" choose it; by default a touched screen has felt, and another one the terminal.
const LOOKS = {felt: "./game_table.js", terminal: "./terminal.js", text: "./text.js"};
const chosen = location.search.slice(1);
const look = Object.hasOwn(LOOKS, chosen) ? chosen : matches("(pointer: coarse)") ? "felt" : "terminal";
document.body.prepend(find(`#${look}`).content);
const sheets = [...document.querySelectorAll("body > link")];
Promise.all(sheets.map((sheet) => new Promise((done) => (sheet.onload = sheet.onerror = done)))).then(
  () => import(LOOKS[look]),
);

// -- the worker -------------------------------------------------------------------------------------------------------

// A worker obeys the policy of this page only if it begins as a blob of it: no server has to send a header.
const program = `import ${JSON.stringify(new URL("worker.js", location).href)};`;
const worker = new Worker(URL.createObjectURL(new Blob([program], {type: "text/javascript"})), {type: "module"});
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

// Lets Python play, maybe in a terminal of a size. What it shows is painted; the first of it ends the loading.
export function start(paint, opens, ...size) {
  heard.paint = (text) => {
    if (state.contains("-loading")) opened(opens);
    paint(text);
  };
  tell("start", look, JSON.stringify(asked()), matches("(prefers-reduced-motion)"), ...size);
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

function asked() {
  const link = location.hash.slice(1);
  try {
    const [seen, table] = [sessionStorage.getItem("link") === link, sessionStorage.getItem("table") ?? ""];
    store(sessionStorage, "link", link);
    return {link, seen, light, game: JSON.parse(localStorage.getItem(HANDED)), table};
  } catch {
    return {link, light};
  }
}

// -- the way back -----------------------------------------------------------------------------------------------------

// Back is Esc, and leaves the page from the lobby only. It uses an entry of the history that is added whenever
// something is done here: Chrome skips entries that a page adds by itself. A link that is opened in this page, maybe
// the same once more, is an entry without a state.
let leaving = false;
if (!history.state) history.replaceState("link", "");
export function addEntry() {
  leaving = false;
  if (history.state !== "game") history.pushState("game", "");
}
onpopstate = () => {
  if (leaving) history.back(); // and over what was linked to before
  else if (!history.state) openLink();
  else if (history.state === "link") {
    addEntry();
    tell("back");
  }
};

function openLink() {
  history.replaceState("link", "");
  const link = location.hash.slice(1);
  if (state.contains("-loading")) location.reload();
  else if (link) {
    store(sessionStorage, "link", link);
    tell("link", link);
  }
}

for (const button of document.querySelectorAll(".word button")) button.onclick = () => location.reload();
