// A phone at a room, without its display: entries, keys and dice as in Python (encryption.py, local_machine.py,
// shared_dice.py), storage, and the connection to the broker. docs/inside/rooms.md describes them.
import "./plain_arrays.js"; // before TweetNaCl
import "./nacl-fast.min.js";
import {Dice, bytesOf, hex, hmac, joined, sha256, unbase64, unhex, written} from "./dice.js";

const {nacl} = globalThis;
const MAX_ENTRY_BYTES = 4096, MAX_DEPTH = 16, MAX_NUMBER = 2 ** 53;
const CHAIN = 4096; // keys: the fewest that a room allows
const [OF_ACCOUNT, OF_USER] = [0 << 3, 20 << 3]; // the prefix bytes that make an nkey begin with A and U
const SILENT = 20_000; // milliseconds without a word after which a connection is dead; the broker asks every 10 s

const url64 = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
export const drawn = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));

// Something is wrong. The message says what, in a sentence for the person here; "dispute" has the fields of the entry
// that tells the table, without a step if it is about no one face; null tells it nothing.
export class Unfair extends Error {
  constructor(message, dispute = {step: 0, die: 0, shown: 0, computed: 0}) {
    super(message);
    this.dispute = dispute;
  }
}

// -- keys -------------------------------------------------------------------------------------------------------------

// All keys of a room follow from the 16 bytes of its link, by HKDF with SHA-256 (RFC 5869).
export function keysOf(root) {
  const key = hmac(new Uint8Array(), root);
  let [block, derived] = [[], []];
  for (let at = 1; derived.length < 136; at++) {
    block = hmac(key, joined(block, bytesOf("fourtwenty room 1"), [at]));
    derived.push(...block);
  }
  const [table, entry, login, nonce] = [8, 40, 72, 104].map((at) => Uint8Array.from(derived.slice(at, at + 32)));
  return {room: hex(derived.slice(0, 8)), table, entry, login, nonce};
}

const HUB = /^([\w.-]+(?::\d{1,5})?) (.+)$/s; // the address of a hub's WebSocket, and the name of the host's people

// What a link opens, of its part behind the "#": the root of a room; of a table at a hub, with the host's public key,
// the secret of the hub's log-in, its address and the name of the host's people. Undefined for other texts.
export function readLink(text) {
  if (/^[\w-]{22}$/.test(text)) return {root: hex(unbase64(text))};
  try {
    const bytes = unbase64(text);
    const named = new TextDecoder("utf-8", {fatal: true}).decode(bytes.slice(80));
    const [, at, name] = named.match(HUB) ?? [];
    if (!/^[\w-]+$/.test(text) || !at) return undefined;
    const [root, key, login] = [bytes.slice(0, 16), bytes.slice(16, 48), bytes.slice(48, 80)].map(hex);
    return {root, hub: {key, login, name, address: `wss://${at}/`}};
  } catch {
    return undefined;
  }
}

// A machine's signing key, from 32 secret bytes.
export function signer(secret) {
  const {publicKey, secretKey} = nacl.sign.keyPair.fromSeed(secret);
  return {public: publicKey, nkey: nkey(OF_USER, publicKey), sign: (bytes) => nacl.sign.detached(bytes, secretKey)};
}

// A public key as NATS writes it: base 32, with a prefix and a CRC-16.
export function nkey(prefix, key) {
  const named = [prefix, ...key];
  let crc = 0;
  for (const byte of named) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  const bits = [...named, crc & 255, crc >> 8].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.match(/.{5}/g).map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(five, 2)]).join("");
}

// A machine's JWT for log-in, signed by the key of all holders of the link.
export function memberJwt(keys, machine) {
  const login = signer(keys.login);
  const account = nkey(OF_ACCOUNT, sha256(bytesOf("fourtwenty rooms")));
  const claim = {version: 2, type: "user", issuer_account: account};
  const body = {iss: nkey(OF_ACCOUNT, login.public), sub: machine.nkey, nats: claim};
  const text = [{typ: "JWT", alg: "ed25519-nkey"}, body].map((part) => url64(bytesOf(written(part)))).join(".");
  return `${text}.${url64(login.sign(bytesOf(text)))}`;
}

// -- entries ----------------------------------------------------------------------------------------------------------

