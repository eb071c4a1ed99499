// The page as text: writes the lines of Python into the log, and sends what is typed.
import {find, start, tell} from "./page.js";

const [log, field] = [find("#log"), find("#field")];

function write(text) {
  const line = document.createElement("p");
  line.textContent = text; // a name is never part of the page
  log.append(line);
  log.scrollTop = log.scrollHeight;
}

find("form").onsubmit = (event) => {
  event.preventDefault();
  tell("feed", field.value);
  field.value = "";
  field.focus();
};
start(write, () => field.focus());
