// Shared by the tables of both pages: dice as drawings and as buttons, the meter, and the throw.

const LAND = 150, LAST = 900; // milliseconds: a die, the one that decides
const still = matchMedia("(prefers-reduced-motion)");

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
const pip = (at) => `<circle cx="${15 + 15 * (at % 3)}" cy="${15 + 15 * Math.floor(at / 3)}" r="5.5"/>`;
const square = '<rect width="60" height="60" rx="11"/>';
const drawings = PIPS.map((pips) => `<svg viewBox="0 0 60 60" aria-hidden="true">${square}${pips.map(pip).join("")}</svg>`);
export const drawing = (face) => drawings[face ?? 0];

// The hand as buttons: whether anything may be done with them, and whether there is a choice, of those selected to roll.
export function drawHand(buttons, hand, selected, asked, chooses) {
  [...buttons].forEach((button, at) => {
    const [face, roll] = [hand[at], selected.includes(at + 1)];
    const state = String([face, roll, asked, chooses]);
    if (button.drawn === state) return;
    button.drawn = state;
    button.innerHTML = `${drawing(face)}<span>${chooses ? (roll ? "roll" : "keep") : "&nbsp;"}</span>`;
    button.className = face === 0 ? "tumbles" : "";
    button.ariaPressed = chooses ? roll : null;
    button.disabled = !asked;
    button.ariaLabel = `Die ${at + 1}: ${face || "not rolled"}${chooses ? (roll ? ", roll" : ", keep") : ""}`;
  });
}

// In hundredths: what there is, and what is needed; 0 or false where nothing is.
export function drawMeter(meter, has, needs) {
  meter.querySelector("u").style.width = `${has}%`;
  meter.querySelector("s").hidden = !needs;
  meter.querySelector("s").style.left = `${needs}%`;
}

let wake = () => {};
export const hurry = () => wake();
export const pause = (time) => new Promise((done) => {
  wake = done;
  setTimeout(done, still.matches ? 0 : time);
});

// The dice land one after the other, and the last one later where there is something at stake, in words. 0 is a die that
// rolls. "show" draws the hand, and returns false where nobody looks any more; "quick" says whether anybody is in a hurry.
export async function fall(hand, roll, faces, show, stake, quick) {
  for (const die of roll) hand[die - 1] = 0;
  show(hand);
  for (const [at, die] of roll.entries()) {
    const decides = at === roll.length - 1 && (await stake(hand));
    if (decides) show(hand, decides);
    await pause(quick() ? 0 : decides ? LAST : LAND);
    hand[die - 1] = faces[at];
    if (!decides && !show(hand)) return;
  }
}