// One value has one text: sorted, without spaces; throws for values that entries cannot have.
export function canonical(value, depth = 0) {
  if (Object(value) === value) {
    if (depth === MAX_DEPTH) throw new Error("too deep");
    if (Array.isArray(value)) return `[${value.map((each) => canonical(each, depth + 1))}]`;
    const field = (name) => `${canonical(name)}:${canonical(value[name], depth + 1)}`;
    return `{${Object.keys(value).sort().map(field)}}`;
  }
  if (typeof value === "string" && /\p{Surrogate}/u.test(value)) throw new Error("half of a pair");
  const whole = Number.isInteger(value) && Math.abs(value) <= MAX_NUMBER;
  if (typeof value === "number" && !whole) throw new Error("no whole number");
  return JSON.stringify(value);
}

const same = (one, other) => one === other || canonical(one ?? null) === canonical(other ?? null);

const signed = (keys, author, text) => joined(bytesOf("fourtwenty entry 1"), unhex(keys.room), author, text);

export function encryptEntry(keys, machine, body) {
  const text = bytesOf(canonical(body));
  const plain = joined(machine.public, machine.sign(signed(keys, machine.public, text)), text);
  const nonce = hmac(keys.nonce, plain).slice(0, nacl.secretbox.nonceLength);
  const data = joined(nonce, nacl.secretbox(plain, nonce, keys.entry));
  if (data.length > MAX_ENTRY_BYTES) throw new Error("too large");
  return data;
}

// The entry in these bytes; undefined for any other bytes.
export function decryptEntry(keys, data) {
  const {nonceLength} = nacl.secretbox;
  if (data.length > MAX_ENTRY_BYTES || data.length < nonceLength) return undefined;
  const plain = nacl.secretbox.open(data.slice(nonceLength), data.slice(0, nonceLength), keys.entry);
  if (!plain || plain.length < 96) return undefined;
  const [author, signature, text] = [plain.slice(0, 32), plain.slice(32, 96), plain.slice(96)];
  const whole = signed(keys, author, text);
  try {
    const read = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(text);
    const body = JSON.parse(read);
    if (Object(body) !== body || Array.isArray(body) || canonical(body) !== read) return undefined;
    return nacl.sign.detached.verify(whole, signature, author) ? {author, body, digest: sha256(whole)} : undefined;
  } catch {
    return undefined;
  }
}

// The host's messages to this page, with a key that both agree on by X25519: each is taken once, and in its order.
export class Views {
  #view;

  constructor(keys, host, own) {
    Object.assign(this, {keys, host: hex(host), own: hex(own)});
    this.renew();
  }

  // Forgets the key. A heartbeat with "box" then asks the host for another one, and so for the whole view.
  renew() {
    this.pair = nacl.box.keyPair();
    [this.box, this.shared, this.pieces, this.seen, this.asks] = [hex(this.pair.publicKey), undefined, [], 0, true];
  }

  // The view that these bytes complete, or undefined.
  take(data) {
    const nonce = Uint8Array.from({length: 24}, (_, at) => (at < 8 ? data[at] : 0));
    const piece = this.shared && nacl.box.open.after(data.slice(8), nonce, this.shared);
    if (!piece) return this.#agree(decryptEntry(this.keys, data));
    const number = Number(new DataView(nonce.buffer).getBigUint64());
    if (number !== this.seen + 1) return number > this.seen ? this.renew() : undefined;
    this.seen = number;
    this.pieces.push(piece.subarray(1));
    if (piece[0]) return undefined; // more follows
    const changes = JSON.parse(new TextDecoder().decode(joined(...this.pieces.splice(0))));
    return (this.#view = {...this.#view, ...changes});
  }

  // The host's part of the agreement. It is for one pair of this page, which is for one key.
  #agree({author, body: {at, to, page, box}} = {body: {}}) {
    if (at !== "key" || to !== this.own || page !== this.box || hex(author) !== this.host) return;
    if (this.shared) this.renew();
    else this.shared = nacl.box.before(unhex(box), this.pair.secretKey);
  }
}

// -- dice -------------------------------------------------------------------------------------------------------------

// The key so many steps earlier; the other direction is impossible.
export function earlier(table, key, steps = 1) {
  const whole = joined(bytesOf("420 chain"), table, key);
  let found = key;
  for (; steps > 0; steps--) {
    whole.set(found, whole.length - 32);
    found = sha256(whole);
  }
  return found;
}

