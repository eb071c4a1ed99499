// The first page: 420 at once, in elements of the page. The whole game goes on with what is played here.
import {Dice, hex, sha256, unhex} from "./dice.js";
import {
  GOAL, ROLLS, apply, chances, chosen, dice, kept, least, legal, loser, nextRound, refusal, start, sum, toAct, winner,
} from "./four_twenty.js";
import {drawHand, drawMeter, drawing, fall, hurry, pause} from "./felt.js";

const KEPT = "420 table"; // the name of the game in the storage, where the whole game finds it (page.js)
const RACE = "420 race"; // that of a race to 20, which is an exercise: one player, and dice that two can throw
const NOWHERE = "This link leads nowhere: perhaps a part of it is missing. ";
const MAX_INFLATED_BYTES = 65536; // bytes of a record in a link
const THINKS = 800; // milliseconds: a bot
const find = (selector) => document.querySelector(selector);

let game; // the stored game: identifier, seed, players and all rolls so far
let thrower, state, throws; // what follows from it
let shown; // the hands as they are shown, with 0 for a die that rolls
let selected = []; // the dice to roll
let said = "", news = ""; // what has happened; what is wrong outside of the game
let acting; // who rolls, or is to roll
let round = 0; // the number of the game that is played: whatever belongs to another one ends
let rush = false; // nobody here plays on: to the end

const drawn = (bytes) => hex(crypto.getRandomValues(new Uint8Array(bytes)));

function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? undefined;
  } catch {} // it is refused, or not ours
}

// -- the game ---------------------------------------------------------------------------------------------------------

function begin(seats, rival) {
  const bot = rival === "Perfect" && seats > 3 ? "Steady" : rival;
  const names = Array.from({length: seats - 1}, (_, at) => (at ? `${bot} ${at + 1}` : bot));
  const players = [{name: "You", kind: "human"}, ...names.map((name) => ({name, kind: "bot"}))];
  open({id: drawn(16), seed: drawn(32), bot, players, rolls: []});
  keep();
}

// A race with the dice of a seed, against the rolls of somebody else by their letters. One with both is only looked at.
function race(seed, theirs, mine) {
  const found = recall(RACE);
  const again = !mine && found?.seed === seed && found.theirs === theirs;
  const rolls = [...mine].map(rollOf);
  open(again ? found : {race: true, seen: Boolean(mine), seed, theirs, players: [{name: "You"}], rolls});
}

const rollOf = (letter) => ROLLS[letter.charCodeAt() - 97];
const letterOf = (roll) => String.fromCharCode(97 + ROLLS.findIndex((each) => `${each}` === `${roll}`));
const letters = (rolls) => rolls.map(letterOf).join("");
const another = () => (location.hash = `dare=${drawn(16)}`);

// The hands of a race by its letters; an error where the rules forbid one, or the last is not 20.
function raced(seed, rolls) {
  const dice = new Dice(unhex(seed), "race to 20");
  let run = start(1, 0);
  return [...rolls].map((letter, at) => {
    const roll = rollOf(letter);
    if (toAct(run) !== 0 || refusal(run.hands[0], roll)) throw new Error("no race");
    run = apply(run, roll, dice.throw(0, at + 1, roll));
    if ((at === rolls.length - 1) !== (winner(run) === 0)) throw new Error("no race");
    return run.hands[0];
  });
}

function open(found) {
  game = found;
  round++;
  rush = false;
  said = "";
  find("#link").hidden = true;
  const context = game.race ? ["race to 20"] : [game.id, "420", game.players];
  thrower = new Dice(unhex(game.seed), ...context);
  state = start(game.players.length, game.race ? 0 : thrower.first(game.players.length));
  throws = game.players.map(() => 0);
  for (const roll of game.rolls) made(roll);
  settle();
  if (!game.race) find("#seal").textContent =
    `The dice of this game were sealed before its first roll: ${hex(sha256(unhex(game.seed)))} is the SHA-256 of ` +
    "their seed. The whole game proves every roll with it.";
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
  selected = toAct(state) === 0 && legal(state.hands[0]).length === 1 ? [1, 2, 3, 4] : [];
}

