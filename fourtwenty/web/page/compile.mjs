// Compiles the modules in a folder with the Python that will import them, and leaves them without their sources.
// Run by Node.js while the page is made: compile.mjs PYODIDE FOLDER
import {pathToFileURL} from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const {loadPyodide} = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide();
python.mountNodeFS("/built", folder);
const failed = python.runPython(`
import py_compile
from pathlib import Path

failed = []
for source in sorted(Path("/built").rglob("*.py")):
    shown = "/" + "/".join(source.parts[2:])
    try:
        # Nothing looks for a source that has changed: there is none.
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(source, source.with_suffix(".pyc"), shown, doraise=True, invalidation_mode=mode)
        source.unlink()
    except py_compile.PyCompileError as error:
        failed.append(str(error))
"\\n".join(failed)
`);
if (failed) throw new Error(failed);
