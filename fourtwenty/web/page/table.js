// The table of every page: draws a view (docs/inside/view.md) and answers with an action. No rule is here.
const LAND = 150, LAST = 900, REST = 600; // milliseconds: a die, the one that decides, a hand whose dice have landed
const still = matchMedia("(prefers-reduced-motion)");
const MARKS = "●■▲◆▼★✚";
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
const pip = (at) => `<circle cx="${15 + 15 * (at % 3)}" cy="${15 + 15 * Math.floor(at / 3)}" r="5.5"/>`;
const square = '<rect width="60" height="60" rx="11"/>';
const PICTURES = PIPS.map((pips) => `<svg viewBox="0 0 60 60" aria-hidden="true">${square}${pips.map(pip).join("")}</svg>`);
export const find = (selector) => document.querySelector(selector);
export const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);
export const words = (dice) => `${NUMBERS[dice]} ${dice === 1 ? "die" : "dice"}`;

export function put(selector, text) {
  const element = find(selector);
  if (element.textContent !== text) element.textContent = text; // what is put again would be read again
  element.hidden = !text;
}

export class Table {
  view; // the last one
  shown; // the one that is drawn: while dice fall the one before, with the dice that have fallen since
  picked = []; // the dice to roll
  queue = []; // the throws that are to be shown, the first of which falls
  said = ""; // while dice fall
  #pickedFor;
  #rows = [];
  #wake = () => {}; // ends a pause
  quick = false; // somebody is in a hurry
  you = ""; // what marks the own seat
  slow = Infinity; // throws that fall at their pace; of more, the first ones fall at once

  // "act" gets the answers: {roll, event}, {stand, event}, {go}.
  constructor(act) {
    this.act = act;
    find("#go").onclick = () => this.go();
    find("#stand").onclick = () => this.stand();
    addEventListener("keydown", (event) => this.key(event));
  }

  // Shows a view once its throws have fallen; "before" is the table before the first of them, if it is not shown yet.
  show(view, throws = [], before = undefined) {
    this.view = view;
    const asked = `${this.match} ${view.ask?.event}`;
    if (asked !== this.#pickedFor) [this.picked, this.#pickedFor] = [view.ask?.picked ?? [], asked];
    const falls = this.queue.length > 0;
    this.queue.push(...throws);
    if (throws.length && !falls) return this.#fall(before ?? this.shown);
    if (!falls) this.shown = view;
    this.draw();
  }

  // The dice land one after the other, and the last one later where there is something at stake. 0 is a die that rolls.
  async #fall(before) {
    const {queue} = this;
    const shown = (this.shown = structuredClone(before));
    while (queue.length) {
      const [roll] = queue;
      const {seat, dice, faces, line} = roll;
      const place = shown.seats[seat];
      const hand = [...place.dice];
      this.quick = queue.length > this.slow;
      shown.seats.forEach((each, at) => (each.acts = at === seat));
      const show = (text = this.said) => {
        Object.assign(place, {dice: [...hand], total: "", meter: place.meter && 0});
        this.said = text;
        this.draw();
      };
      for (const die of dice) hand[die - 1] = 0;
      show(`${place.mine ? "You roll" : `${place.name} rolls`} ${words(dice.length)}.`);
      for (const [at, die] of dice.entries()) {
        const last = at === dice.length - 1;
        const stake = last && (await this.stake(roll));
        if (this.shown !== shown) return;
        if (stake) show(stake);
        await this.#pause(stake ? LAST : LAND);
        if (this.shown !== shown) return;
        hand[die - 1] = faces[at];
        show(last ? line : this.said);
      }
      await this.#pause(REST);
      if (this.shown !== shown) return;
      queue.shift();
    }
    this.shown = this.view;
    this.draw();
  }

