#!/usr/bin/env bash
# Expected: renaming a method or a parameter where its base class defines it renames the overrides, and the calls of
#   them.
# Instead: it renames the base class and the calls through it. The overrides and calls through a derived class keep
#   the old name, so that a method which was overridden is inherited from then on, without an error.
# Seen: basedpyright 1.40.2, CPython 3.13.0; 29 November 2026.
# Upstream: none found; microsoft/pylance-release#813 asked for it, and has it in Pylance alone.
# Here: whoever renames by an editor.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install basedpyright==1.40.2

python - <<'PROGRAM'
import json
import subprocess
from pathlib import Path

FILE = Path.cwd() / "shown.py"
FILE.write_text('''class Base:
    def show(self, *, tip: str) -> None: ...


class Derived(Base):
    def show(self, *, tip: str) -> None: ...


def call(base: Base, derived: Derived) -> None:
    base.show(tip="a")
    derived.show(tip="b")
''')
ROOT, DOCUMENT = FILE.parent.as_uri(), {"uri": FILE.as_uri()}
server = subprocess.Popen(["basedpyright-langserver", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(**message: object) -> None:
    content = json.dumps({"jsonrpc": "2.0"} | message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
    server.stdin.flush()


def ask(method: str, **params: object) -> dict:
    """Return the result of a request; the server's own questions get an empty answer."""
    send(id=method, method=method, params=params)
    while True:
        head = b"".join(iter(server.stdout.readline, b"\r\n"))
        message = json.loads(server.stdout.read(int(head.split(b"Content-Length:")[1].split()[0])))
        if "method" in message and "id" in message:
            send(id=message["id"], result=[{}])
        elif message.get("id") == method:
            return message["result"]


def renamed(column: int) -> list[int]:
    """Return the lines that change when what is on line 2 in a column gets another name."""
    place = {"line": 1, "character": column}
    answer = ask("textDocument/rename", textDocument=DOCUMENT, position=place, newName="other")
    edits = answer.get("changes", {}).get(DOCUMENT["uri"]) or answer["documentChanges"][0]["edits"]
    return sorted(edit["range"]["start"]["line"] + 1 for edit in edits)


ask("initialize", processId=None, rootUri=ROOT, workspaceFolders=[{"uri": ROOT, "name": "a"}], capabilities={})
send(method="initialized", params={})
opened = DOCUMENT | {"languageId": "python", "version": 1, "text": FILE.read_text()}
send(method="textDocument/didOpen", params={"textDocument": opened})
method, parameter = renamed(8), renamed(22)
print("lines of the method show: 2, 6, 10, 11 - renamed:", *method)
print("lines of the parameter tip: 2, 6, 10, 11 - renamed:", *parameter)
server.kill()
assert method == parameter == [2, 10]
PROGRAM
