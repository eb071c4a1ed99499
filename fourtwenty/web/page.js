// Starts the terminal of textual.js on the page, in letters as large as the window allows, now and after every resize.
"use strict";

const ROOMY = 44; // rows: where there are more, a finger has higher ones instead
const TALLEST = 1.3; // times the height of a letter
const WIDE = 0.595; // the width of a letter of Roboto Mono at font size 1, rounded down
const table = document.getElementById("terminal");
const state = document.body.classList;
const guest = state.contains("-guest"); // at a room on another machine
const [COLUMNS, ROWS, LETTERS] = guest ? [54, 20, 16] : [60, 20, 12]; // needs, met even by smaller letters than these
let page;

// textual-serve 1.1.3 exposes nothing: its bundle keeps the terminal in an object of its own and sets the font size
// once. It gives that object a property of this name, which finds this setter first, and only that once. It fits the
// terminal to the page before it connects: the app has its last size from the start.
Object.defineProperty(Object.prototype, "fitAddon", {
  configurable: true,
  set(addon) {
    delete Object.prototype.fitAddon;
    this.fitAddon = addon;
    this.fit = measure;
    page = this;
  },
});

// It also sends focus and size while its socket is not open, which is an error. It sends the size again once it is
// open, and the focus comes only then.
window.WebSocket = class extends WebSocket {
  constructor(address) {
    super(guest ? `${address}&tab=${tab}` : address);
    this.onopen = () => document.querySelector(".xterm-helper-textarea").focus();
    this.onmessage = ({data}) => {
      this.heard = true;
      if (typeof data !== "string") state.remove("-away");
    };
    this.onclose = ({code}) => {
      if (guest) return part(this, code);
      state.add("-closed");
      document.querySelector(".closed button").focus();
    };
  }
  send(data) {
    if (this.readyState === WebSocket.OPEN) super.send(data);
  }
};

const tab = guest && tabId();

// The codes of guests.py; every other one means that the network is gone, or the host.
const PARTINGS = {1000: "-left", 1013: "-crowded", 4001: "-moved"};
const PAUSES = [300, 1000, 2000, 4000]; // milliseconds
const ANSWER = 6000; // longer than the app that is taken over may need to exit
let tries = 0;

function part(socket, code) {
  if (socket.parted) return;
  socket.parted = true;
  const parting = PARTINGS[code] ?? "-away";
  state.remove("-away");
  state.add(parting);
  if (parting === "-away") setTimeout(comeBack, PAUSES[Math.min(tries++, PAUSES.length - 1)]);
}

function comeBack() {
  if (!page.socket.parted) return;
  state.remove("-typing", ...Object.values(PARTINGS));
  state.add("-away");
  measure();
  page.terminal.reset();
  page.connect();
  expectAnswer();
}

// A phone that has slept, or has another network now, has a socket that only seems to be open.
function expectAnswer() {
  const {socket} = page;
  socket.heard = false;
  page.sendPing();
  setTimeout(() => {
    if (socket.heard) return (tries = 0);
    part(socket);
    socket.close();
  }, ANSWER);
}

function lookAround() {
  if (document.hidden || !page?.socket) return;
  if (!page.socket.parted) expectAnswer();
  else if (state.contains("-away")) comeBack();
}

if (guest) {
  document.onvisibilitychange = window.ononline = lookAround;
  setInterval(lookAround, 15000);
}

// Large enough to read at arm's length by several people, small enough for 100 columns and 30 rows, but 12 at least;
// smaller only where the game needs it, and then so that a cell is whole pixels wide.
function fontSize() {
  const {clientWidth: width, clientHeight: height} = table;
  const comfortable = Math.max(LETTERS, Math.min(24, Math.floor(width / 62), Math.floor(height / 40)));
  return Math.min(comfortable, Math.floor((width * devicePixelRatio) / COLUMNS) / devicePixelRatio / WIDE);
}

function fit() {
  const {terminal, fitAddon} = page;
  terminal.options.lineHeight = 1;
  const fitted = (size) => {
    terminal.options.fontSize = size;
    const {cols, rows} = fitAddon.proposeDimensions();
    return cols >= COLUMNS && rows >= ROWS;
  };
  let size = fontSize();
  while (size >= 6 && !fitted(size)) size -= 0.5;
  if (size < 6) terminal.options.fontSize = 12; // the game does not fit: what says so can at least be read
  if (touched.matches) {
    const {rows} = fitAddon.proposeDimensions();
    terminal.options.lineHeight = Math.max(1, Math.min(TALLEST, rows / ROOMY));
  }
  fitAddon.fit();
}

// The keyboard of an iPhone covers the page and scrolls it. Two fingers that zoom change nothing.
function measure() {
  if (visualViewport.scale > 1.01) return;
  document.documentElement.style.setProperty("--height", `${visualViewport.height}px`);
  scrollTo(0, 0);
  fit();
}

const start = window.onload;
window.onload = async () => {
  if (state.contains("-full")) return;
  table.dataset.sessionWebsocketUrl = new URL("ws", location).href.replace("http", "ws");
  table.dataset.fontSize = fontSize();
  // The terminal measures its letters when it is made: its font has to be there before.
  await Promise.all(["", "bold ", "italic "].map((style) => document.fonts.load(style + "16px 'Roboto Mono'")));
  start();
  scrollByFinger(table);
  if (!page) return;
  offerKeyboard(page.terminal, table, document.getElementById("keyboard"), measure);
  window.onresize = visualViewport.onresize = measure;
};

for (const button of document.querySelectorAll(".word button")) button.onclick = guest ? comeBack : () => location.reload();
