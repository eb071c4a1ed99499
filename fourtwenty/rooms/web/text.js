// Writes the lines of the table into the log, and sends what is typed into the field.
"use strict";

// The codes of guests.py; every other one means that the network is gone, or the host.
const PARTINGS = {
  1000: "The table is left. Load this page again to come back.",
  1013: "There is no place for another phone right now. Load this page again later.",
  4001: "You sit at this table in another tab. Load this page again to play here.",
};
const PAUSES = [300, 1000, 2000, 4000]; // milliseconds
const ANSWER = 6000; // longer than the program that is taken over may need to exit
const log = document.getElementById("log");
const field = document.getElementById("field");
const tab = tabId();
let socket;
let heard;
let tries = 0;

function write(text) {
  const line = document.createElement("p");
  line.textContent = text; // a name is never part of the page
  log.append(line);
  log.scrollTop = log.scrollHeight;
}

function connect() {
  const mine = (socket = new WebSocket(`${new URL("ws", location).href.replace("http", "ws")}?text&tab=${tab}`));
  mine.onmessage = ({data}) => {
    const [kind, text] = JSON.parse(data);
    heard = true;
    if (kind !== "line") return;
    tries = 0;
    write(text);
  };
  mine.onclose = ({code}) => mine === socket && part(code);
}

function part(code) {
  socket = undefined;
  if (code in PARTINGS) return write(PARTINGS[code]);
  if (!tries) write("The connection is lost. It is tried again.");
  setTimeout(connect, PAUSES[Math.min(tries++, PAUSES.length - 1)]);
}

// A phone that has slept, or has another network now, has a socket that only seems to be open.
function expectAnswer() {
  if (document.hidden || socket?.readyState !== WebSocket.OPEN) return;
  const asked = socket;
  heard = false;
  asked.send(JSON.stringify(["ping", "text"]));
  setTimeout(() => {
    if (heard || asked !== socket) return;
    part();
    asked.close();
  }, ANSWER);
}

document.forms[0].onsubmit = (event) => {
  event.preventDefault();
  field.focus();
  if (socket?.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify(["stdin", `${field.value}\n`]));
  field.value = "";
};
document.onvisibilitychange = window.ononline = expectAnswer;
setInterval(expectAnswer, 15000);
connect();
