// The table of the tab on a touched screen: draws the views that Python makes in a worker.
import {addEntry, start, tell} from "./page.js";
import {Table, escaped, find, put} from "./table.js";

class GameTable extends Table {
  draw() {
    super.draw();
    const {title, caption, news = [], menu = []} = this.shown ?? {};
    put("#title", title ?? "420");
    put("#caption", caption ?? "");
    put("#news", this.queue.length ? "" : news.join("\n"));
    const button = ([name, label]) => `<button data-name="${escaped(name)}">${escaped(label)}</button>`;
    find("#menu").innerHTML = this.queue.length ? "" : menu.map(button).join("");
    find("#menu").className = this.shown?.seats.length ? "" : "home";
    find("main").ariaBusy = null;
  }
}

function act(answer) {
  addEntry();
  const name = answer.go ?? answer.menu;
  if (name === "terminal") return (location.href = "game.html?terminal");
  find("main").ariaBusy = "true";
  tell("act", JSON.stringify(answer));
}

const table = new GameTable(act);
find("#menu").onclick = ({target}) => target.dataset.name && act({menu: target.dataset.name});

start((text) => {
  const view = JSON.parse(text);
  if (view.match !== table.match) table.clear();
  if (!view.seats.length) scrollTo(0, 0);
  table.match = view.match;
  table.show(view, view.throws, view.before ?? undefined);
}, () => {});
