// SHA-256 (FIPS 180-4), HMAC (RFC 2104) and the dice of docs/fair-dice.md. A browser's own functions for these make one
// wait, and are missing on a page that came without https.

const primes = Array.from({length: 310}, (_, at) => at + 2).filter((number) => {
  for (let factor = 2; factor * factor <= number; factor++) if (number % factor === 0) return false;
  return true;
});
const fraction = (number) => (number * 2 ** 32) | 0;
const FIRST = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = primes.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));
const BLOCK = 64; // bytes

export const bytesOf = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
export const unbase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt());

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, {length}) => sum + length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));
const schedule = new Int32Array(64);

export function sha256(bytes) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const state = Int32Array.from(FIRST);
  for (let block = 0; block < padded.byteLength; block += BLOCK) {
    for (let at = 0; at < 16; at++) schedule[at] = padded.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const before = schedule[at - 15], last = schedule[at - 2];
      const one = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3);
      const two = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10);
      schedule[at] = schedule[at - 16] + one + schedule[at - 7] + two;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at++) {
      const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const added = (h + mixed + ((e & f) ^ (~e & g)) + ROUND[at] + schedule[at]) | 0;
      const other = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const major = (a & b) ^ (a & c) ^ (b & c);
      h = g, g = f, f = e, e = (d + added) | 0; // an array takes twice as long until it is compiled
      d = c, c = b, b = a, a = (added + other + major) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] += word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => digest.setInt32(4 * at, word));
  return new Uint8Array(digest.buffer);
}

export function hmac(key, bytes) {
  const whole = key.length > BLOCK ? sha256(key) : key;
  const padded = (pad) => Uint8Array.from({length: BLOCK}, (_, at) => (whole[at] ?? 0) ^ pad);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), bytes))));
}

// JSON as json.dumps of Python writes it: it enters every face.
export function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "string") {
    const escaped = (unit) => `\\u${unit.charCodeAt().toString(16).padStart(4, "0")}`;
    return JSON.stringify(value).replace(/[\x7f-\uffff]/g, escaped);
  }
  if (Object(value) !== value) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, each]) => `${written(name)}: ${written(each)}`).join(", ")}}`;
}

// The dice of a match: their key is the HMAC of the match with the seed; or the seed, where no match is given.
export class Dice {
  constructor(seed, ...match) {
    this.key = match.length ? hmac(seed, bytesOf(written(match))) : seed;
  }

  // The HMAC of a text as a number below a limit; values that would bias the remainder are rejected.
  below(limit, label) {
    const all = 1n << 256n;
    for (let attempt = 0; ; attempt++) {
      const value = BigInt(`0x${hex(hmac(this.key, bytesOf(`${label} ${attempt}`)))}`);
      if (value < all - (all % BigInt(limit))) return Number(value % BigInt(limit));
    }
  }

  // Dice by their positions from 1; the throws of a seat count from 1.
  throw(seat, nth, dice) {
    return dice.map((die) => 1 + this.below(6, `face ${seat} ${nth} ${die}`));
  }

  first(seats) {
    return this.below(seats, `first ${seats}`);
  }

  // From 0 up to 1, for the choice of a bot after so many events.
  chance(events) {
    return Number(BigInt(`0x${hex(hmac(this.key, bytesOf(`bot ${events}`)))}`) >> 203n) / 2 ** 53;
  }
}
