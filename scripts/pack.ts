/**
 * Writes an npm tarball of each package to dist/: `deno task pack`. The code is `deno pack`'s, the types are the
 * compiler's own, for `deno pack` gives none where types are inferred.
 *
 * @module
 */
import { packAll } from "./pack/tarballs.ts";

const { npm } = await packAll(new URL("../dist/", import.meta.url));
// deno-lint-ignore no-console -- a command speaks on standard output
console.log(npm.map((file) => `wrote dist/${file}`).join("\n"));