// The secret of a machine for a match: a key for every step, each the hash of the next.
export class Chain {
  constructor(table, seed) {
    this.keys = [...Array(CHAIN), seed];
    for (let step = CHAIN; step > 0; step--) this.keys[step - 1] = earlier(table, this.keys[step]);
    this.tip = hex(this.keys[0]);
  }
}

// The digest of a match, which enters every face: the terms that all machines agree on before it.
export function matchDigest(table, {machines, game, players, starting}) {
  const named = machines.map(({seats, public: key, tip, page}) => ({seats, public: key, tip, ...(page && {page})}));
  const seats = players.map(([name, kind]) => ({name, kind}));
  return sha256(bytesOf(written([hex(table), named, game, seats, starting ?? null])));
}

export function diceOf(digest, step, keys) {
  const number = [step >>> 24, step >>> 16, step >>> 8, step].map((byte) => byte & 255);
  return new Dice(sha256(joined(bytesOf("420 joint"), digest, number, ...keys)));
}

// The fields of a dispute about the first face of a step that is shown in place of another; undefined without one.
function wrongFace(step, computed, shown) {
  const die = computed?.findIndex((face, at) => face !== shown?.[at]) ?? -1;
  const isFace = [1, 2, 3, 4, 5, 6].includes(shown?.[die]);
  return isFace ? {step, die, shown: shown[die], computed: computed[die]} : undefined;
}

// One match as this page follows it from its beginning: every key and every face that the host shows is checked.
export class Witness {
  events = 0; // of them the rolls have been checked
  fallen = new Map(); // what has been checked, by step
  #rolls = 0; // the number of rolls of it
  #last = 0; // their last step
  said = new Map(); // the seat and the dice for which a key of this page is open, by step

  constructor(keys, match) {
    this.table = keys.table;
    this.match = match;
    this.digest = matchDigest(keys.table, match);
    this.id = hex(this.digest).slice(0, 32);
    this.shown = match.machines.map(({tip}) => ({step: 0, key: unhex(tip)})); // the deepest keys
    this.throws = match.players.map(() => 0);
  }

  #name(machine) {
    return this.match.players[this.match.machines[machine].seats[0]][0];
  }

  // Checks a key, which must lead to the machine's earlier ones.
  show(machine, step, text) {
    const [key, known] = [unhex(text), this.shown[machine]];
    const [later, sooner] = step > known.step ? [{step, key}, known] : [known, {step, key}];
    if (key.length !== 32 || hex(earlier(this.table, later.key, later.step - sooner.step)) !== hex(sooner.key)) {
      throw new Unfair(`key ${step} of ${this.#name(machine)} is not the next one of its chain.`);
    }
    this.shown[machine] = later;
  }

  // The dice of a step, from its open keys and an optional further one.
  dice({step, contributors}, own, key) {
    const shown = (each) => earlier(this.table, this.shown[each].key, this.shown[each].step - step);
    return diceOf(this.digest, step, contributors.map((each) => (each === own ? key : shown(each))));
  }

  // Checks the draw and the fallen rolls in order. Returns whether none is missing.
  look({start_draw: draw, fallen, events}) {
    if (draw && !this.fallen.has(draw.step)) {
      this.#take(draw);
      const first = this.dice(draw).first(this.match.players.length);
      if (first !== draw.first) throw new Unfair(`the draw: seat ${draw.first + 1} is not seat ${first + 1}.`);
    }
    for (const roll of fallen) {
      if (roll.roll > this.#rolls) return false; // after a while the host shows some at a time, and the last one
      this.#check(roll);
      this.events = Math.max(this.events, roll.event + 1);
    }
    this.events = events;
    return true;
  }

  #take(step) {
    step.contributors.forEach((machine, at) => this.show(machine, step.step, step.keys[at]));
    this.fallen.set(step.step, step);
  }

  #check(roll) {
    const {step, seat, throw: nth, dice, faces} = roll;
    const whose = `${this.match.players[seat][0]}'s roll ${nth}`;
    if (roll.roll < this.#rolls) {
      const before = this.fallen.get(step);
      if (same(before, roll)) return;
      throw new Unfair(`${whose} is not what it was.`, wrongFace(step, before?.faces, faces));
    }
    if (step <= this.#last || nth !== this.throws[seat] + 1) throw new Unfair(`${whose} is not the next one.`);
    const rolled = canonical([seat, dice]);
    if ((this.said.get(step) ?? rolled) !== rolled) throw new Unfair(`${whose} has other dice than was said.`);
    this.#take(roll);
    [this.#last, this.throws[seat]] = [step, nth];
    this.#rolls++;
    const computed = this.dice(roll).throw(seat, nth, dice);
    const wrong = computed.findIndex((face, at) => face !== faces[at]);
    if (wrong < 0) return;
    const dispute = wrongFace(step, computed, faces);
    throw new Unfair(`${whose}: a ${faces[wrong]} is not a ${computed[wrong]}.`, dispute);
  }
}

