// Loads Python and the game from beside this file, saves the games in the browser's storage, and plays.
import {loadPyodide} from "./python/pyodide.mjs";
import {PARTS, TABLES} from "./parts.js";

const HOME = "/home/player"; // the folder of the game, which the storage keeps
const tell = (...message) => postMessage(message);
const place = (path) => new URL(path, import.meta.url).href;

// -- loading ----------------------------------------------------------------------------------------------------------

const total = Object.values(PARTS).reduce((sum, {size}) => sum + size, 0);
const LOADED = 0.6; // of the bar is for what is loaded, the rest for the steps of the start, by the time that each takes
const [RUNS, UNPACKED, IMPORTED] = [0.8, 0.88, 0.95];
let loaded = 0;

function count(bytes) {
  loaded += bytes;
  const share = Math.min(loaded / total, 1);
  const [has, all] = [share * total, total].map((bytes) => (bytes / 1e6).toFixed(1));
  tell("progress", LOADED * share, share < 1 ? `${has} of ${all} MB` : "Starting Python…");
}

// The names of the parts change with their contents: the cache is never out of date.
async function part({path, size}) {
  const cache = await globalThis.caches?.open("parts").catch(() => undefined); // a browser may refuse to keep anything
  const kept = await cache?.match(place(path));
  if (kept) {
    count(size);
    return kept.arrayBuffer();
  }
  const response = await fetch(place(path));
  if (!response.ok) throw new Error(`${path} is missing`);
  const counted = new TransformStream({
    transform(piece, controller) {
      count(piece.byteLength);
      controller.enqueue(piece);
    },
  });
  const contents = await new Response(response.body.pipeThrough(counted)).arrayBuffer();
  await cache?.put(place(path), new Response(contents)).catch(() => {});
  return contents;
}

const unpacked = (contents) => new Blob([contents]).stream().pipeThrough(new DecompressionStream("gzip"));

// -- keeping ----------------------------------------------------------------------------------------------------------

const PIECE = 65536; // bytes of a file under one key
const answer = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

// Stores a folder of files in IndexedDB, in pieces; writes only changed ones.
class Keeper {
  #files;
  #database;
  #stored = new Map(); // the pieces that are known to be stored, by file and number
  #asked = 0; // how often something has changed, and of these, what is kept
  #kept = 0;
  #writing;
  #refusal = "";
  #reads = false; // another tab writes

