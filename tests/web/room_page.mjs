// Asks wire.js for what test_room_page.py has asked the program: node room_page.mjs FOLDER TABLES
import {deepStrictEqual, ok, rejects, throws} from "node:assert";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const [folder, tables] = process.argv.slice(2);
await import(pathToFileURL(`${folder}/plain_arrays.js`));
globalThis.nacl = createRequire(import.meta.url)(`${folder}/nacl-fast.min.js`);
const {hex, unbase64, unhex} = await import(pathToFileURL(`${folder}/dice.js`));
const wire = await import(pathToFileURL(`${folder}/wire.js`));
const known = JSON.parse(readFileSync(tables, "utf8"));
const keys = wire.keysOf(unhex(known.root));
const text = (value) => (value instanceof Uint8Array ? hex(value) : value);

// -- keys and entries -------------------------------------------------------------------------------------------------

deepStrictEqual(Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, text(value)])), known.keys);
for (const [prefix, key, name] of known.nkeys) deepStrictEqual(wire.nkey(prefix, unhex(key)), name);
const page = wire.signer(unhex(known.secret));
deepStrictEqual(wire.memberJwt(keys, page), known.jwt);
for (const {body, data, digest} of known.entries) {
  const read = wire.decryptEntry(keys, unbase64(data));
  deepStrictEqual([read.body, hex(read.author), hex(read.digest)], [body, hex(page.public), digest]);
  deepStrictEqual(hex(wire.encryptEntry(keys, page, body)), hex(unbase64(data)));
}
for (const data of known.no_entries) deepStrictEqual(wire.decryptEntry(keys, unbase64(data)), undefined);
for (const a of [1.5, 2 ** 53 + 2, "\ud800", "x".repeat(4096)]) throws(() => wire.encryptEntry(keys, page, {a}));

// -- views ------------------------------------------------------------------------------------------------------------

function paired(secret) {
  const views = new wire.Views(keys, unhex(known.host), page.public);
  views.pair = nacl.box.keyPair.fromSecretKey(unhex(secret));
  views.box = hex(views.pair.publicKey);
  views.asks = false;
  return views;
}
for (const {name, messages, found, seen, asks} of known.views) {
  const views = paired(known.pair);
  const taken = messages.map((data) => views.take(unbase64(data))).filter(Boolean);
  deepStrictEqual({found: taken, seen: views.seen, asks: views.asks}, {found, seen, asks}, name);
}

// -- dice -------------------------------------------------------------------------------------------------------------

for (const {match, digest} of known.digests) deepStrictEqual(hex(wire.matchDigest(keys.table, match)), digest);
const local = (kept = memory()) => new wire.LocalMachine(keys, unhex(known.secret), unhex(known.host), kept);
for (const [step, key] of known.chain) deepStrictEqual(hex(local().chain(3).keys[step]), key);

// They are the same for every machine here.
const chains = {};
const {chain} = wire.LocalMachine.prototype;
wire.LocalMachine.prototype.chain = function (number) {
  return (chains[number] ??= chain.call(this, number));
};

// What a browser keeps, without a browser: tabs share it.
function memory() {
  let record = {secret: known.secret};
  return {update: async (_, change) => (record = structuredClone(change(structuredClone(record))))};
}

const [first, second] = known.matches;
const seen = (base, change = () => {}) => {
  const view = structuredClone(base.view);
  change(view);
  return view;
};
const looking = (base, change, machine = local()) => {
  machine.look(seen(base, change));
  return machine;
};

for (const base of [first, second]) {
  const machine = looking(base);
  deepStrictEqual([machine.unfair, machine.witness.id, machine.witness.events], ["", base.id, base.view.events]);
  deepStrictEqual((await machine.open()).key, base.next[1]);
}

{
  const {link, host, login, root} = known.hub;
  const hub = {key: host, login, name: "Zoë B.", address: "wss://play.example.org:8443/"};
  deepStrictEqual(wire.readLink(link), {root, hub});
  deepStrictEqual(wire.readLink(known.link), {root});
  for (const cut of ["", link.slice(0, -30), `${link}*`, link.slice(0, 21)]) deepStrictEqual(wire.readLink(cut), undefined);
}

