// The table of the tab on a touched screen: draws the views that Python makes in a worker.
import {Table, escaped, find, put} from "./table.js";
import {addEntry, asked, show, tell} from "./worker_page.js";

const still = matchMedia("(prefers-reduced-motion)").matches;

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
  }
}

function act(answer) {
  addEntry();
  const name = answer.go ?? answer.menu;
  if (name === "terminal") location.href = `game.html?terminal${location.hash}`;
  else tell("act", JSON.stringify(answer));
}

const table = new GameTable(act);
find("#menu").onclick = ({target}) => target.dataset.name && act({menu: target.dataset.name});

show((text) => {
  const view = JSON.parse(text);
  if (view.match !== table.match) table.clear();
  table.match = view.match;
  table.show(view, view.throws, view.before ?? undefined);
}, () => {});
tell("start", JSON.stringify(asked()), {felt: true, touched: true, still});