  #pause(time) {
    return new Promise((done) => {
      this.#wake = done;
      setTimeout(done, this.quick || still.matches ? 0 : time);
    });
  }

  // Forgets what falls: another match is shown.
  clear() {
    this.queue.length = 0;
    this.shown = undefined;
  }

  // -- what a page may override -------------------------------------------------------------------------------

  stake({stake}) {
    return stake;
  }

  asks() {
    return Boolean(this.view?.ask) && !this.queue.length;
  }

  get own() {
    return this.shown?.seats.find((seat) => seat.mine);
  }

  get result() {
    return !this.queue.length && this.shown?.result;
  }

  // The name and the words of the large button where nobody is asked.
  get button() {
    return this.shown?.go;
  }

  sentence() {
    if (this.queue.length) return this.said;
    const {line, ask} = this.view;
    const [refusal, preview] = (this.asks() && this.picked.length && this.choice) || [];
    return this.picked === ask?.picked && preview ? `${line} ${preview}.`.trim() : refusal || preview || line;
  }

  // -- what is drawn ----------------------------------------------------------------------------------------------------

  get choice() {
    return this.view.ask.choices[this.picked.join("")];
  }

  draw() {
    const asked = this.asks();
    const rows = this.shown.seats.map((seat) => this.row(seat));
    this.#drawRows(rows);
    find("#seats").className = rows.length > 3 ? "" : "few";
    const {result} = this;
    put("#line", result ? result.join(" ") : this.sentence());
    find("#line").className = result ? "big" : "";
    this.#drawDice(asked, this.own);
    put("#go", this.queue.length ? "Faster" : asked ? this.choice[4] : this.button?.[1] ?? "");
    find("#go").ariaDisabled = asked && (!this.picked.length || Boolean(this.choice[0]));
    put("#stand", asked && this.view.ask.stand !== null ? "Stand" : "");
    find("#stand").ariaDisabled = asked && Boolean(this.view.ask.stand);
  }

  // Only what has changed: a phone takes milliseconds for each row.
  #drawRows(rows) {
    const {children} = find("#seats");
    while (children.length > rows.length) find("#seats").lastChild.remove();
    rows.forEach((row, at) => {
      if (!children[at]) find("#seats").insertAdjacentHTML("beforeend", row);
      else if (row !== this.#rows[at]) children[at].outerHTML = row;
    });
    this.#rows = rows;
  }

  row({name, mark, dice, total, meter, note, tally, acts, out, mine, away}) {
    const aside = [mine && name !== "You" && this.you, away && "away", note, tally && total];
    const notes = aside.filter(Boolean).join(" · ");
    const drawings = mine || out ? "" : dice.map((face) => PICTURES[face]).join("");
    return `<li class="s${mark % 6} ${acts ? "acts" : out ? "out" : ""}">` +
      `<b data-mark="${MARKS[mark % 7]}">${escaped(name)}</b>` +
      `<i role="img" aria-label="${dice.map((face) => face || "rolling").join(" ")}">${drawings}</i>` +
      `<em>${escaped(tally || total)}</em>${notes && `<span>${escaped(notes)}</span>`}` +
      `${mine || meter === null ? "" : `<div class="bar" aria-hidden="true"><u style="width:${meter / 10}%"></u></div>`}</li>`;
  }

  #drawDice(asked, seat) {
    find("#table").hidden = !seat || seat.out || !this.shown.hand;
    if (!seat) return;
    const first = asked && !seat.dice.length; // what is rolled first is not chosen
    const hand = Array.from({length: first ? this.picked.length : this.shown.hand}, (_, at) => seat.dice[at]);
    const dice = find("#dice");
    dice.style.setProperty("--hand", hand.length);
    dice.className = find("#meter").className = `s${seat.mark % 6}`;
    find("#meter").classList.add("bar");
    while (dice.children.length > hand.length) dice.lastChild.remove();
    while (dice.children.length < hand.length) dice.append(document.createElement("button"));
    hand.forEach((face, at) => this.#drawDie(dice.children[at], at + 1, face, asked, asked && !first));
    const [meter, tick] = asked ? this.choice.slice(2, 4) : [seat.meter, null];
    find("#meter").hidden = meter === null;
    find("#meter u").style.width = `${meter / 10}%`;
    find("#meter s").hidden = !tick;
    find("#meter s").style.left = `${tick / 10}%`;
  }

  // A die as a button: whether anything may be done with it, and whether there is a choice.
  #drawDie(button, die, face, asked, chooses) {
    const roll = this.picked.includes(die);
    const state = String([face, roll, asked, chooses]);
    if (button.drawn === state) return;
    button.drawn = state;
    button.innerHTML = `${PICTURES[face ?? 0]}<span>${chooses ? (roll ? "roll" : "keep") : "&nbsp;"}</span>`;
    button.className = face === 0 ? "tumbles" : "";
    button.ariaPressed = chooses ? roll : null;
    button.disabled = !asked;
    button.ariaLabel = `Die ${die}: ${face || "not rolled"}${chooses ? (roll ? ", roll" : ", keep") : ""}`;
    button.onclick = () => this.toggle(die);
  }

  // -- what a person does -----------------------------------------------------------------------------------------------

  toggle(die) {
    if (!this.asks() || die > this.view.hand || !this.view.seats.find((seat) => seat.mine).dice.length) return;
    const {picked} = this;
    this.picked = picked.includes(die) ? picked.filter((each) => each !== die) : [...picked, die].sort();
    this.draw();
  }

  go() {
    if (this.queue.length) return this.faster();
    if (!this.asks()) return this.button && this.act({go: this.button[0]});
    if (this.picked.length && !this.choice[0]) this.act({roll: this.picked, event: this.view.ask.event});
  }

  stand() {
    const {stand, event} = (this.asks() && this.view.ask) || {};
    if (stand === "") this.act({stand: true, event});
    else if (stand) put("#line", stand);
  }

  faster() {
    this.quick = true;
    this.#wake();
  }

  key({key, target, ctrlKey, metaKey, altKey}) {
    if (ctrlKey || metaKey || altKey || target.closest("input, select, summary, a, button:not(#dice button, #go)")) return;
    if ("123456789".includes(key)) this.toggle(Number(key));
    if (key === "a" && this.asks()) (this.picked = Array.from({length: this.view.hand}, (_, at) => at + 1)), this.draw();
    if (key === "s") this.stand();
    if (key === "Enter" && !target.closest("button")) this.go();
  }
}