// -- the machine ------------------------------------------------------------------------------------------------------

const MAX_AGE = 14 * 24 * 3_600_000; // milliseconds after which a hub has no entry of a room any more

const answer = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

// The browser's storage of rooms, a record each. A change is one transaction, for all tabs of the browser.
export class Kept {
  async open() {
    const opening = indexedDB.open("420 rooms", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("rooms");
    this.database = await answer(opening);
    return this;
  }

  get #rooms() {
    return this.database.transaction("rooms", "readwrite", {durability: "strict"}).objectStore("rooms");
  }

  // The record of the last room with a seat here. Deletes the keys of rooms that have ended: a hub has thrown away all
  // that was said there.
  async newest() {
    const rooms = this.#rooms;
    const [names, records] = await Promise.all([answer(rooms.getAllKeys()), answer(rooms.getAll())]);
    const ended = ({at}) => at < Date.now() - MAX_AGE;
    names.forEach((name, at) => ended(records[at]) && rooms.delete(name));
    return records.filter((record) => !ended(record)).sort((one, other) => other.at - one.at)[0];
  }

  // Replaces the record of a room by the result of "change", and returns it; null deletes it. An error changes nothing.
  async update(room, change) {
    const rooms = this.#rooms;
    const committed = new Promise((done, failed) => {
      rooms.transaction.oncomplete = done;
      rooms.transaction.onabort = () => failed(rooms.transaction.error);
    });
    const found = change(await answer(rooms.get(room)));
    if (found) rooms.put(found, room);
    else rooms.delete(room);
    await committed;
    return found;
  }
}

// This page at a room: its entries, and the keys that it opens. "secret" has 32 bytes; "host" is the public key of the
// machine that the page came from.
export class LocalMachine {
  record = {}; // the stored record of the room
  unfair = ""; // why this page opens no key any more
  #again = 0;
  #chains = [];

  constructor(keys, secret, host, kept) {
    Object.assign(this, {keys, secret, kept, machine: signer(secret)});
    this.own = hex(this.machine.public);
    this.views = new Views(keys, host, this.machine.public);
  }

