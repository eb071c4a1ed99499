// The page of a room on a phone, for the person there. The host sends views of the table; wire.js has the rest.
import {hex, unhex} from "./dice.js";
import {Table, escaped, find, put} from "./table.js";
import {Kept, Link, LocalMachine, canonical, drawn, keysOf, readLink} from "./wire.js";

const TICK = 1000, HEARTBEAT = 8000, AGAIN = 3000, KNOWN = 500; // milliseconds
const MAX_TRIES = 5;
const NO_LINK = "This page needs the link of a table: scan its code again, on the screen where it is open.";
const NOT_KEPT = "This browser keeps nothing for this page, so it cannot have a seat. Is this a private window?";
const ELSEWHERE = "Another tab plays with this seat now.";
const CLOSED = "This table is closed: nobody has its seats any more. Whoever opens a new one has a new link.";
const LEFT = "You have left the table. Scan its code again to come back.";
const {host: served, name} = document.body.dataset; // empty on the published page

let host = {key: served, name, address: `ws://${location.host}/`}; // or that of a link, at a hub
let local, link; // the machine, and its connection
let view; // the last view of the host
let connected = false;
let ended = ""; // why this page plays no more
let leaving = false, sure = false; // sure: the next press of Leave counts
let asksName = false; // whether the form for a name is wanted, where one can sit down
let wish = ""; // the name that a seat is wanted by, maybe after the match, until this page has one
let refusal = ""; // why the table did not do the last request
let lastHeartbeat = 0; // its time
const wishes = new Map(); // what the person here wants, and the table does not show yet, by its name
const owed = new Map(); // when this page has sent its owed entries, by text
let told = 0; // the step of the last roll of the match that has been shown, or will be

// What is drawn without a view of the host.
const NOTHING = {seats: [], dice_by: "", may: {}, labels: {}};

// -- the table --------------------------------------------------------------------------------------------------------

class RoomTable extends Table {
  view = NOTHING;
  shown = NOTHING;
  slow = 2;
  you = "you";

  // The host says what is at stake, maybe after the dice of this seat have landed.
  async stake(roll) {
    for (let waited = 0; roll.stake === undefined && waited < KNOWN && !this.quick; waited += 25) {
      await new Promise((done) => setTimeout(done, 25));
    }
    return roll.stake;
  }

  asks() {
    return super.asks() && connected && !local.unfair && !wishes.has("roll") && !wishes.has("stand");
  }

  get #sits() { // may leave a name for the next match
    const {phase, may} = this.shown;
    const late = ["draw", "playing"].includes(phase) && local.index < 0; // a match is played here without this page
    return connected && !wish && Boolean(may.sit || late);
  }

  get result() {
    return connected && super.result;
  }

  get button() {
    if (ended === ELSEWHERE) return ["reload", "Play here"];
    const name = !connected ? "" : this.shown.may.start ? "start" : this.#sits && !asksName ? "sit" : "";
    return name && [name, this.shown.labels[name]];
  }

  sentence() {
    if (ended) return ended;
    const laptop = `${host.name}'s laptop`;
    if (!connected && view) return `No connection to ${laptop}. This page tries again by itself.`;
    if (!view) return `${connected ? "Waiting" : "Looking"} for ${laptop} …`;
    return (!this.queue.length && refusal) || super.sentence();
  }

  draw() {
    super.draw();
    const {title, caption, may, labels, dice_by} = this.shown;
    const whose = host.name ? `${host.name}'s table` : "A table of 420";
    document.title = this.asks() ? "Your turn" : whose;
    if (title) {
      put("#title", title);
      put("#caption", caption || whose);
    }
    put("#news", title ? news().join("\n") : "");
    put("#dice-by", dice_by);
    find("form").hidden = !this.#sits || !asksName;
    put("form button", labels.sit ?? "");
    put("#watch", !connected ? "" : may.rise ? labels.rise : find("form").hidden ? "" : "Watch");
    put("#without", connected && may.without ? labels.without : "");
    put("#leave", !title || !local.record.name ? "" : sure ? "Leave for good? Press again" : "Leave the table");
    find("#reactions").hidden = !title || !connected || (asksName && !local.record.name);
  }
}

