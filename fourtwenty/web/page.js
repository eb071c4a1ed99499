// Starts the terminal of textual.js on the page, in letters as large as the window allows, now and after every resize.
"use strict";

const [COLUMNS, ROWS] = [60, 20]; // what the game needs, and what it is given even when the letters become small
const WIDE = 0.595; // the width of a letter of Roboto Mono at font size 1, rounded down
const table = document.getElementById("terminal");
const keyboard = document.getElementById("keyboard"); // to be seen on a screen that is touched
let page;

// textual-serve 1.1.3 exposes nothing: its bundle keeps the terminal in an object of its own and sets the font size
// once. It gives that object a property of this name, which finds this setter first, and only that once.
Object.defineProperty(Object.prototype, "fitAddon", {
  configurable: true,
  set(addon) {
    delete Object.prototype.fitAddon;
    this.fitAddon = addon;
    page = this;
  },
});

// It also sends focus and size while its socket is not open, which is an error. It sends the size again once it is
// open, and the focus comes only then.
window.WebSocket = class extends WebSocket {
  constructor(address) {
    super(address);
    this.onopen = () => document.querySelector(".xterm-helper-textarea").focus();
    this.onclose = () => {
      document.body.classList.add("-closed");
      document.querySelector(".closed button").focus();
    };
  }
  send(data) {
    if (this.readyState === WebSocket.OPEN) super.send(data);
  }
};

// Large enough to read at arm's length by several people, small enough for 100 columns and 30 rows, but 12 at least;
// smaller only where the game needs it, and then so that a cell is whole pixels wide.
function fontSize() {
  const {clientWidth: width, clientHeight: height} = table;
  const comfortable = Math.max(12, Math.min(24, Math.floor(width / 62), Math.floor(height / 40)));
  return Math.min(comfortable, Math.floor((width * devicePixelRatio) / COLUMNS) / devicePixelRatio / WIDE);
}

function fit() {
  const {terminal, fitAddon} = page;
  const fitted = (size) => {
    terminal.options.fontSize = size;
    const {cols, rows} = fitAddon.proposeDimensions();
    return cols >= COLUMNS && rows >= ROWS;
  };
  let size = fontSize();
  while (size >= 6 && !fitted(size)) size -= 0.5;
  if (size < 6) terminal.options.fontSize = 12; // the game does not fit: what says so can at least be read
  page.fit();
}

// A tap is a click to the terminal, and takes the focus: without this the keyboard of a phone would cover the dice.
function offerKeyboard() {
  const input = document.querySelector(".xterm-helper-textarea");
  if (matchMedia("(pointer: coarse)").matches) input.inputMode = "none";
  keyboard.onclick = () => {
    input.inputMode = input.inputMode === "none" ? "text" : "none";
    input.blur();
    input.focus();
  };
}

// A finger that moves turns the wheel; two fingers zoom.
let touched;
table.ontouchstart = (event) => (touched = event.touches[0].clientY);
table.ontouchmove = (event) => {
  if (event.touches.length > 1) return;
  event.preventDefault();
  const {clientX, clientY} = event.touches[0];
  const deltaY = touched - clientY;
  touched = clientY;
  event.target.dispatchEvent(new WheelEvent("wheel", {bubbles: true, cancelable: true, clientX, clientY, deltaY}));
};

const start = window.onload;
window.onload = async () => {
  if (document.body.classList.contains("-full")) return;
  table.dataset.sessionWebsocketUrl = new URL("ws", location).href.replace("http", "ws");
  table.dataset.fontSize = fontSize();
  // The terminal measures its letters when it is made: its font has to be there before.
  await Promise.all(["", "bold ", "italic "].map((style) => document.fonts.load(style + "16px 'Roboto Mono'")));
  start();
  offerKeyboard();
  if (page) {
    window.onresize = fit;
    fit();
  }
};

for (const button of document.querySelectorAll(".word button")) button.onclick = () => location.reload();
