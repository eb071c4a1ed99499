// Asks the modules of the first page for what test_first_page.py has asked the engine: node first_page.mjs FOLDER TABLES
import {deepStrictEqual, ok} from "node:assert";
import {readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [folder, tables] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${folder}/${name}`));
const {Dice, bytesOf, hex, hmac, sha256, unhex, written} = await load("dice.js");
const page = await load("four_twenty.js");
const {digests, hands, best, races, matches, draws} = JSON.parse(readFileSync(tables, "utf8"));
const near = (one, other, within) => ok(Math.abs(one - other) <= within, `${one} is not ${other}`);
const faces = (hand, roll) => page.kept(hand, roll).sort();

for (const {text, sha, mac, json} of digests) {
  deepStrictEqual([hex(sha256(bytesOf(text))), hex(hmac(bytesOf(text), bytesOf(text))), written({name: text})], [sha, mac, json]);
}
for (const {hand, refusals} of hands) {
  deepStrictEqual(page.ROLLS.map((roll) => page.refusal(hand, roll) ?? null), refusals, `${hand}`);
}
for (const {hand, roll, steady, chances} of best) {
  const state = {...page.start(2, 0), hands: [hand, []]};
  deepStrictEqual([page.perfect(hand), page.steady(hand)], [roll, steady], `${hand}`);
  deepStrictEqual(page.choices(state)[0].roll, roll, "the best choice comes first");
  for (const [each, twenty, over] of chances) {
    const found = page.chances(page.kept(hand, each));
    near(found.twenty / found.all, twenty, 1e-12);
    near(found.over / found.all, over, 1e-12);
  }
}
for (const {hands, values, within} of races) {
  const found = page.choices({...page.start(hands.length, 0), hands});
  deepStrictEqual(found.length, values.length);
  for (const {roll, value} of found) {
    const [, exact] = values.find(([each]) => `${faces(hands[0], each)}` === `${faces(hands[0], roll)}`);
    near(value, exact, within);
  }
}
for (const {hands, chance, roll} of draws) {
  deepStrictEqual(page.merry({...page.start(hands.length, 0), hands}, chance), roll);
}
for (const {id, seed, players, first, bot, chances, events} of matches) {
  const dice = new Dice(unhex(seed), id, "420", players);
  deepStrictEqual(dice.first(players.length), first);
  let state = page.start(players.length, first);
  const throws = players.map(() => 0);
  events.forEach(({seat, roll, faces, after}, at) => {
    if (page.winner(state) !== undefined) state = page.nextRound(state);
    deepStrictEqual(page.toAct(state), seat);
    deepStrictEqual(dice.chance(at), chances[at]);
    if (seat) deepStrictEqual(page.chosen(bot, state, chances[at]), roll);
    const thrown = dice.throw(seat, ++throws[seat], roll);
    state = page.apply(state, roll, thrown);
    deepStrictEqual([thrown, state.hands, state.out, state.first, state.rolls], [faces, ...after]);
  });
  deepStrictEqual(page.loser(state), events.at(-1).loser);
}
console.log("alike");
