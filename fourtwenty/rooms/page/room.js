// The page of a room on a phone, for the person there. The host sends views of the table; wire.js has the rest.
import {hex, unhex} from "./dice.js";
import {drawHand, drawMeter, drawing, fall, hurry, pause} from "./felt.js";
import {Kept, Link, Station, canonical, drawn, keysOf, unbase64} from "./wire.js";

const TICK = 1000, BEAT = 8000, AGAIN = 3000, REST = 600, KNOWN = 500; // milliseconds
const MAX_TRIES = 5;
const MAX_CHECKED = 4; // events without a heartbeat: the host shows all since the last one
const NO_LINK = "This page needs the link of a table: scan its code again, on the screen where it is open.";
const NOT_KEPT = "This browser keeps nothing for this page, so it cannot have a seat. Is this a private window?";
const ELSEWHERE = "Another tab plays with this seat now.";
const CLOSED = "This table is closed: nobody has its seats any more. Whoever opens a new one has a new link.";
const LEFT = "You have left the table. Scan its code again to come back.";
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const find = (selector) => document.querySelector(selector);
const {host, name: hostName} = document.body.dataset;
const laptop = `${hostName}'s laptop`;

let kept, station, link; // this browser's record, the machine, and its connection
let view; // the last view of the host
let connected = false;
let ended = ""; // why this page plays no more
let picked = [], pickedFor; // the dice to roll, and the choice that they are for
let leaving = false, sure = false; // sure: the next press of Leave counts
let asksName = false; // whether the form for a name is wanted, where one can sit down
let wish = ""; // the name that a seat is wanted by, maybe after the match, until this page has one
let refusal = "", refusals; // why the table did not do the last request, and how many requests it has refused
let beaten = 0, checkedThen = 0; // the last heartbeat's time, and what was checked by then
const wishes = new Map(); // what the person here wants, and the table does not show yet, by its name
const owed = new Map(); // when this page has sent its owed entries, by text

// -- the throw --------------------------------------------------------------------------------------------------------

const told = new Set(); // the rolls that have been shown, or will be
const queue = []; // the rolls that are to be shown, the first of which falls
let table; // the view on the table: while dice fall the one before, with the dice that have fallen since
let said = ""; // while dice fall
let quick = false;

function throwDice(rolls) {
  const fresh = rolls.filter(({step}) => !told.has(`${station.witness.id} ${step}`));
  fresh.forEach(({step}) => told.add(`${station.witness.id} ${step}`));
  const falls = queue.length;
  queue.push(...fresh);
  for (const {step, stake} of view.fallen) queue.forEach((roll) => roll.step === step && (roll.stake = stake));
  if (!falls && queue.length) showThrows();
}

async function showThrows() {
  table = structuredClone(table);
  while (queue.length && !ended) {
    const [roll] = queue;
    const {seat, dice, faces} = roll;
    const place = table.seats[seat];
    const hand = dice.length < view.hand && place.dice.length ? [...place.dice] : Array(view.hand).fill(0);
    quick = queue.length > 2;
    said = `${place.mine ? "You roll" : `${place.name} rolls`} ${words(dice.length)}.`;
    const show = (hand, text = said) => {
      Object.assign(place, {dice: [...hand], total: "", meter: place.meter && 0});
      said = text;
      draw();
      return true;
    };
    await fall(hand, dice, faces, show, () => stake(roll), () => quick);
    show(hand);
    await pause(quick ? 0 : REST);
    queue.shift();
  }
  table = view;
  draw();
}

const words = (dice) => `${NUMBERS[dice]} ${dice > 1 ? "dice" : "die"}`;

// The host says what is at stake, maybe after the dice of this seat have landed.
async function stake(roll) {
  for (let waited = 0; roll.stake === undefined && waited < KNOWN && !quick; waited += 25) {
    await new Promise((done) => setTimeout(done, 25));
  }
  return roll.stake;
}

// -- the table --------------------------------------------------------------------------------------------------------

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);
const choice = () => view.ask.choices[picked.join("")];
const asks = () =>
  view?.ask && connected && !ended && !queue.length && !station.unfair && !wishes.has("roll") && !wishes.has("stand");

function put(selector, text) {
  const element = find(selector);
  if (element.textContent !== text) element.textContent = text; // what is put again would be read again
  element.hidden = !text;
}