  // The chain for a match of the room, counted from 0.
  chain(number) {
    const seed = hmac(this.secret, bytesOf(`chain ${number}`));
    return (this.#chains[number] ??= new Chain(this.keys.table, seed));
  }

  async keep(change) {
    this.record = await this.kept.update(this.keys.room, change);
  }

  // -- what it sees ---------------------------------------------------------------------------------------------------

  // Receives a view; checks the match and all its rolls.
  look(view) {
    this.view = view;
    this.behind = false; // whether there is more to check
    if (!view.match) return;
    try {
      if (!same(this.witness?.match, view.match)) this.#meet(view);
      view.shown.forEach(([step, key], machine) => this.witness.show(machine, step, key));
      this.behind = !this.witness.look(view);
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error) {
    if (!(error instanceof Unfair)) throw error;
    if (this.unfair) return;
    this.unfair = `These dice are not fair: ${error.message}`;
    this.dispute = error.dispute;
  }

  #meet({match, matches}) {
    this.witness = new Witness(this.keys, match);
    this.index = match.machines.findIndex(({public: key}) => key === this.own);
    if (this.index < 0) return; // it watches
    const {tip} = match.machines[this.index];
    const before = this.record.opened?.[tip];
    if (before && before.match !== this.witness.id) throw new Unfair("this is not the game that was begun.");
    let number = matches - 1; // or one before, where others have played without this page since it sat down
    while (number >= 0 && this.chain(number).tip !== tip) number--;
    if (number < 0) throw new Unfair("the keys of this seat are not those of this phone.");
    this.keyed = this.chain(number);
  }

  // The step that waits for this page's key; undefined without one.
  get asked() {
    const step = this.unfair || this.behind ? undefined : this.view.step;
    if (!step?.missing.includes(this.index)) return undefined;
    return step.last === this.index && step.missing.length > 1 ? undefined : step; // it opens last for its own rolls
  }

  // The roll of this page, with its faces, if only its own key is missing; else undefined.
  get foreseen() {
    const {asked, witness, index} = this;
    if (!asked || asked.seat < 0 || asked.last !== index) return undefined;
    const others = asked.contributors.filter((machine) => machine !== index);
    if (others.some((machine) => witness.shown[machine].step < asked.step)) return undefined;
    const {step, seat, dice} = asked;
    const [nth, thrown] = [witness.throws[seat] + 1, witness.dice(asked, index, this.keyed.keys[step])];
    return {step, seat, dice, throw: nth, faces: thrown.throw(seat, nth, dice)};
  }

  // -- what it says ---------------------------------------------------------------------------------------------------

  // A body as an entry for the present cursor, never for another match.
  entry(body) {
    if (body.match && body.match !== this.witness?.id) throw new Unfair("something was to be signed for another game.");
    const {number, head} = this.view;
    return encryptEntry(this.keys, this.machine, {...body, number, head, again: this.#again++});
  }

  sit(body, name) {
    return {...body, tip: this.chain(this.view.matches).tip, keys: CHAIN, players: [{name, bot: null}]};
  }

  // A heartbeat, which shows the others that this page is here.
  heartbeat(fields) {
    this.views.asks = false;
    const first = hex(sha256(joined(bytesOf("420 room"), this.keys.table))).slice(0, 32);
    const {number, head, counted} = this.view ?? {number: 0, head: first, counted: 0};
    return encryptEntry(this.keys, this.machine, {
      at: "here", number, head, counted, uploaded: true, diverged: false, page: true, once: hex(drawn(8)),
      box: this.views.box, seen: this.views.seen, match: this.witness?.id ?? "", event: this.witness?.events ?? 0,
      ...fields,
    });
  }

  // The entry with the key of the waiting step, once this browser has stored its action: the key is for no other one,
  // whatever the log says later, and whatever another tab does.
  async open() {
    const {asked: step, witness, keyed} = this;
    if (!step) return undefined;
    try {
      const act = decryptEntry(this.keys, unbase64(step.act));
      const opened = this.#openedFor(step, act);
      await this.keep((record) => {
        const before = record?.opened?.[keyed.tip];
        if (!record) throw new Unfair("this phone has given up its seat.", null);
        if (before) this.#allow(before, opened);
        return {...record, opened: {[keyed.tip]: opened}};
      });
      if (witness !== this.witness) return undefined;
      witness.said.set(step.step, canonical([step.seat, step.dice]));
      const key = hex(keyed.keys[step.step]);
      return {at: "open", match: witness.id, step: step.step, act: opened.act, key};
    } catch (error) {
      this.refuse(error);
      return undefined;
    }
  }

  // The data to store before a key is opened, if the host has told the right action.
  #openedFor({step, seat, dice, last, contributors, missing, act: data}, act) {
    const {id, match} = this.witness;
    const author = match.machines.findIndex(({public: key}) => act && key === hex(act.author));
    const {at, match: of, roll, event} = act?.body ?? {};
    const draws = seat < 0 && at === "start" && author >= 0;
    const own = at === "act" && of === id && author === last && match.machines[last].seats.includes(seat);
    const said = draws || (own && canonical(roll) === canonical(dice));
    if (!said) throw new Unfair("nobody has said the roll that was to fall.");
    const few = !contributors.includes(this.index) || !missing.every((machine) => contributors.includes(machine));
    if (few || !this.keyed.keys[step]) throw new Unfair("a key was asked for without a roll.");
    return {step, act: hex(act.digest), data, match: id, event: draws ? -1 : event, contributors};
  }

  // A key is for one action only, and an action has one key, unless somebody leaves whose key was missing.
  #allow(before, {step, act, match, event, contributors}) {
    const again = step === before.step && act === before.act;
    if (match !== before.match || step < before.step || (step === before.step && !again)) {
      throw new Unfair("this phone has opened its key for another roll.");
    }
    if (again) return;
    const fell = this.witness.fallen.has(before.step);
    if (fell ? event <= before.event : contributors.length >= before.contributors.length) {
      throw new Unfair("a roll was to be thrown again.");
    }
  }

  // The action of this page's opened key if the log has lost it; else undefined.
  get lost() {
    const kept = this.record.opened?.[this.keyed?.tip];
    const {phase, step, fallen} = this.view;
    if (!kept || kept.match !== this.witness?.id || phase === "over") return undefined;
    return kept.step > ((step ?? fallen.at(-1))?.step ?? 0) ? unbase64(kept.data) : undefined;
  }

  // The entry that tells the table what is not fair, until the log has it; else undefined.
  get disputed() {
    const {unfair, dispute, index, witness, view} = this;
    const tells = unfair && dispute && index >= 0 && !view.disputed && view.phase !== "over";
    return tells ? {at: "dispute", match: witness.id, ...dispute} : undefined;
  }

  // Whether the host's request is owed without a choice, and allowed by what this page has seen.
  owes({at, match}) {
    return ["act", "end", "here"].includes(at) && match === this.witness?.id && !this.unfair;
  }
}

// -- the connection ---------------------------------------------------------------------------------------------------

// One connection to the broker by the protocol of NATS. "hears" is told: ready, view(bytes), refused(why), closed(why).
export class Link {
  #got = new Uint8Array();
  #heard = Date.now();
  #why = "";