  async open(alone) {
    this.#reads = !alone;
    try {
      await this.#connect();
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #connect() {
    const opening = indexedDB.open("420", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("pieces");
    this.#database = await answer(opening);
    this.#database.onclose = () => (this.#database = undefined); // the storage has been cleared
  }

  // Puts the files back, before Python looks at them.
  async restore(files) {
    this.#files = files;
    files.mkdirTree(HOME);
    if (!this.#database) return;
    const pieces = this.#database.transaction("pieces").objectStore("pieces");
    const [keys, values] = await Promise.all([answer(pieces.getAllKeys()), answer(pieces.getAll())]);
    const found = new Map();
    keys.forEach(([name, number], index) => {
      this.#stored.set(`${name}\n${number}`, values[index]);
      if (!found.has(name)) found.set(name, []);
      found.get(name)[number] = values[index];
    });
    for (const [name, list] of found) {
      const contents = new Uint8Array(list.reduce((sum, piece) => sum + piece.length, 0));
      list.forEach((piece, number) => contents.set(piece, number * PIECE));
      files.writeFile(`${HOME}/${name}`, contents);
    }
  }

  // Called by Python whenever a file has been written. No transaction of SQLite is open while nothing of Python runs.
  save() {
    this.#asked++;
    this.#refusal = this.#reads ? "it is kept by another tab, until that is closed and this page loaded again" : "";
    if (this.#reads) return;
    if (!this.#writing) this.#writing = this.#catchUp();
  }

  // One after the other: a write stores the changes since the last completed one.
  async #catchUp() {
    try {
      while (this.#kept < this.#asked) {
        const number = this.#asked;
        await this.#write();
        this.#kept = number;
      }
    } catch (error) {
      this.#stored.clear(); // nobody knows what is there: the next time everything is written
      this.#refuse(error);
    } finally {
      this.#writing = undefined;
    }
  }

  async #write() {
    if (!this.#database) {
      this.#stored.clear();
      await this.#connect();
    }
    const now = new Map();
    for (const name of this.#files.readdir(HOME)) {
      if (name.startsWith(".") || name.endsWith("-shm")) continue; // SQLite makes the index of its log again
      const contents = this.#files.readFile(`${HOME}/${name}`);
      for (let at = 0; at === 0 || at < contents.length; at += PIECE) {
        now.set(`${name}\n${at / PIECE}`, contents.slice(at, at + PIECE));
      }
    }
    const writing = this.#database.transaction("pieces", "readwrite", {durability: "strict"});
    const pieces = writing.objectStore("pieces");
    const key = (text) => [text.split("\n")[0], Number(text.split("\n")[1])];
    if (!this.#stored.size) pieces.clear();
    for (const [name, piece] of now) if (!same(piece, this.#stored.get(name))) pieces.put(piece, key(name));
    for (const name of this.#stored.keys()) if (!now.has(name)) pieces.delete(key(name));
    this.#stored = now;
    await new Promise((done, failed) => {
      writing.oncomplete = done;
      writing.onabort = () => failed(writing.error);
    });
  }

  #refuse(error) {
    const full = error?.name === "QuotaExceededError";
    this.#refusal = full ? "the storage of this browser is full" : "this browser stores nothing for this page";
  }

  // As in file_storage.py: undefined once everything is stored, the reason if it cannot be, until then an empty text.
  refusal() {
    return this.#kept === this.#asked ? undefined : this.#refusal;
  }
}

function same(one, other) {
  return one.length === other?.length && one.every((byte, at) => byte === other[at]);
}

// -- playing ----------------------------------------------------------------------------------------------------------

let start, python, app;
const started = new Promise((done) => (start = done));

onmessage = ({data: [name, ...values]}) => {
  if (name === "start") start(values);
  else if (name === "verify") verify(...values);
  else if (name === "back") back();
  else if (name === "link") app?.open_link?.(...values); // the text has no links
  else app?.send(name, ...values);
};

const page = {
  show: (painted) => tell("paint", painted),
  save: (name, text) => tell("save", name, text),
  sit: (identifier) => tell("sit", identifier),
  persist: () => tell("persist"),
  take_over: () => tell("takeOver"),
  open: (address, elsewhere) => tell("open", address, elsewhere),
  table,
};

// A table that few need, at the moment when Python does; nothing without a network. The next time the cache has it.
function table(name) {
  if (!TABLES[name]) return undefined;
  const address = place(TABLES[name]);
  const asked = new XMLHttpRequest();
  asked.open("GET", address, false);
  asked.responseType = "arraybuffer";
  try {
    asked.send();
  } catch {
    return undefined;
  }
  if (asked.status !== 200) return undefined;
  const kept = asked.response.slice();
  globalThis.caches?.open("parts").then((cache) => cache.put(address, new Response(kept))).catch(() => {});
  return new Uint8Array(asked.response);
}

function back() {
  if (!app?.back || app.back()) tell("leave");
}

function verify(contents) {
  python.FS.writeFile("/tmp/record.json", contents);
  tell("verdict", app.verified("/tmp/record.json"));
}

const ELSEWHERE = "The game is being played in another tab. It goes on here once that is closed.";

// One tab plays; another one waits until it is closed. Links open in any, where nothing is saved.
function alone(linked) {
  return new Promise((granted) => {
    if (!navigator.locks) return granted(true); // not on https
    const wait = linked ? undefined : setTimeout(() => tell("become", "-elsewhere", ELSEWHERE), 300);
    navigator.locks.request("420", {ifAvailable: linked}, (lock) => {
      clearTimeout(wait);
      granted(Boolean(lock));
      return lock && new Promise(() => {});
    });
  });
}

async function load(keeps) {
  const keeper = new Keeper();
  const [program, library, game] = ["python", "library", "game"].map((name) => part(PARTS[name]));
  const fetched = globalThis.fetch;
  globalThis.fetch = async (address, options) => {
    if (String(address).endsWith("pyodide.asm.wasm")) {
      return new Response(unpacked(await program), {headers: {"Content-Type": "application/wasm"}});
    }
    if (String(address).endsWith("python_stdlib.zip")) return new Response(unpacked(await library));
    return fetched(address, options);
  };
  const [look, asked, still, ...size] = await started;
  const info = {arch: "wasm32", platform: "emscripten_5_0_3", abi_version: "2026_0", python: "3.14.2"};
  python = await loadPyodide({
    indexURL: place("python/"),
    stdLibURL: place("python/python_stdlib.zip"),
    lockFileContents: {info, packages: {}},
    packageBaseUrl: place("python/"),
    env: {
      FOURTWENTY_HOME: HOME,
      HOME,
      COLORTERM: "truecolor",
      TERM: "xterm-256color",
      ...(still && {TEXTUAL_ANIMATIONS: "none"}),
    },
  });
  const step = (share) => tell("progress", share, "Setting the table…");
  step(RUNS);
  await keeper.open(keeps);
  await keeper.restore(python.FS);
  python.unpackArchive(await new Response(unpacked(await game)).arrayBuffer(), "zip", {extractDir: "/game"});
  step(UNPACKED);
  python.runPython("import sys; sys.path.insert(0, '/game')");
  const [front, ...given] = {
    felt: ["cli.browser_felt", asked],
    terminal: ["tui.browser_app", asked, ...size, place("./")],
    text: ["cli.browser_lines"],
  }[look];
  app = python.pyimport(`fourtwenty.${front}`);
  step(IMPORTED);
  return await app.play(page, keeper, ...given);
}

try {
  const {link} = JSON.parse((await started)[1]);
  const damage = await load(await alone(Boolean(link)));
  tell("become", damage ? "-failed" : "-closed", damage);
} catch (error) {
  console.error(error);
  tell("become", "-failed", `The game has stopped: ${error.message.trim().split("\n").at(-1)}`);
}