const LIES = [
  ["'s roll 1: a 7 is not a", (view) => (view.fallen[2].faces[0] = 7)],
  ["Ann's roll 2 is not the next one", (view) => {
    view.fallen.splice(0, 3);
    view.fallen.forEach((each) => (each.roll -= 3));
  }],
  ["Ann's roll 1 is not what it was", (view) => (view.fallen[3] = {...view.fallen[0], event: 3})],
  ["Ann's roll 1 is not the next one", (view) => (view.fallen[3] = {...view.fallen[0], roll: 3, event: 3})],
  ["Zoë ☃'s roll 1 is not the next one", ({fallen}) => {
    fallen.splice(1, 2, {...fallen[2], roll: 1}, {...fallen[1], roll: 2});
  }],
  ["Ann's roll 3 is not the next one", (view) => (view.fallen[3].throw = 3)],
  ["key 3 of Zoë ☃ is not the next one", (view) => (view.fallen[1].keys[1] = view.fallen[0].keys[1])],
  ["key 3 of Ben", (view) => (view.fallen[1].keys[2] = "00".repeat(32))],
  ["key 8 of Ben", (view) => (view.shown[2][1] = "00".repeat(32))],
  ["key 8 of Ben", (view) => (view.shown[2][1] = "00".repeat(33))],
  ["the draw: seat", (view) => (view.start_draw.first = (view.start_draw.first + 1) % 3)],
  ["the keys of this seat are not those", (view) => (view.match.machines[1].tip = "00".repeat(32))],
  // another match has other faces
  ["the draw: |: a . is not a .", (view) => (view.match.game = "421")],
  ["the draw: |: a . is not a .", (view) => (view.match.players[0][0] = "Eve")],
];
for (const [sentence, lie] of LIES) {
  const machine = looking(first, lie);
  ok(new RegExp(`^These dice are not fair: .*(${sentence})`).test(machine.unfair), `${machine.unfair}: ${sentence}`);
  deepStrictEqual(await machine.open(), undefined, "no key is opened any more");
}
{
  // and the table is told, until its log has it
  const [face] = first.view.fallen[2].faces;
  const lie = (view) => (view.fallen[2].faces[0] = (face % 6) + 1);
  const {step} = first.view.fallen[2];
  const told = {at: "dispute", match: first.id, step, die: 0, shown: (face % 6) + 1, computed: face};
  const machine = looking(first, lie);
  deepStrictEqual(machine.disputed, told);
  machine.look(seen(first, (view) => (view.disputed = true)));
  deepStrictEqual(machine.disputed, undefined);
  const checked = looking(first);
  checked.look(seen(first, lie));
  deepStrictEqual(checked.disputed, told, "a roll that is no longer what it was");
  const whole = {at: "dispute", match: first.id, step: 0, die: 0, shown: 0, computed: 0};
  deepStrictEqual(looking(first, (view) => (view.fallen[2].faces[0] = 7)).disputed, whole);
  deepStrictEqual(looking(first, (view) => (view.shown[2][1] = "00".repeat(32))).disputed, whole);
  deepStrictEqual(looking(first).disputed, undefined);
}
{
  const machine = looking(first);
  machine.look(seen(first, (view) => (view.fallen[2].dice = [9])));
  ok(machine.unfair.endsWith("is not what it was."), machine.unfair);
}
{
  const cut = ({fallen}) => fallen.splice(12, fallen.length - 13); // some at a time, and the last one
  const machine = looking(known.long, cut);
  deepStrictEqual([machine.unfair, machine.behind, machine.witness.events, machine.asked], ["", true, 12, undefined]);
  machine.look(seen(known.long, ({fallen}) => fallen.splice(0, 12)));
  deepStrictEqual([machine.unfair, machine.behind, machine.witness.events, machine.asked.step], ["", false, 20, 22]);
}

// -- one action a key -------------------------------------------------------------------------------------------------

