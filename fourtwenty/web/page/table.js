// The first page: 420 at once, in elements of the page. The whole game goes on with what is played here.
import {Dice, hex, sha256, unhex} from "./dice.js";
import {GOAL, apply, chances, chosen, dice, kept, least, legal, loser, nextRound, refusal, start, sum, toAct, winner} from "./four_twenty.js";

const KEPT = "420 table"; // the name of the game in the storage, where the whole game finds it (page.js)
const LAND = 150, LAST = 900, THINKS = 800; // milliseconds: a die, the one that can make 20, a bot
const find = (selector) => document.querySelector(selector);
const pause = (time) => new Promise((done) => {
  hurry = done;
  setTimeout(done, still.matches || rush ? 0 : time);
});
const still = matchMedia("(prefers-reduced-motion)");

let game; // what is kept: identifier, seed, players and all rolls so far
let thrower, state, throws; // what follows from it
let shown; // the hands as they are shown, with 0 for a die that rolls
let picked = []; // the dice to roll
let said = "", news = ""; // what has happened; what is wrong outside of the game
let acting; // who rolls, or is to roll
let round = 0; // the number of the game that is played: whatever belongs to another one ends
let rush = false; // nobody here plays on: to the end
let hurry = () => {};

// -- the game ---------------------------------------------------------------------------------------------------------

function begin(seats, rival) {
  const bot = rival === "Perfect" && seats > 3 ? "Steady" : rival;
  const drawn = (bytes) => hex(crypto.getRandomValues(new Uint8Array(bytes)));
  const names = Array.from({length: seats - 1}, (_, at) => (at ? `${bot} ${at + 1}` : bot));
  const players = [{name: "You", kind: "human"}, ...names.map((name) => ({name, kind: "bot"}))];
  open({id: drawn(16), seed: drawn(32), bot, players, rolls: []});
  keep();
}

function open(found) {
  game = found;
  round++;
  rush = false;
  said = "";
  thrower = new Dice(unhex(game.seed), game.id, "420", game.players);
  state = start(game.players.length, thrower.first(game.players.length));
  throws = game.players.map(() => 0);
  for (const roll of game.rolls) made(roll);
  settle();
  find("#seal").textContent =
    `The dice of this game were sealed before its first roll: ${hex(sha256(unhex(game.seed)))} is the SHA-256 of their seed. ` +
    "The whole game proves every roll with it.";
  play();
}

// The rounds that are over, but for the last one: a game that is loaded goes on where a round ended.
function made(roll) {
  if (winner(state) !== undefined) state = nextRound(state);
  const seat = toAct(state);
  const faces = thrower.throw(seat, ++throws[seat], roll);
  state = apply(state, roll, faces);
  return faces;
}

function settle() {
  shown = state.hands;
  picked = toAct(state) === 0 && legal(state.hands[0]).length === 1 ? [1, 2, 3, 4] : [];
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(game));
  } catch {
    news = "This browser keeps nothing: a reload ends this game. ";
  }
}

// What was rolled stays rolled: it is kept before it is seen.
async function act(roll) {
  const [seat, before, first] = [toAct(state), state.hands[toAct(state)], !state.hands[toAct(state)].length];
  game.rolls.push(roll);
  const faces = made(roll);
  keep();
  picked = [];
  acting = seat;
  const hand = before.length ? [...before] : [0, 0, 0, 0];
  const mine = round;
  const show = (text) => {
    shown = shown.map((old, at) => (at === seat ? [...hand] : old));
    said = text;
    draw();
  };
  for (const die of roll) hand[die - 1] = 0;
  show(`${name(seat)} ${seat ? "rolls" : "roll"} ${dice(roll.length)}.`);
  for (const [at, die] of roll.entries()) {
    const missing = GOAL - sum(hand);
    const last = at === roll.length - 1 && missing > 0 && missing < 7;
    if (last) show(`${sum(hand)} and a ${missing} makes 20 …`);
    await pause(last ? LAST : LAND);
    if (mine !== round) return;
    hand[die - 1] = faces[at];
    if (!last) show(said);
  }
  shown = state.hands;
  said = `${name(seat)}: ${words(sum(hand), first)}`;
}

