// The first page: 420 at once, in elements of the page. The whole game goes on with what is played here.
import {Dice, hex, sha256, unbase64, unhex} from "./dice.js";
import {
  GOAL, ROLLS, apply, chances, chosen, kept, least, legal, loser, nextRound, refusal, start, sum, toAct, winner,
} from "./four_twenty.js";
import {Table, find, words} from "./table.js";

const KEPT = "420 table"; // the name of the game in the storage, where the whole game finds it (page.js)
const RACE = "420 race"; // that of a race to 20, which is an exercise: one player, and dice that two can throw
const NOWHERE = "This link leads nowhere: perhaps a part of it is missing. ";
const MAX_INFLATED_BYTES = 65536; // bytes of a record in a link

let game; // the stored game: identifier, seed, players and all rolls so far
let thrower, state, throws; // what follows from it
let last = "", news = ""; // the last throw in words; what is wrong outside of the game

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
  last = "";
  find("#link").hidden = true;
  const context = game.race ? ["race to 20"] : [game.id, "420", game.players];
  thrower = new Dice(unhex(game.seed), ...context);
  state = start(game.players.length, game.race ? 0 : thrower.first(game.players.length));
  throws = game.players.map(() => 0);
  for (const roll of game.rolls) made(roll);
  if (!game.race) find("#seal").textContent =
    `The dice of this game were sealed before its first roll: ${hex(sha256(unhex(game.seed)))} is the SHA-256 of ` +
    "their seed. The whole game proves every roll with it.";
  table.clear();
  table.match = game.seed;
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

function keep() {
  try {
    localStorage.setItem(game.race ? RACE : KEPT, JSON.stringify(game));
  } catch {
    news = "This browser keeps nothing: a reload ends this game. ";
  }
}

// A roll is final: it is stored before it is shown.
function rolled(roll) {
  const [seat, first] = [toAct(state), !state.hands[toAct(state)].length];
  game.rolls.push(roll);
  const faces = made(roll);
  const hand = state.hands[seat];
  const missing = GOAL - sum(hand) + faces.at(-1);
  const stake = missing > 0 && missing < 7 && `${GOAL - missing} and a ${missing} makes 20 …`;
  last = `${name(seat)}: ${outcome(sum(hand), first)}`;
  return {seat, dice: roll, faces, stake, line: last};
}

const name = (seat) => game.players[seat].name;

function outcome(total, first) {
  if (total === GOAL) return first ? "20 at the first roll, 1 in 37!" : "20!";
  if (total === 19) return "19, one away.";
  if (total === 21) return "21, one too many.";
  return total > GOAL ? `${total}, over.` : `${total}, ${GOAL - total} to go.`;
}

// Plays, from a person's roll if there is one, until a person is asked or the round is over.
function play(roll) {
  const before = view();
  const falling = [...(roll ? [rolled(roll)] : []), ...others()];
  if (falling.length) keep();
  if (ended() !== undefined) navigator.storage?.persist?.();
  table.show(view(), falling, before);
}

// The rolls of bots until somebody else is to act.
function others() {
  const all = [];
  while (toAct(state) > 0) all.push(rolled(chosen(game.bot, state, thrower.chance(game.rolls.length))));
  return all;
}

// The seat that the end is about: who buys the drinks, or whoever has run to 20 alone.
const ended = () => (game.race ? winner(state) : loser(state));
const safe = () => state.out.includes(0) || (winner(state) === 0 && !game.race);

// -- the view ---------------------------------------------------------------------------------------------------------

function view() {
  const [won, over, hand] = [winner(state), ended(), state.hands[0]];
  const asked = toAct(state) === 0;
  const go = over !== undefined ? again() : safe() ? ["end", "To the end"] : ["round", "Next round"];
  return {
    hand: 4,
    line: news + turn(asked),
    seats: game.race && won === 0 ? sides() : state.hands.map(seat),
    ask: asked ? {event: game.rolls.length, choices: choicesOf(hand), stand: null, picked: forced(hand)} : null,
    result: won === undefined ? null : [news + result(won, over)],
    go: asked ? null : go,
  };
}

const forced = (hand) => (legal(hand).length === 1 ? [1, 2, 3, 4] : []);

function again() {
  if (!game.race) return ["again", "Play again"];
  return game.seen ? ["race", "Another race"] : ["offer", game.theirs ? "Send the answer" : "Dare a friend"];
}