const table = new RoomTable(({roll, stand, event, go}) => {
  if (roll) want("roll", {at: "act", match: local.witness.id, event, roll});
  else if (stand) want("stand", view.may.stand);
  else if (go === "reload") location.reload();
  else if (go === "start") want("start", view.may.start);
  else if (local.record.name) sitDown(local.record.name);
  else {
    asksName = true;
    draw();
  }
});
const draw = () => table.draw();

function news() {
  const {reacted} = view;
  const unfair = local.unfair && `${local.unfair} This phone opens no key any more.`;
  const full = local.refused && `The table does not keep what this phone says: ${local.refused}.`;
  return [unfair, full, ...view.news, reacted && `${reacted[0]}: ${reacted[1]}`].filter(Boolean);
}

// -- what a person does -----------------------------------------------------------------------------------------------

// Repeats a request until the table shows it: it may be lost, or too late.
function want(name, body) {
  if (wishes.has(name)) return;
  refusal = "";
  wishes.set(name, {body, offer: canonical(view.may[name] ?? null), at: 0, tries: 0});
  pursue();
  draw();
}

function pursue() {
  const now = Date.now();
  for (const [name, wish] of wishes) {
    const {body, offer, at, tries} = wish;
    const still = name === "roll" ? view.ask?.event === body.event : offer === canonical(view.may[name] ?? null);
    if (!still || tries === MAX_TRIES) wishes.delete(name);
    else if (connected && now - at >= AGAIN) {
      Object.assign(wish, {at: now, tries: tries + 1});
      say(body);
    }
  }
}

function say(body) {
  try {
    link.store(local.entry(body));
  } catch (error) {
    local.refuse(error);
  }
}

// Wants a seat by a name, now or as soon as the match is over.
function sitDown(name) {
  [wish, asksName] = [name, false];
  refusal = "";
  sit();
  sendHeartbeat();
  draw();
}

function sit() {
  if (wish && view.may.sit) want("sit", local.sit(view.may.sit, wish));
}

// Keeps the name of a seat once the table has given it; what it refuses, since the view before, is asked for again.
function settle(last) {
  const {name} = ((view.phase !== "over" || view.may.rise) && view.seats.find((each) => each.mine)) || {};
  if (name && (wish || name !== local.record.name)) {
    [wish, asksName] = ["", false];
    local.keep((record) => record && {...record, name}).then(draw);
  }
  if (name && location.hash) history.replaceState(null, "", location.pathname); // from now on this browser has the link
  const [count, reason] = view.refused;
  if (reason && last && count !== last.refused[0]) {
    ["sit", "start"].forEach((each) => wishes.delete(each));
    if (wish) [asksName, find("#name").value] = [true, wish];
    [wish, refusal] = ["", reason];
    sendHeartbeat();
  }
}

// Leaves for good after a second press.
function leave() {
  if (sure) {
    [leaving, wish] = [true, ""];
    return leaveOn();
  }
  sure = true;
  setTimeout(() => ((sure = false), draw()), AGAIN);
  draw();
}

function leaveOn() {
  const name = view.may.leave ? "leave" : view.may.rise ? "rise" : "";
  if (name) want(name, view.may[name]);
  else forget(LEFT);
}

// Deletes the keys: nobody can come back to this seat.
async function forget(why) {
  stop(why);
  await local.keep(() => null);
}

function stop(why) {
  [ended, connected] = [why, false];
  link?.close();
  table.clear();
  table.show(NOTHING);
}

// -- the room ---------------------------------------------------------------------------------------------------------

function hear(data) {
  const found = ended ? undefined : local.views.take(data);
  if (local.views.asks) sendHeartbeat();
  if (!found) return;
  const [last, past, before] = [view, !view || local.behind, local.witness];
  view = found;
  local.look(view);
  const {witness, foreseen} = local;
  if (past || witness !== before) told = view.fallen.at(-1)?.step ?? 0; // nobody was there when they fell
  const falls = past ? [] : [...view.fallen, ...(foreseen ? [foreseen] : [])].filter(({step}) => step > told);
  told = falls.at(-1)?.step ?? told;
  table.match = witness?.id;
  if (witness !== before) refusal = "";
  settle(last);
  owe();
  sit();
  pursue();
  table.show(view, falls);
  for (const {step, stake} of view.fallen) table.queue.forEach((roll) => roll.step === step && (roll.stake = stake));
  if (local.behind || view.asks) sendHeartbeat();
  if (leaving) leaveOn();
}