const name = (seat) => game.players[seat].name;

function words(total, first) {
  if (total === GOAL) return first ? "20 at the first roll, 1 in 37!" : "20!";
  if (total === 19) return "19, one away.";
  if (total === 21) return "21, one too many.";
  return total > GOAL ? `${total}, over.` : `${total}, ${GOAL - total} to go.`;
}

// Until a person is asked.
async function play() {
  const mine = round;
  draw();
  while (toAct(state) > 0) {
    await pause(THINKS);
    if (mine !== round) return;
    await act(chosen(game.bot, state, thrower.chance(game.rolls.length)));
    if (mine !== round) return;
    settle();
    draw();
    if (rush && loser(state) === undefined && winner(state) !== undefined) advance();
  }
  if (loser(state) !== undefined) navigator.storage?.persist?.();
}

function advance() {
  state = nextRound(state);
  said = "";
  settle();
  draw();
}

// -- the page ---------------------------------------------------------------------------------------------------------

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
const pip = (at) => `<circle cx="${15 + 15 * (at % 3)}" cy="${15 + 15 * Math.floor(at / 3)}" r="5.5"/>`;
const drawing = (face) => `<svg viewBox="0 0 60 60" aria-hidden="true"><rect width="60" height="60" rx="11"/>${PIPS[face ?? 0].map(pip).join("")}</svg>`;

function draw() {
  const [seat, won, last] = [toAct(state), winner(state), loser(state)];
  const rolling = shown !== state.hands;
  const asked = seat === 0 && !rolling;
  if (!rolling) acting = seat;
  find("#seats").className = state.hands.length > 3 ? "" : "few";
  find("#seats").innerHTML = state.hands.map((_, at) => row(at)).join("");
  const hand = shown[0];
  [...find("#dice").children].forEach((button, at) => {
    const roll = picked.includes(at + 1);
    button.innerHTML = `${drawing(hand[at])}<span>${asked && hand.length ? (roll ? "roll" : "keep") : "&nbsp;"}</span>`;
    button.className = hand[at] === 0 ? "tumbles" : "";
    button.ariaPressed = asked && hand.length ? roll : null;
    button.disabled = !asked;
    button.ariaLabel = `Die ${at + 1}: ${hand[at] || "not rolled"}${asked ? (roll ? ", roll" : ", keep") : ""}`;
  });
  const stay = asked ? kept(hand, picked) : hand;
  find("#meter u").style.width = `${sum(stay) * 5}%`;
  find("#meter s").hidden = !asked || !hand.length || !least(picked);
  find("#meter s").style.left = `${least(picked) * 5}%`;
  const allowed = asked && picked.length && !refusal(hand, picked);
  const {all, twenty, over} = chances(allowed ? stay : []);
  const share = (count) => `${count} of ${all} (${((100 * count) / all).toFixed(1)} %)`;
  find(".chances").textContent = allowed ? `20: ${share(twenty)} · over: ${share(over)}` : "\xa0";
  find("#line").textContent = news + sentence(asked, won, last, rolling);
  find("#line").className = won !== undefined && !rolling ? "big" : "";
  const go = find("#go");
  go.textContent = asked ? (picked.length ? `Roll ${picked.length === 4 ? "all four" : dice(picked.length)}` : "Tap dice to roll")
    : rolling || seat !== undefined ? (state.out.includes(0) || won === 0 ? "To the end" : "Faster")
    : last === undefined ? (won === 0 ? "To the end" : "Next round") : "Play again";
  go.ariaDisabled = asked && !allowed;
}

