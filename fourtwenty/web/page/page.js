// The page: a terminal, and a worker in which Python plays. Letters are as large as the window allows.
import {Terminal} from "./terminal/xterm.mjs";

const [COLUMNS, ROWS, LETTERS] = touched.matches ? [54, 20, 16] : [60, 20, 12]; // needs, met even by smaller letters
const WIDE = 1229 / 2048; // the width of a letter of Roboto Mono at font size 1
const COLUMNS_OF_TABLET = 60; // of one that stands upright: the app is tall where it has fewer than 80
const light = matchMedia("(prefers-color-scheme: light)").matches;
const [PAPER, INK] = light ? ["#F7F2E8", "#2A211A"] : ["#16120F", "#F0E7DA"]; // around the cells
const state = document.body.classList;
const find = (selector) => document.querySelector(selector);
const table = find("#terminal");

const terminal = new Terminal({
  fontFamily: '"Roboto Mono", monospace',
  cursorInactiveStyle: "none",
  scrollback: 0,
  theme: {background: PAPER, foreground: INK},
});
window.page = {terminal}; // for tests

// -- the worker -------------------------------------------------------------------------------------------------------

// A worker obeys the policy of this page only if it begins as a blob of it: no server has to send a header.
const start = new Blob([`import ${JSON.stringify(new URL("worker.js", location).href)};`], {type: "text/javascript"});
const worker = new Worker(URL.createObjectURL(start), {type: "module"});
const tell = (...message) => worker.postMessage(message);

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
  paint(text) {
    if (state.contains("-loading")) opened();
    terminal.write(text);
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

function opened() {
  become("");
  terminal.focus();
  document.onvisibilitychange = () => tell("focus", !document.hidden);
  // Only now that everything is loaded, so that nothing is loaded twice.
  navigator.serviceWorker?.register("offline.js").catch(() => {}); // a browser may refuse it: the next visit loads again
}

// -- what is opened ----------------------------------------------------------------------------------------------------

const HANDED = "420 table"; // the game of the first page (table.js)

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

let shown = location.hash;
onhashchange = () => {
  shown = location.hash;
  if (leaving || !shown) return;
  store(sessionStorage, "link", shown.slice(1));
  tell("link", shown.slice(1));
};

// -- letters ----------------------------------------------------------------------------------------------------------

// Large enough to read at arm's length by several people, small enough for 100 columns and 30 rows, but of the least
// size; smaller only where the game needs it. A cell is whole pixels wide, or the edges of the dice would not be straight.
function fit() {
  if (visualViewport.scale > 1.01) return; // two fingers zoom
  document.documentElement.style.setProperty("--height", `${visualViewport.height}px`); // a keyboard covers the rest
  scrollTo(0, 0);
  const {clientWidth: width, clientHeight: height} = table;
  const wide = touched.matches && width < height ? width / COLUMNS_OF_TABLET / WIDE : Math.floor(width / 62);
  const comfortable = Math.max(LETTERS, Math.min(24, wide, Math.floor(height / 40)));
  const fitted = (size) => {
    terminal.options.fontSize = size;
    const {width: wide, height: high} = find(".xterm-screen").getBoundingClientRect();
    const columns = Math.floor((width * terminal.cols) / wide);
    const rows = Math.floor((height * terminal.rows) / high);
    terminal.resize(Math.max(columns, 20), Math.max(rows, 5));
    return columns >= COLUMNS && rows >= ROWS && find(".xterm-screen").getBoundingClientRect().width <= width;
  };
  const pixel = 1 / devicePixelRatio / WIDE;
  let pixels = Math.floor(Math.min(comfortable, width / COLUMNS / WIDE) / pixel);
  while (pixels * pixel >= 5 && !fitted(pixels * pixel)) pixels--;
  if (pixels * pixel < 5) fitted(12); // the game does not fit: what says so can at least be read
}

// -- the way back -----------------------------------------------------------------------------------------------------

// Back is Esc, and leaves the page from the lobby only. It uses an entry of the history that is added whenever
// something is done here: Chrome skips entries that a page adds by itself. Another link in this page is an entry
// as well, but does not lead back.
let leaving = false;
function layEntry() {
  leaving = false;
  if (history.state !== "game") history.pushState("game", "");
}
onpopstate = () => {
  if (leaving) history.back(); // and over what was linked to before
  else if (location.hash === shown && history.state !== "game") {
    layEntry();
    tell("back");
  }
};

// -- files ------------------------------------------------------------------------------------------------------------

find("#verify").onclick = () => find("#record").click();
find("#record").onchange = async ({target}) => {
  const [file] = target.files;
  target.value = "";
  if (file) tell("verify", await file.bytes?.() ?? new Uint8Array(await file.arrayBuffer()));
};
find("dialog button").onclick = () => find("dialog").close();
find("dialog").onclose = () => terminal.focus();
for (const button of document.querySelectorAll(".word button")) button.onclick = () => location.reload();

// -- the start --------------------------------------------------------------------------------------------------------

await Promise.all(["", "bold "].map((style) => document.fonts.load(`${style}16px "Roboto Mono"`)));
terminal.open(table);
// The game copies by OSC 52; reading the clipboard by it is refused.
terminal.parser.registerOscHandler(52, (data) => {
  const text = new TextDecoder().decode(Uint8Array.from(atob(data.split(";")[1]), (letter) => letter.charCodeAt(0)));
  navigator.clipboard?.writeText(text).catch(() => {});
  return true;
});
fit();
scrollByFinger(table);
offerKeyboard(terminal, table, find("#keyboard"), fit);
terminal.attachCustomKeyEventHandler(({ctrlKey, key}) => !(ctrlKey && key.toLowerCase() === "v")); // the browser pastes
terminal.onData((typed) => {
  layEntry();
  tell("feed", typed);
});
terminal.onResize(({cols, rows}) => tell("resize", cols, rows));
onresize = visualViewport.onresize = fit;
const still = matchMedia("(prefers-reduced-motion)").matches;
const address = new URL(".", location).href;
const screen = {columns: terminal.cols, rows: terminal.rows, touched: touched.matches, still, address};
tell("start", JSON.stringify(asked()), screen);
