// The rules of 420 as games/four_twenty.py has them, its chances, and three bots. A test asks both for every hand.

export const GOAL = 20;
const MIN_KEPT_TOTAL = [0, 15, 10, 5, 0]; // by the number of dice thrown: the least total of those that stay
const WORDS = ["no dice", "one die", "two dice", "three dice"];
const HURRIED = 3; // points of loss that make a choice e times rarer: Merry
const TURNS = 170; // after so many nobody is still waiting for 20

// Every roll that some hand may make, those of one die first.
const subsets = [1, 2, 3, 4].reduce((sets, die) => [...sets, ...sets.map((set) => [...set, die])], [[]]);
export const ROLLS = subsets.slice(1).sort((one, other) => one.length - other.length || (one < other ? -1 : 1));

export const sum = (faces) => faces.reduce((total, face) => total + face, 0);
export const kept = (hand, roll) => hand.filter((_, at) => !roll.includes(at + 1));
const sorted = (faces) => [...faces].sort().join("");

// Why a hand may not roll these dice, in a sentence; nothing when it may.
export function refusal(hand, roll) {
  const stay = kept(hand, roll);
  if (roll.length < 4 && !hand.length) return "The first roll takes all four dice.";
  if (roll.length < 4 && sum(hand) > GOAL) return `${sum(hand)} is over 20: roll all four.`;
  if (sum(stay) >= MIN_KEPT_TOTAL[roll.length]) return undefined;
  const total = stay.length > 1 ? `${stay.join(" + ")} = ${sum(stay)}.` : `${stay[0]} is not enough.`;
  return `${total} You need at least ${MIN_KEPT_TOTAL[roll.length]} to keep ${WORDS[stay.length]}.`;
}

export const least = (roll) => MIN_KEPT_TOTAL[roll.length];
export const legal = (hand) => ROLLS.filter((roll) => !refusal(hand, roll));

// The hands that a throw of the other dice makes, each as often as it comes.
function thrown(stay) {
  let hands = [stay];
  while (hands[0].length < 4) hands = hands.flatMap((hand) => [1, 2, 3, 4, 5, 6].map((face) => [...hand, face]));
  return hands;
}

// The number of throws, of those that make 20, and of those above it.
export function chances(stay) {
  const totals = thrown(stay).map(sum);
  const count = (fits) => totals.filter(fits).length;
  return {all: totals.length, twenty: count((total) => total === GOAL), over: count((total) => total > GOAL)};
}

// -- a match ----------------------------------------------------------------------------------------------------------

export const start = (seats, first) => ({hands: Array(seats).fill([]), out: [], first, rolls: 0});

export function order({hands, out, first}) {
  const clockwise = hands.map((_, at) => (first + at) % hands.length);
  return clockwise.filter((seat) => !out.includes(seat));
}

export const winner = (state) => order(state).find((seat) => sum(state.hands[seat]) === GOAL);

export function toAct(state) {
  const seats = order(state);
  return winner(state) === undefined ? seats[state.rolls % seats.length] : undefined;
}

// The seat that buys the drinks, once known.
export function loser(state) {
  const seats = order(state);
  return winner(state) === undefined || seats.length > 2 ? undefined : seats.find((seat) => seat !== winner(state));
}

export function apply(state, roll, faces) {
  const seat = toAct(state);
  const hand = [1, 2, 3, 4].map((die, at) => (roll.includes(die) ? faces[roll.indexOf(die)] : state.hands[seat][at]));
  return {...state, hands: state.hands.map((old, at) => (at === seat ? hand : old)), rolls: state.rolls + 1};
}

export function nextRound({hands, out, ...state}) {
  const seats = order({hands, out, ...state});
  const won = winner({hands, out, ...state});
  const first = seats.slice(1).find((seat) => seat !== won);
  return {hands: hands.map(() => []), out: [...out, won], first, rolls: 0};
}

// -- bots -------------------------------------------------------------------------------------------------------------

// Keep as many dice as you may; of several ways, keep the lowest total.
export function steady(hand) {
  const [roll] = legal(hand).sort(
    (one, other) => one.length - other.length || sum(kept(hand, one)) - sum(kept(hand, other)),
  );
  return roll;
}

// Best play of two and three: of 6-6-6-1, 6-6-5-1 and 6-6-5-2 keep only 6-6 (docs/paper/solution.md, Theorem 2).
export function perfect(hand) {
  const double = ["1666", "1566", "2566"].includes(sorted(hand));
  return double ? legal(hand).find((roll) => sorted(kept(hand, roll)) === "66") : steady(hand);
}

const bestKept = (hand) => sorted(kept(hand, perfect(hand)));

// By kept dice: the chance that 20 has come after each number of turns, from none.
let curves;
function solve() {
  const stays = new Set(thrown([]).flatMap((hand) => legal(hand).map((roll) => sorted(kept(hand, roll)))));
  const next = [...stays].map((stay) => {
    const ways = new Map();
    for (const hand of thrown([...stay].map(Number))) {
      const key = sum(hand) === GOAL ? "20" : bestKept(hand);
      ways.set(key, (ways.get(key) ?? 0) + 1 / 6 ** (4 - stay.length));
    }
    return [stay, [...ways]];
  });
  curves = new Map([["20", Array(TURNS).fill(1)], ...next.map(([stay]) => [stay, [0]])]);
  for (let turn = 1; turn < TURNS; turn++) {
    for (const [stay, ways] of next) {
      curves.get(stay).push(sum(ways.map(([key, chance]) => chance * curves.get(key)[turn - 1])));
    }
  }
}

// The choices of the seat to act: the roll, and its chance to win the round when all play best from then on. Exact for
// two and three players; with more, some hands should hurry, and here nobody does.
export function choices(state) {
  if (!curves) solve();
  const seats = order(state);
  const turn = state.rolls % seats.length;
  const [mine, ...others] = [...seats.slice(turn), ...seats.slice(0, turn)].map((seat) => state.hands[seat]);
  const theirs = others.map((hand) => curves.get(bestKept(hand)));
  const best = bestKept(mine);
  const found = new Map();
  for (const roll of legal(mine)) {
    const key = sorted(kept(mine, roll));
    const own = curves.get(key);
    const wins = (at) => theirs.reduce((chance, other) => chance * (1 - other[at]), own[at + 1] - own[at]);
    if (!found.has(key)) found.set(key, {roll, value: sum([...own.slice(1).keys()].map(wins))});
  }
  const value = ([key, choice]) => (key === best ? Infinity : choice.value);
  return [...found].sort((one, other) => value(other) - value(one)).map(([, choice]) => choice);
}

// Errs as people do: the more a choice loses, the rarer it is (quantal_response in play/bots.py).
export function merry(state, chance) {
  const all = choices(state);
  const weights = all.map(({value}) => Math.exp((100 * (value - all[0].value)) / HURRIED));
  let drawn = chance * sum(weights);
  return all[weights.findIndex((weight, at) => (drawn -= weight) < 0 || at === all.length - 1)].roll;
}

// The roll of a bot, by its character.
export function chosen(character, state, chance) {
  const hand = state.hands[toAct(state)];
  if (legal(hand).length === 1) return legal(hand)[0];
  return character === "Merry" ? merry(state, chance) : character === "Perfect" ? perfect(hand) : steady(hand);
}
