// The terminal in the tab, for keys. Letters are as large as the window allows.
import {Terminal} from "./terminal/xterm.mjs";
import {addEntry, find, light, start, tell} from "./page.js";

const COLUMNS = 60, ROWS = 20, LETTERS = 12; // needs, met even by smaller letters
const WIDE = 1229 / 2048; // the width of a letter of Roboto Mono at font size 1
const [PAPER, INK] = light ? ["#F7F2E8", "#2A211A"] : ["#16120F", "#F0E7DA"]; // around the cells
const table = find("#screen");

const terminal = new Terminal({
  fontFamily: '"Roboto Mono", monospace',
  cursorInactiveStyle: "none",
  scrollback: 0,
  theme: {background: PAPER, foreground: INK},
});
window.page = {terminal}; // for tests

// -- letters ----------------------------------------------------------------------------------------------------------

// Large enough to read at arm's length by several people, small enough for 100 columns and 30 rows, but of the least
// size; smaller only where the game needs it. A cell is whole pixels wide, or the edges of the dice would not be straight.
function fit() {
  if (visualViewport.scale > 1.01) return; // two fingers zoom
  const {clientWidth: width, clientHeight: height} = table;
  const comfortable = Math.max(LETTERS, Math.min(24, Math.floor(width / 62), Math.floor(height / 40)));
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

// -- files ------------------------------------------------------------------------------------------------------------

find("#verify").onclick = () => find("#record").click();
find("#record").onchange = async ({target}) => {
  const [file] = target.files;
  target.value = "";
  if (file) tell("verify", await file.bytes?.() ?? new Uint8Array(await file.arrayBuffer()));
};
find("dialog button").onclick = () => find("dialog").close();
find("dialog").onclose = () => terminal.focus();

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
terminal.attachCustomKeyEventHandler(({ctrlKey, key}) => !(ctrlKey && key.toLowerCase() === "v")); // the browser pastes
terminal.onData((typed) => {
  addEntry();
  tell("feed", typed);
});
terminal.onResize(({cols, rows}) => tell("resize", cols, rows));
onresize = fit;
start((text) => terminal.write(text), () => terminal.focus(), terminal.cols, terminal.rows);