function keep() {
  try {
    localStorage.setItem(game.race ? RACE : KEPT, JSON.stringify(game));
  } catch {
    news = "This browser keeps nothing: a reload ends this game. ";
  }
}

// A roll is final: it is stored before it is shown.
async function act(roll) {
  const [seat, before, first] = [toAct(state), state.hands[toAct(state)], !state.hands[toAct(state)].length];
  game.rolls.push(roll);
  const faces = made(roll);
  keep();
  selected = [];
  acting = seat;
  const hand = before.length ? [...before] : [0, 0, 0, 0];
  const mine = round;
  const show = (hand, text = said) => {
    if (mine !== round) return false;
    shown = shown.map((old, at) => (at === seat ? [...hand] : old));
    said = text;
    draw();
    return true;
  };
  said = `${name(seat)} ${seat ? "rolls" : "roll"} ${dice(roll.length)}.`;
  const stake = (hand) => {
    const missing = GOAL - sum(hand);
    return missing > 0 && missing < 7 && `${sum(hand)} and a ${missing} makes 20 …`;
  };
  await fall(hand, roll, faces, show, stake, () => rush);
  if (mine !== round) return;
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
    await pause(rush ? 0 : THINKS);
    if (mine !== round) return;
    await act(chosen(game.bot, state, thrower.chance(game.rolls.length)));
    if (mine !== round) return;
    settle();
    draw();
    if (rush && loser(state) === undefined && winner(state) !== undefined) advance();
  }
  if (ended() !== undefined) navigator.storage?.persist?.();
}

// The seat that the end is about: who buys the drinks, or whoever has run to 20 alone.
const ended = () => (game.race ? winner(state) : loser(state));

function advance() {
  state = nextRound(state);
  said = "";
  settle();
  draw();
}

// -- the page ---------------------------------------------------------------------------------------------------------

function draw() {
  const [seat, won, last] = [toAct(state), winner(state), ended()];
  const rolling = shown !== state.hands;
  const asked = seat === 0 && !rolling;
  if (!rolling) acting = seat;
  find("#seats").className = state.hands.length > 3 ? "" : "few";
  find("#seats").innerHTML = state.hands.map((_, at) => row(at)).join("");
  const hand = shown[0];
  drawHand(find("#dice").children, hand, selected, asked, asked && hand.length);
  const stay = asked ? kept(hand, selected) : hand;
  drawMeter(find("#meter"), sum(stay) * 5, asked && hand.length && least(selected) * 5);
  const allowed = asked && selected.length && !refusal(hand, selected);
  const {all, twenty, over} = chances(allowed ? stay : []);
  const share = (count) => `${count} of ${all} (${((100 * count) / all).toFixed(1)} %)`;
  find(".chances").textContent = allowed ? `20: ${share(twenty)} · over: ${share(over)}` : "\xa0";
  find("#line").textContent = news + sentence(asked, won, last, rolling);
  find("#line").className = won !== undefined && !rolling ? "big" : "";
  const go = find("#go");
  go.textContent = label(asked, rolling, last);
  go.ariaDisabled = asked && !allowed;
}

function label(asked, rolling, last) {
  if (asked && !selected.length) return "Tap dice to roll";
  if (asked) return `Roll ${selected.length === 4 ? "all four" : dice(selected.length)}`;
  const safe = state.out.includes(0) || (winner(state) === 0 && !game.race);
  if (rolling || toAct(state) !== undefined) return safe ? "To the end" : "Faster";
  if (last === undefined) return safe ? "To the end" : "Next round";
  if (!game.race) return "Play again";
  return game.seen ? "Another race" : game.theirs ? "Send the answer" : "Dare a friend";
}

function row(at) {
  const hand = shown[at];
  if (game.race && winner(state) === 0 && shown === state.hands) return sides();
  const place = state.out.indexOf(at);
  const total = place < 0 ? sum(hand) : 0;
  const said = place < 0 ? hand.join(" ") : "out: safe";
  const dice = place < 0 ? (at ? hand.map(drawing).join("") : "") : said; // the dice of a person lie below
  const acts = at === acting ? "acts" : place < 0 ? "" : "out";
  const bar = `<div class="bar" aria-hidden="true"><u style="width:${total * 5}%"></u></div>`;
  const hands = `<i role="img" aria-label="${said}">${dice}</i>`;
  return `<li class="s${at} ${acts}"><b>${name(at)}</b>${hands}<em>${total || ""}</em>${at ? bar : ""}</li>`;
}