function seat(hand, at) {
  const out = state.out.includes(at);
  const [mine, acts, total] = [!at, at === toAct(state), out ? 0 : sum(hand)];
  const note = out ? "out: safe" : "";
  return {name: name(at), mark: at, dice: out ? [] : hand, total: total || "", meter: out ? null : total * 50, note, acts, out, mine};
}

// Both races side by side, once both are over.
function sides() {
  const side = (name, mark, hands) =>
    ({name, mark, dice: [], total: hands.length, meter: null, note: hands.map((hand) => hand.join("")).join(" · ")});
  const mine = side("You", 0, raced(game.seed, letters(game.rolls)));
  return game.theirs ? [mine, side("They", 1, raced(game.seed, game.theirs))] : [mine];
}

const choicesOf = (hand) => Object.fromEntries([[], ...ROLLS].map((roll) => {
  const stay = kept(hand, roll);
  const no = !roll.length || refusal(hand, roll);
  const total = stay.length > 1 ? ` (${sum(stay)})` : "";
  const preview = stay.length ? `Keep ${stay.join(" ")}${total}, roll ${words(roll.length)}` : reason(hand);
  const label = !roll.length ? "Tap dice to roll" : `Roll ${roll.length === 4 ? "all four" : words(roll.length)}`;
  const {all, twenty, over} = chances(no ? [] : stay);
  const share = (count) => `${count} of ${all} (${((100 * count) / all).toFixed(1)} %)`;
  const chance = no ? "" : `20: ${share(twenty)} · over: ${share(over)}`;
  return [roll.join(""), [no || "", preview, sum(stay) * 50, hand.length && least(roll) * 50, label, chance]];
}));

function reason(hand) {
  if (!hand.length) return "Your turn: roll all four";
  if (sum(hand) > GOAL) return `Your ${sum(hand)} is over 20: roll all four`;
  return legal(hand).length === 1 ? "None of your dice is 5 or more: roll all four" : "Keep nothing: roll all four";
}

function turn(asked) {
  if (!asked) return last;
  const [hand] = state.hands;
  if (game.race && !hand.length) {
    const needed = `Same dice: they needed ${times(game.theirs.length)} to 20. Can you do it in fewer?`;
    return game.theirs ? needed : "The race to 20: the fewer throws, the better.";
  }
  return forced(hand).length ? last : `${last} Your turn: tap the dice to roll, the others stay.`.trim();
}

function result(won, over) {
  if (game.race) return verdict();
  if (over !== undefined) return over ? `${name(over)} buys the drinks.` : "You buy the drinks.";
  return won ? `${name(won)} makes 20 and is out.` : "You make 20: you are out, and safe.";
}

const times = (count) => `${count} throw${count === 1 ? "" : "s"}`;

function verdict() {
  const [mine, theirs] = [game.rolls.length, game.theirs.length];
  if (!theirs) return `20 in ${times(mine)}.`;
  if (mine === theirs) return `Both in ${times(mine)}.`;
  return `${mine < theirs ? "You" : "They"} win, by ${times(Math.abs(mine - theirs))}.`;
}

// -- the page ---------------------------------------------------------------------------------------------------------

class FirstTable extends Table {
  draw() {
    super.draw();
    find(".chances").textContent = (this.asks() && this.choice[5]) || "\xa0";
  }
}

const table = new FirstTable(({roll, go}) => {
  if (roll) play(roll);
  else answers[go]();
});

const answers = {
  round() {
    state = nextRound(state);
    last = "";
    play();
  },
  end() {
    while (ended() === undefined) {
      state = nextRound(state);
      others();
    }
    keep();
    play();
  },
  again: () => begin(game.players.length, game.bot === "Steady" ? "Perfect" : game.bot),
  race: () => another(),
  offer,
};

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

find("#seated").onchange = () => {
  find("#rival").hidden = find("#seated").value === "1";
  const strong = find("#seated").value > 3 ? "Steady" : "Perfect"; // what is perfect with more takes the whole game
  find("#rival").lastChild.text = `against ${strong}`;
};
find("#new").onclick = () => {
  history.replaceState(null, "", location.pathname);
  if (find("#seated").value === "1") another();
  else begin(Number(find("#seated").value), find("#rival").value);
  find("#new").closest("details").open = false;
};
// -- links ------------------------------------------------------------------------------------------------------------

async function inflated(text) {
  const reader = new Blob([unbase64(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
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
  if (!["m", "r"].includes(name)) throw new Error("no link");
  const unpacked = await inflated(value);
  if (name === "m") return "A finished game, with every roll.";
  const {game, players, result} = JSON.parse(unpacked);
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
    table.show(view());
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
