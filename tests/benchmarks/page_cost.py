"""The cost of a roll for a page, by hand: ``PYTHONPATH=tests/tools python tests/benchmarks/page_cost.py``.

Tabs of Chromium play at one table with a bot, first with an earlier revision as the host, then with the files here, in
turn. Prints for each the CPU time of a page, the bytes it has received, and the time from its own tap to its own dice,
a roll, and the ratios. Linux only; a revision is one since e7109965, whose tests/tools/page_host.py is run.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from browser import UPRIGHT, Browser, Tab, chromium, line_of
from msgspec import Struct
from processes import child
from waiting import MAX_WAIT_SECONDS

TABS, ROLLS, TIMES = 8, 30, 2
"""Of a table, to measure, and of each revision."""
LOOK_SECONDS = 0.5
REPOSITORY = Path(__file__).parents[2]
BEFORE = "e7109965"
"""The revision before views were sent as differences under a shared key."""
ADDRESS = "127.0.0.40"
"""Where no test takes the port of the page meanwhile."""

COUNTS = """
window.received = window.messages = 0;
WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    this.addEventListener("message", ({data}) => (received += data.byteLength, messages++));
  }
};
"""
"""JavaScript that counts the bytes which a page receives."""
PLAYS = """
const [go, line, dice] = ["#go", "#line", "#dice"].map((each) => document.querySelector(each));
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
Object.assign(window, {rolls: 0, taps: []});
let tapped = 0, said = "", thinks = 0;
const roll = () => {
  thinks = 0;
  if (go.hidden || tapped || !/^(Roll|Tap)/.test(go.textContent)) return;
  const shown = dice.querySelectorAll("[aria-pressed]");
  for (let roll = 2 ** shown.length; go.ariaDisabled === "true" && roll--; ) {
    shown.forEach((die, at) => (die.ariaPressed === "true") !== Boolean(roll >> at & 1) && press(String(at + 1)));
  }
  tapped = performance.now();
  press("Enter");
};
const think = () => (thinks ||= setTimeout(roll, 100));
new MutationObserver(think).observe(go, {childList: true, attributes: true, attributeFilter: ["hidden"]});
new MutationObserver(() => {
  if (tapped && dice.querySelector(".tumbles")) taps.push(performance.now() - tapped), (tapped = 0);
}).observe(dice, {childList: true, subtree: true});
new MutationObserver(() => {
  if (line.textContent === said) return;
  said = line.textContent;
  if (/ rolls? (\\w+) (die|dice)\\.$/.test(said)) rolls++;
}).observe(line, {childList: true});
think();
"""
"""JavaScript of a person who rolls as many dice as is allowed; it counts all rolls that are shown."""


class Cost(Struct):
    """The cost of rolls for one page, in the middle of all."""

    cpu: float
    """In seconds a roll."""
    received: float
    """In bytes a roll."""
    messages: float
    """Of the WebSocket, a roll."""
    taps: list[float]
    """The milliseconds from each own tap to the own dice, of all pages."""

    def __str__(self) -> str:
        own = sorted(self.taps)
        taps = f"p50 {median(own):.0f} ms, most {own[-1]:.0f} ms" if own else "nobody had a turn"
        return (
            f"{1000 * self.cpu:6.1f} ms of CPU, {self.received / 1000:6.2f} kB in {self.messages:.1f} messages a roll;"
            f" tap to dice n {len(own)}, {taps}"
        )


async def reached(condition: Callable[[], Awaitable[object]]) -> None:
    """Look at pages until something is true of them."""
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        while not await condition():
            await asyncio.sleep(LOOK_SECONDS)


async def sit_down(browser: Browser, link: str, name: str) -> Tab:
    """Open the page with a storage of its own, and sit down."""
    tab = await browser.open("about:blank", UPRIGHT, touched=True, profile=await browser.profile())
    await tab.do("Page.addScriptToEvaluateOnNewDocument", source=COUNTS)
    await tab.do("Network.disable")
    await tab.do("Page.navigate", url=link)

    async def sits() -> bool:
        return bool(
            await tab.js(
                f"""const [form, name] = ["form", "#name"].map((each) => document.querySelector(each));
                if (form && !form.hidden && !name.value) (name.value = "{name}"), form.requestSubmit();
                return document.querySelector("#seats")?.innerText.includes("{name}")"""
            )
        )

    await reached(sits)
    return tab


async def renderer_seconds(browser: Browser) -> float:
    """Return the CPU seconds of all processes that run pages."""
    processes = (await browser.do("SystemInfo.getProcessInfo"))["processInfo"]
    return float(sum(each["cpuTime"] for each in processes if each["type"] == "renderer"))


async def play(tree: Path, tabs: int, rolls: int) -> Cost:
    """Host a table by the files of a tree, and measure so many rolls."""
    path = os.pathsep.join([str(tree), str(tree / "tests" / "tools")])
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"PYTHONPATH": path, "FOURTWENTY_HOME": home}
        host = child(
            sys.executable, str(tree / "tests" / "tools" / "page_host.py"), "420", str(tabs + 1), ADDRESS,
            stdout=asyncio.subprocess.PIPE, env=environment, cwd=tree,
        )  # fmt: skip
        async with host as process, chromium() as browser:
            assert process.stdout
            link = await asyncio.wait_for(line_of(process.stdout, r"^Page: (\S+)"), MAX_WAIT_SECONDS)
            opened = [await sit_down(browser, link, f"P{number}") for number in range(1, tabs + 1)]
            for tab in opened:
                await tab.js(PLAYS)

            async def rolled() -> int:
                return int(await opened[0].js("return rolls"))

            await reached(rolled)
            begun = await renderer_seconds(browser)
            before: list[list[int]] = [
                await tab.js("taps.length = 0; return [rolls, received, messages]") for tab in opened
            ]

            async def enough() -> bool:
                return await rolled() - before[0][0] >= rolls

            await reached(enough)
            after = [await tab.js("return [rolls, received, messages]") for tab in opened]
            spent = await renderer_seconds(browser) - begun
            taps = [each for tab in opened for each in await tab.js("return taps")]
    seen = [[now - then for now, then in zip(*pair, strict=True)] for pair in zip(after, before, strict=True)]
    shown = median(each[0] for each in seen)
    return Cost(
        spent / tabs / shown,
        median(received for _, received, _ in seen) / shown,
        median(messages for *_, messages in seen) / shown,
        taps,
    )


def tree_of(revision: str, folder: Path) -> Path:
    """Return a folder with the files of a revision; those here for "."."""
    if revision == ".":
        return REPOSITORY
    tree = folder / revision
    tree.mkdir()
    archive = subprocess.run(["git", "archive", revision], cwd=REPOSITORY, capture_output=True, check=True)
    subprocess.run(["tar", "-xf", "-"], cwd=tree, input=archive.stdout, check=True)
    return tree


async def main(revisions: list[str]) -> None:
    """Measure the revisions in turn, and print what each costs beside the first."""
    with tempfile.TemporaryDirectory() as folder:
        trees = {revision: tree_of(revision, Path(folder)) for revision in revisions}
        found: dict[str, list[Cost]] = {revision: [] for revision in revisions}
        for _ in range(TIMES):
            for revision, tree in trees.items():
                found[revision].append(cost := await play(tree, TABS, ROLLS))
                print(f"{revision:>10}: {cost}; load {os.getloadavg()[0]:.1f}", flush=True)
    first = found[revisions[0]]
    for revision in revisions[1:]:
        cpu, received = (
            median(getattr(each, field) for each in found[revision]) / median(getattr(each, field) for each in first)
            for field in ("cpu", "received")
        )
        print(f"{revision:>10} beside {revisions[0]}: {cpu:.3f} of the CPU, {received:.3f} of the bytes", flush=True)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("revisions", nargs="*", default=[BEFORE, "."], help='revisions of git; "." has the files here')
    asyncio.run(main(parser.parse_args().revisions))
