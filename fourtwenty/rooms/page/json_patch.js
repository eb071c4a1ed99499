// Differences of JSON values (RFC 6902), as json_patch.py makes them.

// The value after additions, removals and replacements. What has not changed is the same object as before.
export function patched(value, patch) {
  return patch.reduce((before, {op, path, value}) => {
    const names = path.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    return changed(before, names.slice(1), op, value);
  }, value);
}

function changed(before, [name, ...names], op, value) {
  if (name === undefined) return value;
  const place = Array.isArray(before) ? [...before] : {...before};
  if (name === "__proto__" || (names.length && !Object.hasOwn(place, name))) throw new Error("no such field");
  const values = op === "remove" ? [] : [value];
  if (names.length) place[name] = changed(place[name], names, op, value);
  else if (Array.isArray(place)) place.splice(name === "-" ? place.length : name, op === "add" ? 0 : 1, ...values);
  else if (op === "remove") delete place[name];
  else place[name] = value;
  return place;
}