  constructor(address, {keys, machine}, host, hears) {
    Object.assign(this, {keys, machine, hears, from: `${keys.room}.${nkey(OF_USER, host)}`});
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({data}) => this.#read(new Uint8Array(data));
    this.socket.onclose = () => hears.closed(this.#why);
  }

  close() {
    this.socket.onclose = this.socket.onmessage = null;
    this.socket.close();
  }

  // Whether it is silently lost; a browser may notice only after minutes.
  get silent() {
    return Date.now() - this.#heard > SILENT;
  }

  store(entry) {
    const {room} = this.keys;
    this.#say(`PUB t.${room.slice(0, 2)}.${room}.${this.machine.nkey} _INBOX.${room}.${this.machine.nkey}.1`, entry);
  }

  broadcast(heartbeat) {
    const headers = bytesOf("NATS/1.0\r\nHint: 1\r\n\r\n");
    this.#say(`HPUB here.${this.keys.room}.${this.machine.nkey} ${headers.length}`, joined(headers, heartbeat));
  }

  #say(line, data) {
    if (this.socket.readyState !== WebSocket.OPEN) return; // what is owed is said again after the next connection
    const end = bytesOf("\r\n");
    this.socket.send(data ? joined(bytesOf(`${line} ${data.length}\r\n`), data, end) : bytesOf(`${line}\r\n`));
  }

  #read(bytes) {
    this.#heard = Date.now();
    this.#got = joined(this.#got, bytes);
    for (let end; (end = this.#got.indexOf(10)) >= 0; ) {
      const line = new TextDecoder().decode(this.#got.subarray(0, end - 1));
      const [word, ...words] = line.split(" ");
      let taken = end + 1;
      let data;
      if (word === "MSG" || word === "HMSG") {
        const size = Number(words.at(-1));
        if (this.#got.length < taken + size + 2) return;
        data = this.#got.slice(taken, taken + size);
        taken += size + 2;
      }
      this.#got = this.#got.slice(taken);
      this.#take(word, words, line, data);
    }
  }

  #take(word, [subject], line, data) {
    if (word === "INFO") this.#logIn(JSON.parse(line.slice(5)));
    if (word === "PING") this.#say("PONG");
    if (word === "PONG") this.hears.ready();
    if (word === "-ERR") this.#why = line.slice(6, -1).toLowerCase();
    if (word === "MSG" && subject.startsWith("view.")) this.hears.view(data);
    if (word === "MSG" && subject.startsWith("_INBOX.")) {
      const {error} = JSON.parse(new TextDecoder().decode(data));
      if (error) this.hears.refused(error.description);
    }
  }

  #logIn({nonce}) {
    // The form of a broker's text to sign; entries never have it.
    if (this.loggedIn || !/^[\w-]{1,64}$/.test(nonce)) return;
    this.loggedIn = true;
    const sig = url64(this.machine.sign(bytesOf(nonce)));
    const login = {jwt: memberJwt(this.keys, this.machine), sig, verbose: false, pedantic: false, echo: false};
    this.#say(`CONNECT ${JSON.stringify({...login, headers: true, lang: "javascript", version: "1", protocol: 1})}`);
    this.#say(`SUB _INBOX.${this.keys.room}.${this.machine.nkey}.> 1`);
    this.#say(`SUB view.${this.from}.${this.machine.nkey} 2`);
    this.#say("PING");
  }
}