// Both races side by side, once both are over.
function sides() {
  const side = (name, at, hands) => `<li class="s${at}"><b>${name}</b><i></i><em>${hands.length}</em>` +
    `<span>${hands.map((hand) => hand.join("")).join(" · ")}</span></li>`;
  const theirs = game.theirs ? side("They", 1, raced(game.seed, game.theirs)) : "";
  return side("You", 0, raced(game.seed, letters(game.rolls))) + theirs;
}

function sentence(asked, won, last, rolling) {
  if (rolling) return said;
  if (game.race && won === 0) return verdict();
  if (last !== undefined) return last ? `${name(last)} buys the drinks.` : "You buy the drinks.";
  if (won !== undefined) return won ? `${name(won)} makes 20 and is out.` : "You make 20: you are out, and safe.";
  if (!asked) return said || `${name(toAct(state))} begins.`;
  const hand = state.hands[0];
  if (game.race && !hand.length) {
    const needed = `Same dice: they needed ${times(game.theirs.length)} to 20. Can you do it in fewer?`;
    return game.theirs ? needed : "The race to 20: the fewer throws, the better.";
  }
  if (!hand.length) return `${said} Your turn: roll all four.`;
  if (sum(hand) > GOAL) return `${said} Your ${sum(hand)} is over 20: roll all four.`;
  if (legal(hand).length === 1) return `${said} None of your dice is 5 or more: roll all four.`;
  if (!selected.length) return `${said} Your turn: tap the dice to roll, the others stay.`;
  const stay = kept(hand, selected);
  const total = stay.length > 1 ? ` (${sum(stay)})` : "";
  if (!stay.length) return "Keep nothing: roll all four.";
  return refusal(hand, selected) ?? `Keep ${stay.join(" ")}${total}, roll ${dice(selected.length)}.`;
}

const times = (count) => `${count} throw${count === 1 ? "" : "s"}`;

function verdict() {
  const [mine, theirs] = [game.rolls.length, game.theirs.length];
  if (!theirs) return `20 in ${times(mine)}.`;
  if (mine === theirs) return `Both in ${times(mine)}.`;
  return `${mine < theirs ? "You" : "They"} win, by ${times(Math.abs(mine - theirs))}.`;
}

// People see the text before they send it.
function offer() {
  const [mine, theirs] = [letters(game.rolls), game.theirs];
  const address = `${location.origin}${location.pathname}#dare=${game.seed}.${theirs || mine}${theirs && `.${mine}`}`;
  const words = theirs ? `You needed ${times(theirs.length)} to 20, I ${mine.length}, with the same dice.`
    : `Same dice: I needed ${times(mine.length)} to 20. Can you do it in fewer?`;
  tell(`${words} ${address}`, navigator.share ? "Share" : "Copy", (text) =>
    (navigator.share ? navigator.share({text}) : navigator.clipboard.writeText(text)).catch(() => {}));
}

function tell(text, label, does) {
  find("#link").hidden = false;
  find("#link p").textContent = text;
  find("#link button").textContent = label;
  find("#link button").onclick = () => does(text);
}

function toggle(die) {
  if (toAct(state) !== 0 || shown !== state.hands || !state.hands[0].length) return;
  selected = selected.includes(die) ? selected.filter((each) => each !== die) : [...selected, die].sort();
  draw();
}

