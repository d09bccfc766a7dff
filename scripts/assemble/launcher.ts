import { placedOptions, STORE } from "./options.ts";

/**
 * The shell script `inlet`, which starts the assembled program with the permissions of the start task, from whatever
 * folder it is called in: a relative `KV_PATH` is meant from there. It becomes the service itself, so that a supervisor's
 * signals reach it. A Deno beside it is taken before any other, and nothing is ever downloaded. Called with `healthy`, it
 * asks the running service instead, see healthy.ts.
 *
 * @param command The arguments of the start task's `deno run`, with {@link STORE} for the folder of the store.
 * @param variables What that task sets for it, as `NAME=value`.
 */
export function launcher(command: readonly string[], variables: readonly string[]): string {
  const options = placedOptions(command, (folder) => folder === STORE ? folder : `$APP/${folder}`);
  return `#!/bin/sh
# Starts Inlet, or tells whether it runs: \`inlet healthy\`. Settings are in the environment. Written by \`deno task assemble\`.
set -eu
APP=$(dirname -- "$(readlink -f -- "$0")")
PATH="$APP:$PATH"
export DENO_DIR="$APP/.deno" DENO_NO_UPDATE_CHECK=1
if [ "\${1-}" = healthy ]; then
  exec deno run --cached-only --no-prompt --allow-net --allow-env=HOST,PORT "$APP/scripts/healthy.ts"
fi
${
    variables.length === 0 ? "" : `export ${variables.join(" ")}
`
  }STORE=$(deno run --cached-only --no-prompt --allow-env=KV_PATH "$APP/scripts/store_folder.ts")
exec deno run --cached-only ${options.map((option) => `"${option}"`).join(" ")} "$APP/${command.at(-1)}" "$@"
`;
}