// What the page opens when it sees "now", after it has opened for "before" in another tab, or before a reload.
async function opens(now, before, base = first) {
  const kept = memory();
  const [tab, other] = [local(kept), local(kept)];
  if (before) ok(await looking(base, before, other).open());
  const opened = await looking(base, now, tab).open();
  return opened ? opened.key : tab.unfair.replace("These dice are not fair: ", "");
}
const act = (name) => ({step}) => (step.act = first.acts[name]);
const rolls = (name, dice) => ({step}) => ((step.act = first.acts[name]), (step.dice = dice));
const key = first.next[1];
const as = () => {};
const ANOTHER = "this phone has opened its key for another roll.";
const AGAIN = "a roll was to be thrown again.";
const UNSAID = "nobody has said the roll that was to fall.";
// the step after the one that is asked, which has been given up, or so it is said
const later = (name, contributors) => (view) => {
  act(name)(view);
  Object.assign(view.step, {step: view.step.step + 1, contributors, missing: contributors});
};
for (const [found, now, before] of [
  [key, as],
  [key, as, as],
  [ANOTHER, rolls("other", [1]), as],
  [ANOTHER, as, rolls("other", [1])],
  [ANOTHER, ({step}) => (step.step -= 1), as],
  [UNSAID, act("other")],
  [UNSAID, act("of_ann")],
  [UNSAID, act("of_match")],
  [UNSAID, act("start")],
  [UNSAID, ({step}) => (step.act = "AAAA")],
  [UNSAID, ({step}) => Object.assign(step, {act: first.acts.own, last: 1, missing: [1]})],
  ["a key was asked for without a roll.", ({step}) => (step.contributors = [1, 2])],
  ["a key was asked for without a roll.", ({step}) => Object.assign(step, {contributors: [0, 2], missing: [0, 1, 2]})],
  ["a key was asked for without a roll.", ({step}) => (step.step = 4097)],
  [AGAIN, later("later", [0, 1, 2]), as],
  ["", ({step}) => (step.missing = [0, 2])],
]) {
  const opened = await opens(now, before);
  deepStrictEqual(opened, found, `${now} after ${before}`);
}
{
  const machine = looking(first);
  await machine.keep(() => null);
  deepStrictEqual(await machine.open(), undefined);
  ok(machine.unfair.endsWith("this phone has given up its seat."), machine.unfair);
  deepStrictEqual(machine.disputed, undefined);
}
{
  // another tab has opened for another match meanwhile
  const machine = looking(first);
  const {tip} = first.view.match.machines[1];
  await machine.keep((record) => ({...record, opened: {[tip]: {match: "0", step: 1, contributors: [0, 1]}}}));
  deepStrictEqual(await machine.open(), undefined);
  ok(machine.unfair.endsWith(ANOTHER), machine.unfair);
}
ok(/^[0-9a-f]{64}$/.test(await opens(later("later", [1, 2]), as)), "somebody has left whose key was missing");
{
  const machine = looking(first);
  throws(() => machine.entry({at: "act", match: "0".repeat(32), event: 0, roll: [1]}), /another game/);
  const asked = [{at: "end", match: first.id}, {at: "end", match: "0"}, {at: "leave", match: first.id}];
  deepStrictEqual(asked.map((each) => machine.owes(each)), [true, false, false]);
  const body = wire.decryptEntry(keys, machine.entry({at: "act", match: first.id, event: 7, roll: [1]})).body;
  deepStrictEqual(body, {at: "act", match: first.id, event: 7, roll: [1], number: 9, head: "1".repeat(32), again: 0});
}
{
  // for its own roll it opens last, and knows the faces before
  const own = (view) => {
    view.step.act = first.acts.own;
    Object.assign(view.step, {seat: 1, last: 1, missing: [0, 1]});
  };
  const machine = looking(first, own);
  deepStrictEqual([machine.asked, machine.foreseen], [undefined, undefined]);
  machine.look(seen(first, (view) => {
    own(view);
    view.step.missing = [1];
  }));
  deepStrictEqual(machine.foreseen, undefined, "no key of the others is there");
  machine.look(seen(first, (view) => {
    own(view);
    view.step.missing = [1];
    view.shown = view.shown.map((shown, at) => (at === 1 ? shown : [view.step.step, first.next[at]]));
  }));
  const {step, faces} = machine.foreseen;
  deepStrictEqual([machine.unfair, step, faces.length], ["", first.view.step.step, 2]);
  deepStrictEqual((await machine.open()).key, key);
}
// A roll with the keys of all for the step that is asked.
const falls = (machine, view, dice) => {
  const {step, contributors} = view.step;
  const faces = wire.diceOf(machine.witness.digest, step, first.next.map(unhex)).throw(2, 3, dice);
  const roll = {roll: 7, event: 7, step, contributors, keys: first.next, seat: 2, throw: 3, dice, faces};
  view.fallen.push(roll);
  view.step.step++;
};
for (const [dice, sentence] of [[[1], "'s roll 3 has other dice than was said."], [[1, 4], AGAIN]]) {
  // what a key is open for is what falls, and it falls once
  const machine = looking(first);
  await machine.open();
  machine.look(seen(first, (view) => falls(machine, view, dice)));
  await machine.open();
  ok(machine.unfair.endsWith(sentence), machine.unfair);
}
{
  // it lays again what it has opened for, where the log has lost it
  const kept = memory();
  await looking(first, as, local(kept)).open();
  const machine = local(kept);
  await machine.keep((record) => record);
  deepStrictEqual(looking(first, as, machine).lost, undefined);
  deepStrictEqual(looking(first, (view) => Object.assign(view, {step: null, phase: "over"}), machine).lost, undefined);
  const lost = looking(first, (view) => (view.step = null), machine).lost;
  deepStrictEqual(hex(lost), hex(unbase64(first.view.step.act)));
  // and a match of which a key is open has no other digest
  looking(first, (view) => (view.match.game = "421"), machine);
  ok(machine.unfair.endsWith("this is not the game that was begun."), machine.unfair);
}
console.log("alike");