function draw() {
  const asked = asks();
  const shows = !ended && table;
  const {phase, may, labels, result, sitting} = shows ? table : {may: {}, labels: {}};
  const mine = sitting?.some((each) => each.mine);
  const sits = shows && connected && !mine && !wish && (may.sit || late()); // may leave a name for the next match
  document.title = asked ? "Your turn" : `${hostName}'s table`;
  if (shows) {
    put("#title", table.title);
    put("#caption", table.caption || `${hostName}'s table`);
  }
  const next = mine || (sitting?.length > 0 && !may.sit); // whether the next match is more than the last one here
  const gathers = phase === "before" || (phase === "over" && !queue.length && next);
  const over = Boolean(result) && !queue.length && !gathers && connected;
  put("#line", over ? result.join(" ") : sentence(asked));
  find("#line").className = over ? "big" : "";
  put("#news", shows ? news().join("\n") : "");
  put("#dice-by", shows ? table.dice_by : "");
  const before = gathers ? sitting : table?.match?.players.map(([name]) => ({name})) ?? []; // before the lot
  const rows = !shows ? [] : gathers || !table.seats.length ? before.map(sitter) : table.seats.map(row);
  find("#seats").innerHTML = rows.join("");
  find("#seats").className = rows.length > 3 ? "" : "few";
  find("form").hidden = !sits || !asksName;
  put("form button", labels.sit ?? "");
  drawDice(asked, shows && !gathers && table.seats.find((seat) => seat.mine));
  const primary = connected && (may.start ? "start" : sits && !asksName ? "sit" : "");
  put("#go", ended === ELSEWHERE ? "Play here" : !shows ? "" : label(asked, primary));
  find("#go").ariaDisabled = asked && (!picked.length || Boolean(choice()?.[0]));
  put("#stand", asked && view.ask.stand !== null ? labels.stand ?? "Stand" : "");
  find("#stand").ariaDisabled = asked && Boolean(view.ask.stand);
  put("#watch", !connected ? "" : may.rise ? labels.rise : find("form").hidden ? "" : "Watch");
  put("#without", connected && may.without ? labels.without : "");
  put("#leave", !shows || !station.record.name ? "" : sure ? "Leave for good? Press again" : "Leave the table");
  find("#reactions").hidden = !shows || !connected || (asksName && !station.record.name);
}

function label(asked, primary) {
  if (queue.length) return "Faster";
  if (asked) return choice()[4];
  return primary ? view.labels[primary] : "";
}

function sentence(asked) {
  if (ended) return ended;
  if (!connected && view) return `No connection to ${laptop}. This page tries again by itself.`;
  if (!connected) return `Looking for ${laptop} …`;
  if (!view) return `Waiting for ${laptop} …`;
  if (queue.length) return said;
  const [forbids, preview] = (asked && choice()) || [];
  return refusal || (asked && picked.length && (forbids || preview)) || view.line;
}

function news() {
  const {reacted} = view;
  const unfair = station.unfair && `${station.unfair} This phone opens no key any more.`;
  const full = station.refused && `The table does not keep what this phone says: ${station.refused}.`;
  return [unfair, full, ...view.news, reacted && `${reacted[0]}: ${reacted[1]}`].filter(Boolean);
}

function row({name, mark, dice, total, meter, note, tally, acts, out, mine, away}, at) {
  const falls = queue.length ? queue[0].seat === at : acts;
  const notes = [mine && "you", away && "away", note, tally && total].filter(Boolean).join(" · ");
  const drawings = mine || out ? "" : dice.map(drawing).join("");
  return `<li class="s${mark} ${falls ? "acts" : out ? "out" : ""}">` +
    `<b>${escaped(name)}</b>` +
    `<i role="img" aria-label="${dice.map((face) => face || "rolling").join(" ")}">${drawings}</i>` +
    `<em>${escaped(tally || total)}</em>${notes && `<span>${escaped(notes)}</span>`}${mine ? "" : bar(meter)}</li>`;
}

const bar = (meter) =>
  meter === null ? "" : `<div class="bar" aria-hidden="true"><u style="width:${meter / 10}%"></u></div>`;

function sitter({name, page, away, mine}) {
  const notes = [mine && "you", page && "phone", away && "away"].filter(Boolean).join(" · ");
  return `<li><b>${escaped(name)}</b><i></i><em>${notes}</em></li>`;
}

