// Starts the terminal of textual.js on the page.
"use strict";

const table = document.getElementById("terminal");

// textual-serve 1.1.3 sends focus and size while its socket is not open, which is an error. It sends the size again
// once it is open, and the focus comes only then.
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

const start = window.onload;
window.onload = async () => {
  if (document.body.classList.contains("-full")) return;
  table.dataset.sessionWebsocketUrl = new URL("ws", location).href.replace("http", "ws");
  // Large enough to read at arm's length by several people, small enough for 100 columns and 30 rows.
  table.dataset.fontSize = Math.max(12, Math.min(24, Math.floor(innerWidth / 62), Math.floor(innerHeight / 40)));
  // The terminal measures its letters when it is made: its font has to be there before.
  await Promise.all(["", "bold ", "italic "].map((style) => document.fonts.load(style + "16px 'Roboto Mono'")));
  start();
};

for (const button of document.querySelectorAll(".word button")) button.onclick = () => location.reload();
