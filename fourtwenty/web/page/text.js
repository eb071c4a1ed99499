// The page as text: writes the lines of Python, which plays in a worker, into the log, and sends what is typed.
const CLOSED = "The game is closed. Load this page again to play on.";
const log = document.getElementById("log");
const field = document.getElementById("field");
const start = new Blob([`import ${JSON.stringify(new URL("worker.js", location).href)};`], {type: "text/javascript"});
const worker = new Worker(URL.createObjectURL(start), {type: "module"});
let begun = false;

function write(text) {
  const line = document.createElement("p");
  line.textContent = text; // a name is never part of the page
  log.append(line);
  log.scrollTop = log.scrollHeight;
}

worker.onmessage = ({data: [name, value, sentence]}) => {
  if (name === "paint") write(value);
  if (name === "become") write(sentence || CLOSED);
  if (name === "progress" && !begun) write("The game is being loaded.");
  begun = true;
};
worker.onerror = () => write("The game has stopped. Load this page again to play on.");
document.forms[0].onsubmit = (event) => {
  event.preventDefault();
  worker.postMessage(["feed", field.value]);
  field.value = "";
  field.focus();
};
worker.postMessage(["start", "{}"]);