function drawDice(asked, seat) {
  find("#table").hidden = !seat || seat.out;
  if (!seat) return;
  const first = asked && !seat.dice.length; // what is rolled first is not chosen
  const hand = Array.from({length: first ? picked.length : view.hand}, (_, at) => seat.dice[at]);
  const dice = find("#dice");
  dice.style.setProperty("--hand", hand.length);
  dice.className = find("#meter").className = `s${seat.mark}`;
  find("#meter").classList.add("bar");
  while (dice.children.length > hand.length) dice.lastChild.remove();
  while (dice.children.length < hand.length) {
    const button = document.createElement("button");
    const die = dice.children.length + 1;
    button.onclick = () => toggle(die);
    dice.append(button);
  }
  drawHand(dice.children, hand, picked, asked, asked && !first);
  const [meter, tick] = (asked && choice()?.slice(2, 4)) || [seat.meter, null];
  find("#meter").hidden = meter === null;
  drawMeter(find("#meter"), meter / 10, tick / 10);
}

// -- what a person does -----------------------------------------------------------------------------------------------

function toggle(die) {
  if (!asks() || die > view.hand || !view.seats.find((seat) => seat.mine).dice.length) return;
  picked = picked.includes(die) ? picked.filter((each) => each !== die) : [...picked, die].sort();
  draw();
}

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
    const done = name === "sit" && view.sitting.some((each) => each.mine);
    if (!still || done || tries === MAX_TRIES) wishes.delete(name);
    else if (connected && now - at >= AGAIN) {
      Object.assign(wish, {at: now, tries: tries + 1});
      say(body);
    }
  }
}

function say(body) {
  try {
    link.store(station.entry(body));
  } catch (error) {
    station.refuse(error);
  }
}

function go() {
  if (ended === ELSEWHERE) return location.reload();
  if (queue.length) return faster();
  if (asks()) {
    if (!picked.length || choice()?.[0]) return;
    const {witness: {id}} = station;
    return want("roll", {at: "act", match: id, event: view.ask.event, roll: picked});
  }
  if (view?.may.start) return want("start", view.may.start);
  if (find("#go").hidden) return;
  if (station.record.name) return sitDown(station.record.name);
  asksName = true;
  draw();
}

function faster() {
  quick = true;
  hurry();
}

function stand() {
  if (asks() && view.ask.stand === "") want("stand", view.may.stand);
  else if (asks() && view.ask.stand) put("#line", view.ask.stand);
}

// Wants a seat by a name, now or as soon as the match is over.
function sitDown(name) {
  [wish, asksName] = [name, false];
  refusal = "";
  sit();
  beat();
  draw();
}

function sit() {
  if (wish && view.may.sit) want("sit", station.sit(view.may.sit, wish));
}

// Whether a match is played here without this page.
const late = () => ["lot", "playing"].includes(view.phase) && station.index < 0;

// Keeps the name of a seat once the table has given it; what it refuses is asked for again.
function settle() {
  const {name} = [...view.sitting, ...(view.phase === "over" ? [] : view.seats)].find((each) => each.mine) ?? {};
  if (name && (wish || name !== station.record.name)) {
    [wish, asksName] = ["", false];
    station.keep((record) => record && {...record, name});
  }
  if (name && location.hash) history.replaceState(null, "", location.pathname); // from now on this browser has the link
  const [count, reason] = view.refused;
  if (reason && count !== (refusals ?? count)) {
    ["sit", "start"].forEach((each) => wishes.delete(each));
    if (wish) [asksName, find("#name").value] = [true, wish];
    [wish, refusal] = ["", reason];
    beat();
  }
  refusals = count;
}

// Leaves for good after a second press.
function leave() {
  if (!sure) {
    sure = true;
    setTimeout(() => ((sure = false), draw()), AGAIN);
    return draw();
  }
  leaving = true;
  wish = "";
  leaveOn();
}

function leaveOn() {
  const name = view.may.leave ? "leave" : view.may.rise ? "rise" : "";
  if (!name) return forget(LEFT);
  if (!wishes.has(name)) want(name, view.may[name]);
}

// Deletes the keys: nobody can come back to this seat.
async function forget(why) {
  stop(why);
  await station.keep(() => null);
}

function stop(why) {
  ended = why;
  connected = false;
  link?.close();
  draw();
}

// -- the room ---------------------------------------------------------------------------------------------------------

