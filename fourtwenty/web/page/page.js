// The page: a terminal, and a worker in which Python plays. Letters are as large as the window allows.
import {Terminal} from "./terminal/xterm.mjs";

const [COLUMNS, ROWS] = [60, 20]; // what the game needs, and what it is given even when the letters become small
const WIDE = 1229 / 2048; // the width of a letter of Roboto Mono at font size 1
const PAPER = "#16120F"; // around the cells
const state = document.body.classList;
const find = (selector) => document.querySelector(selector);
const table = find("#terminal");
const touched = matchMedia("(pointer: coarse)");

const terminal = new Terminal({
  fontFamily: '"Roboto Mono", monospace',
  cursorInactiveStyle: "none",
  scrollback: 0,
  theme: {background: PAPER, foreground: "#F0E7DA"},
});
window.page = {terminal}; // for tests
let input; // where xterm.js takes keys from
let wantsText = false;

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
  keyboard(wanted) {
    wantsText = wanted;
    if (touched.matches) showKeyboard(wanted);
  },
  save(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "application/json"}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
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
  // Only now: everything is here, and need not be loaded twice.
  navigator.serviceWorker?.register("offline.js").catch(() => {}); // a browser may refuse it: the next visit loads again
}

// -- letters ----------------------------------------------------------------------------------------------------------

// Large enough to read at arm's length by several people, small enough for 100 columns and 30 rows, but 12 at least;
// smaller only where the game needs it. A cell is whole pixels wide, or the edges of the dice would not be straight.
function fit() {
  if (visualViewport.scale > 1.01) return; // two fingers zoom
  document.documentElement.style.setProperty("--height", `${visualViewport.height}px`); // a keyboard covers the rest
  scrollTo(0, 0);
  const {clientWidth: width, clientHeight: height} = table;
  const comfortable = Math.max(12, Math.min(24, Math.floor(width / 62), Math.floor(height / 40)));
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

// -- fingers and the keyboard on the screen ---------------------------------------------------------------------------

// A tap is a click to the terminal and takes the focus. A keyboard would cover the dice: it comes where a field wants
// text, and by the button.
function showKeyboard(shown) {
  const mode = shown ? "text" : "none";
  if (input.inputMode === mode && document.activeElement === input) return;
  input.blur();
  input.inputMode = mode;
  input.focus({preventScroll: true});
}

function takeTouch() {
  if (!touched.matches) return;
  input.inputMode = "none";
  table.oncontextmenu = (event) => event.preventDefault();
  // A browser shows its keyboard only while a finger acts: the game's word may come too late for that.
  table.addEventListener("touchend", () => wantsText && showKeyboard(true));
  find("#keyboard").onmousedown = (event) => event.preventDefault(); // the focus stays where the keyboard types
  find("#keyboard").onclick = () => showKeyboard(input.inputMode === "none");
  let finger;
  table.ontouchstart = (event) => (finger = event.touches[0].clientY);
  // A finger that moves turns the wheel; two fingers zoom.
  table.ontouchmove = (event) => {
    if (event.touches.length > 1) return;
    event.preventDefault();
    const {clientX, clientY} = event.touches[0];
    const deltaY = finger - clientY;
    finger = clientY;
    event.target.dispatchEvent(new WheelEvent("wheel", {bubbles: true, cancelable: true, clientX, clientY, deltaY}));
  };
}

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
input = terminal.textarea;
// The game copies by OSC 52; what another program could ask for by it is not given.
terminal.parser.registerOscHandler(52, (data) => {
  const text = new TextDecoder().decode(Uint8Array.from(atob(data.split(";")[1]), (letter) => letter.charCodeAt(0)));
  navigator.clipboard?.writeText(text).catch(() => {});
  return true;
});
fit();
takeTouch();
terminal.onData((typed) => tell("feed", typed));
terminal.onResize(({cols, rows}) => tell("resize", cols, rows));
onresize = visualViewport.onresize = fit;
tell("start", terminal.cols, terminal.rows, matchMedia("(prefers-reduced-motion)").matches);