function row(at) {
  const hand = shown[at];
  const place = state.out.indexOf(at);
  const total = place < 0 ? sum(hand) : 0;
  const words = place < 0 ? (at ? hand.map(drawing).join("") : "") : "out: safe"; // the dice of a person lie below
  const acts = at === acting ? "acts" : place < 0 ? "" : "out";
  const bar = `<div class="bar" aria-hidden="true"><u style="width:${total * 5}%"></u></div>`;
  return `<li class="s${at} ${acts}"><b>${name(at)}</b><i role="img" aria-label="${place < 0 ? hand.join(" ") : words}">${words}</i>` +
    `<em>${total || ""}</em>${at ? bar : ""}</li>`;
}

function sentence(asked, won, last, rolling) {
  if (rolling) return said;
  if (last !== undefined) return last ? `${name(last)} buys the drinks.` : "You buy the drinks.";
  if (won !== undefined) return won ? `${name(won)} makes 20 and is out.` : "You make 20: you are out, and safe.";
  if (!asked) return said || `${name(toAct(state))} begins.`;
  const hand = state.hands[0];
  if (!hand.length) return `${said} Your turn: roll all four.`;
  if (sum(hand) > GOAL) return `${said} Your ${sum(hand)} is over 20: roll all four.`;
  if (legal(hand).length === 1) return `${said} None of your dice is 5 or more: roll all four.`;
  if (!picked.length) return `${said} Your turn: tap the dice to roll, the others stay.`;
  const stay = kept(hand, picked);
  const total = stay.length > 1 ? ` (${sum(stay)})` : "";
  return refusal(hand, picked) ?? (stay.length ? `Keep ${stay.join(" ")}${total}, roll ${dice(picked.length)}.` : "Keep nothing: roll all four.");
}

function toggle(die) {
  if (toAct(state) !== 0 || shown !== state.hands || !state.hands[0].length) return;
  picked = picked.includes(die) ? picked.filter((each) => each !== die) : [...picked, die].sort();
  draw();
}

async function go() {
  const [seat, last] = [toAct(state), loser(state)];
  if (shown !== state.hands || seat > 0) {
    if (state.out.includes(0)) rush = true;
    return hurry();
  }
  if (last !== undefined) return begin(game.players.length, game.bot === "Steady" ? "Perfect" : game.bot);
  if (seat === undefined) {
    rush = winner(state) === 0 || state.out.includes(0);
    advance();
  } else if (!picked.length || refusal(state.hands[0], picked)) return;
  else {
    const mine = round;
    await act(picked);
    if (mine !== round) return;
    settle();
  }
  play();
}

for (const die of [1, 2, 3, 4]) {
  const button = document.createElement("button");
  button.onclick = () => toggle(die);
  find("#dice").append(button);
}
find("#go").onclick = go;
find("#seated").innerHTML = [2, 3, 4, 5, 6].map((seats) => `<option value="${seats}">${seats} players</option>`).join("");
find("#seated").onchange = () => {
  const strong = find("#seated").value > 3 ? "Steady" : "Perfect"; // what is perfect with more takes the whole game
  find("#rival").innerHTML = `<option value="Merry">against Merry, two drinks in</option><option value="Perfect">against ${strong}</option>`;
};
find("#seated").onchange();
find("#new").onclick = () => {
  begin(Number(find("#seated").value), find("#rival").value);
  find("#new").closest("details").open = false;
};
onkeydown = ({key, target, ctrlKey, metaKey, altKey}) => {
  if (ctrlKey || metaKey || altKey || target.closest("select, summary, a, button:not(#dice button)")) return;
  if ("1234".includes(key)) toggle(Number(key));
  if (key === "a" && toAct(state) === 0) (picked = [1, 2, 3, 4]), draw();
  if (key === "Enter" && !target.closest("button")) go();
};

// -- the rest ---------------------------------------------------------------------------------------------------------

function load() {
  let found;
  try {
    found = JSON.parse(localStorage.getItem(KEPT));
  } catch {} // it is refused, or not ours
  if (found?.rolls) open(found);
  else begin(2, "Merry");
}

onstorage = ({key}) => key === KEPT && load(); // another tab plays it, or the whole game has taken it over
load();
// What answers without a network brings the whole game, behind this one.
if (!navigator.connection?.saveData) navigator.serviceWorker?.register("offline.js").catch(() => {});