function hear(data) {
  const found = ended ? undefined : station.views.take(data);
  if (!found) return;
  const [past, before] = [!view || station.behind, station.witness?.id];
  view = found;
  station.look(view);
  const begins = before !== station.witness?.id;
  // Nobody was there when they fell.
  if (past || begins) view.fallen.forEach(({step}) => told.add(`${station.witness.id} ${step}`));
  const choice = `${station.witness?.id} ${view.ask?.event}`;
  if (choice !== pickedFor) [picked, pickedFor] = [view.ask?.picked ?? [], choice];
  const {foreseen} = station;
  if (begins) refusal = "";
  settle();
  owe();
  sit();
  pursue();
  if (leaving) leaveOn();
  if (!queue.length && !(table && (foreseen || view.fallen.length))) table = view;
  table ??= view;
  if (view.match) throwDice([...(foreseen ? [foreseen] : []), ...view.fallen]);
  if (!queue.length) table = view;
  draw();
  const checked = station.witness?.events ?? 0;
  if (station.behind || view.asks || begins || checked - checkedThen >= MAX_CHECKED) beat();
}

// Sends the entries that this page owes, again if the table does not show them after a while.
function owe() {
  const once = (text, work) => {
    if (Date.now() - (owed.get(text) ?? 0) < AGAIN) return;
    owed.set(text, Date.now());
    work();
  };
  const {asked, witness} = station;
  if (asked) once(`${witness.id} ${asked.step}`, async () => {
    const body = await station.open();
    if (body) say(body);
    else draw();
  });
  for (const body of view.owes.filter((each) => station.owes(each))) once(canonical(body), () => say(body));
}

function beat(fields = {}) {
  [beaten, checkedThen] = [Date.now(), station.witness?.events ?? 0];
  const watching = !view?.sitting.some((each) => each.mine) && !view?.seats.some((each) => each.mine);
  if (connected) link.hint(station.beat({name: wish || station.record.name || "", wish, watching, ...fields}));
}

function connect() {
  if (ended) return;
  link?.close();
  [connected, beaten] = [false, Date.now()];
  let lays = true;
  link = new Link(`ws://${location.host}/`, station, unhex(host), {
    ready() {
      connected = true;
      owed.clear();
      beat();
      draw();
    },
    view(data) {
      hear(data);
      // Actions with an opened key must be in the log, which may have lost its end.
      if (lays && view && station.lost) link.store(station.lost);
      lays = false;
    },
    refused(why) {
      station.refused = why;
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
  if (!link || link.silent || (!connected && Date.now() - beaten > BEAT)) return connect();
  if (Date.now() - beaten >= BEAT) beat();
  if (connected && view) owe(), pursue();
}

// The root of the room from the link; after a reload this browser's stored one.
async function open() {
  const link = location.hash.slice(1);
  try {
    kept = await new Kept().open();
    const found = /^[\w-]{22}$/.test(link) ? hex(unbase64(link)) : (await kept.newest())?.root;
    if (!found) return stop(NO_LINK);
    const keys = keysOf(unhex(found));
    const record = await kept.update(keys.room, (before) => ({
      root: found, secret: hex(drawn(32)), opened: {}, ...before, at: Date.now(),
    }));
    station = new Station(keys, unhex(record.secret), unhex(host), kept);
    station.record = record;
    asksName = !record.name;
  } catch {
    return stop(NOT_KEPT);
  }
  const tabs = new BroadcastChannel(`420 ${station.keys.room}`);
  tabs.postMessage("here");
  tabs.onmessage = () => stop(ELSEWHERE);
  connect();
  setInterval(tick, TICK);
  station.chain(0); // a tenth of a second on a phone, while the name is typed
}

find("#go").onclick = go;
find("#stand").onclick = stand;
find("#leave").onclick = leave;
find("#watch").onclick = () => {
  asksName = Boolean(view.may.rise);
  refusal = "";
  if (!asksName) return draw();
  find("#name").value = station.record.name;
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
  if (target.dataset.at) beat({at: "react", reaction: Number(target.dataset.at)});
  find("#reactions").open = false;
};
onpointerdown = () => queue.length && faster();
onkeydown = ({key, target, ctrlKey, metaKey, altKey}) => {
  if (ctrlKey || metaKey || altKey || target.closest("input, summary, button:not(#dice button, #go)")) return;
  if ("123456789".includes(key)) toggle(Number(key));
  if (key === "s") stand();
  if (key === "Enter" && !target.closest("button")) go();
};
onhashchange = () => location.reload(); // the link of another table
document.onvisibilitychange = () => {
  if (document.hidden || ended || !station) return;
  if (!connected || link?.silent) connect();
  else beat();
};
ononline = () => !ended && station && connect();
onpagehide = () => beat({at: "gone"});
onpageshow = ({persisted}) => persisted && !ended && station && connect();
open();