async function go() {
  const [seat, last] = [toAct(state), ended()];
  if (shown !== state.hands || seat > 0) {
    if (state.out.includes(0)) rush = true;
    return hurry();
  }
  if (game.race && last === 0) return game.seen ? another() : offer();
  if (last !== undefined) return begin(game.players.length, game.bot === "Steady" ? "Perfect" : game.bot);
  if (seat === undefined) {
    rush = winner(state) === 0 || state.out.includes(0);
    advance();
  } else if (!selected.length || refusal(state.hands[0], selected)) return;
  else {
    const mine = round;
    await act(selected);
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
const option = (value, text) => `<option value="${value}">${text}</option>`;
find("#seated").innerHTML =
  [2, 3, 4, 5, 6].map((seats) => option(seats, `${seats} players`)).join("") + option(1, "the race to 20, alone");
find("#seated").onchange = () => {
  find("#rival").hidden = find("#seated").value === "1";
  const strong = find("#seated").value > 3 ? "Steady" : "Perfect"; // what is perfect with more takes the whole game
  find("#rival").innerHTML = option("Merry", "against Merry, two drinks in") + option("Perfect", `against ${strong}`);
};
find("#seated").onchange();
find("#new").onclick = () => {
  history.replaceState(null, "", location.pathname);
  if (find("#seated").value === "1") another();
  else begin(Number(find("#seated").value), find("#rival").value);
  find("#new").closest("details").open = false;
};
onkeydown = ({key, target, ctrlKey, metaKey, altKey}) => {
  if (ctrlKey || metaKey || altKey || target.closest("select, summary, a, button:not(#dice button)")) return;
  if ("1234".includes(key)) toggle(Number(key));
  if (key === "a" && toAct(state) === 0) (selected = [1, 2, 3, 4]), draw();
  if (key === "Enter" && !target.closest("button")) go();
};

// -- links ------------------------------------------------------------------------------------------------------------

async function inflated(text) {
  const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt());
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces = [];
  for (let piece, size = 0; !(piece = await reader.read()).done; pieces.push(piece.value)) {
    if ((size += piece.value.length) > MAX_INFLATED_BYTES) throw new Error("too large");
  }
  return new Blob(pieces).text();
}

// A link's subject in words, as far as known.
async function about(fragment) {
  const [, name, value] = fragment.match(/^(\w+)[.=]?(.*)$/);
  if (name === "daily") {
    const [, day] = fragment.match(/^daily(?:=(\d{4}-\d\d-\d\d))?(?:\.[\w-]+)?$/);
    return `The puzzle of ${day ?? "today"}: what would you roll?`;
  }
  if (name === "p") return `A position: ${decodeURIComponent(value).match(/^[-*>=:+\w ]+$/)[0]}`;
  if (name !== "r") throw new Error("no link");
  const {game, players, result} = JSON.parse(await inflated(value));
  const names = (seats) => [seats].flat().map((seat) => players[seat].name).join(" and ");
  return `A finished game of ${game}, with every roll. Places: ${result.places.map(names).join(", ")}.`;
}

// A link opens in the whole game, and in words until that is here. A dare is played here.
async function follow() {
  const fragment = location.hash.slice(1);
  news = news.replace(NOWHERE, "");
  try {
    if (!fragment) return game.race && load();
    const dare = fragment.match(/^dare(?:=([0-9a-f]{32})(?:\.([a-o]+)(?:\.([a-o]+))?)?)?$/);
    if (dare) {
      const [, seed, first = "", second = ""] = dare;
      for (const each of [first, second]) raced(seed ?? "", each);
      return seed ? race(seed, second || first, second && first) : another();
    }
    const open = () => location.replace(`game.html#${fragment}`);
    tell(await about(fragment), "Open it in the whole game", open);
    const [played] = throws;
    if (saving) return;
    await whole;
    if (played === throws[0] && location.hash.slice(1) === fragment) open(); // nobody has played on here
  } catch {
    news += NOWHERE;
    draw();
  }
}

// Waits until the whole game is there. If it cannot be stored, it is loaded when opened.
async function brought({active, waiting, installing}) {
  const worker = active ?? waiting ?? installing;
  while (worker && !["activated", "redundant"].includes(worker.state)) {
    await new Promise((done) => (worker.onstatechange = done));
  }
}

function load() {
  try {
    open(recall(KEPT));
  } catch {
    begin(2, "Merry"); // there is none, or none of this version
  }
}

// Another tab plays it, or the whole game has taken it over.
onstorage = ({key}) => key === KEPT && !game.race && load();
onhashchange = follow;
load();
const saving = navigator.connection?.saveData;
// The service worker loads the whole game behind this one.
const whole = saving ? null : navigator.serviceWorker?.register("offline.js").then(brought).catch(() => {});
follow();
