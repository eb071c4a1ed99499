// A finger on the terminal of the tab, and the keyboard of a phone.
"use strict";

const touched = matchMedia("(pointer: coarse)");

// A finger that moves turns the wheel; two fingers zoom.
function scrollByFinger(table) {
  let finger;
  table.ontouchstart = (event) => (finger = event.touches[0].clientY);
  table.ontouchmove = (event) => {
    if (event.touches.length > 1) return;
    event.preventDefault();
    const {clientX, clientY} = event.touches[0];
    const deltaY = finger - clientY;
    finger = clientY;
    event.target.dispatchEvent(new WheelEvent("wheel", {bubbles: true, cancelable: true, clientX, clientY, deltaY}));
  };
}

// A tap is a click to the terminal, and takes the focus: without this a phone's keyboard would cover the dice.
// Once it is closed, by Enter or by the phone's own means, the next tap does not open it again.
function offerKeyboard(terminal, table, button, moved) {
  const input = table.querySelector(".xterm-helper-textarea");
  const state = document.body.classList;
  const show = (mode) => {
    input.blur();
    input.inputMode = mode;
    input.focus();
  };
  if (touched.matches) {
    input.inputMode = "none";
    input.addEventListener("blur", () => (input.inputMode = "none"));
    input.addEventListener("keyup", ({key}) => key === "Enter" && input.inputMode === "text" && show("none"));
    table.oncontextmenu = (event) => event.preventDefault();
  }
  // An app that is used by touch says when something can be typed (tui/touch.py); only then is there a keyboard.
  terminal.parser.registerOscHandler(420, (typing) => {
    state.toggle("-typing", typing === "1");
    show(typing === "1" ? "text" : "none");
    moved();
    return true;
  });
  table.onclick = () => state.contains("-typing") && show("text");
  button.onmousedown = (event) => event.preventDefault(); // the focus stays where the keyboard types
  button.onclick = () => show(input.inputMode === "none" ? "text" : "none");
}