// Sends the entries that this page owes, again if the table does not show them after a while.
function owe() {
  const once = (text, work) => {
    if (Date.now() - (owed.get(text) ?? 0) < AGAIN) return;
    owed.set(text, Date.now());
    work();
  };
  const {asked, witness} = local;
  if (asked) once(`${witness.id} ${asked.step}`, async () => {
    const body = await local.open();
    if (body) say(body);
    else draw();
  });
  const {disputed} = local;
  const bodies = [...(disputed ? [disputed] : []), ...view.owes.filter((each) => local.owes(each))];
  for (const body of bodies) once(canonical(body), () => say(body));
}

function sendHeartbeat(fields = {}) {
  lastHeartbeat = Date.now();
  const watching = !view?.seats.some((each) => each.mine);
  if (connected) link.broadcast(local.heartbeat({name: wish || local.record.name || "", wish, watching, ...fields}));
}

function connect() {
  if (ended || !local) return;
  link?.close();
  [connected, lastHeartbeat] = [false, Date.now()];
  local.views.renew();
  let lays = true;
  link = new Link(host.address, local, unhex(host.key), {
    ready() {
      connected = true;
      owed.clear();
      sendHeartbeat();
      draw();
    },
    view(data) {
      hear(data);
      // Actions with an opened key must be in the log, which may have lost its end.
      if (lays && view && local.lost) link.store(local.lost);
      lays = false;
    },
    refused(why) {
      local.refused = why;
      draw();
    },
    closed(why) {
      if (/authorization/.test(why)) return forget(CLOSED);
      connected = false;
      link = undefined;
      draw();
    },
  });
}

function tick() {
  if (ended) return;
  if (!link || link.silent || (!connected && Date.now() - lastHeartbeat > HEARTBEAT)) return connect();
  if (Date.now() - lastHeartbeat >= HEARTBEAT) sendHeartbeat();
  if (connected && view) owe(), pursue();
}

// The root of the room from the link; after a reload this browser's stored one.
async function open() {
  try {
    const kept = await new Kept().open();
    const newest = await kept.newest();
    const found = readLink(location.hash.slice(1)) ?? newest;
    if (!found || !(served || found.hub)) return stop(NO_LINK);
    const {root, hub} = found;
    const keys = keysOf(unhex(root));
    if (!served) [host, keys.login] = [hub, unhex(hub.login)]; // a hub lets in its own members, not those of a code
    const record = await kept.update(keys.room, (before) => ({
      secret: hex(drawn(32)), opened: {}, ...before, root, ...(hub && {hub}), at: Date.now(),
    }));
    local = new LocalMachine(keys, unhex(record.secret), unhex(host.key), kept);
    local.record = record;
    asksName = !record.name;
  } catch {
    return stop(NOT_KEPT);
  }
  const tabs = new BroadcastChannel(`420 ${local.keys.room}`);
  tabs.postMessage("here");
  tabs.onmessage = () => stop(ELSEWHERE);
  connect();
  setInterval(tick, TICK);
  local.chain(0); // a tenth of a second on a phone, while the name is typed
}

find("#leave").onclick = leave;
find("#watch").onclick = () => {
  asksName = Boolean(view.may.rise);
  refusal = "";
  if (!asksName) return draw();
  find("#name").value = local.record.name;
  want("rise", view.may.rise);
};
find("#without").onclick = () => want("without", view.may.without);
find("form").onsubmit = (event) => {
  event.preventDefault();
  const name = find("#name").value.trim().toWellFormed?.() ?? find("#name").value.trim();
  if (name) sitDown(name);
};
find("#reactions").ontoggle = () => {
  const button = (text, at) => `<button data-at="${at}">${escaped(text)}</button>`;
  find("#reactions p").innerHTML = (view?.reactions ?? []).map(button).join("");
};
find("#reactions p").onclick = ({target}) => {
  if (target.dataset.at) sendHeartbeat({at: "react", reaction: Number(target.dataset.at)});
  find("#reactions").open = false;
};
onpointerdown = () => table.faster();
onhashchange = () => location.reload(); // the link of another table
document.onvisibilitychange = () => {
  if (document.hidden) return;
  if (connected && !link.silent) sendHeartbeat();
  else connect();
};
ononline = connect;
onpagehide = () => sendHeartbeat({at: "gone"});
onpageshow = ({persisted}) => persisted && connect();
open();
