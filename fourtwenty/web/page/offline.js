// Answers from the cache, so that the page opens without a network. A new build takes over once the tab is closed.
const NAME = `page ${BUILD}`;

oninstall = (event) => event.waitUntil(load());
onactivate = (event) => event.waitUntil(tidy());
onfetch = (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
};

// The parts are large, and named by their contents: cached ones are not loaded again.
async function load() {
  const [cache, parts] = await Promise.all([caches.open(NAME), caches.open("parts")]);
  const small = ["./", ...FILES.filter((path) => !path.startsWith("parts/"))];
  await cache.addAll(small.map((path) => new Request(path, {cache: "no-cache"})));
  for (const path of FILES.filter((path) => path.startsWith("parts/"))) {
    if (!(await parts.match(path))) await parts.add(path);
  }
}

async function tidy() {
  for (const name of await caches.keys()) if (name !== NAME && name !== "parts") await caches.delete(name);
  const [parts, wanted] = [await caches.open("parts"), FILES.map((path) => new URL(path, location).href)];
  for (const {url} of await parts.keys()) if (url.includes("/parts/") && !wanted.includes(url)) await parts.delete(url);
}

async function answer(request) {
  const [cache, parts] = await Promise.all([caches.open(NAME), caches.open("parts")]);
  return (await cache.match(request, {ignoreSearch: true})) ?? (await parts.match(request)) ?? fetch(request);
}
