// The id of a guest, for the pages of guests.
"use strict";

// A guest has the same seat whenever this browser comes back.
function tabId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const drawn = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").slice(0, 22);
  try {
    const kept = localStorage.getItem("tab");
    if (/^[\w-]{22}$/.test(kept)) return kept;
    localStorage.setItem("tab", drawn);
  } catch {} // a browser may keep nothing: the seat lasts until the page is loaded again
  return drawn;
}
