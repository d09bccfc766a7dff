import { STORE, type TaskCommand } from "../cli/tasks.ts";
import { placedOptions } from "./options.ts";

/** What has no task, as `--help`, or is unknown, is answered without a permission. */
const WITHOUT_TASK = ["--no-prompt"];

/**
 * The shell script `inlet`, which runs each command of the assembled program with the permissions of its task, from whatever
 * folder it is called in: a relative `KV_PATH` is meant from there. It becomes the command itself, so that a supervisor's
 * signals reach the service. A Deno beside it is taken before any other, and nothing is ever downloaded.
 *
 * @param entry What answers for every command, as a path in the program.
 * @param commands The task of each command, by name.
 * @param standard The command that runs where none is named.
 */
export function launcher(entry: string, commands: ReadonlyMap<string, TaskCommand>, standard: string): string {
  return `#!/bin/sh
# Inlet: runs the service, or another command, see \`inlet --help\`. Settings are in the environment. Written by \`deno task
# assemble\`, with the permissions of each command's task.
set -eu
APP=$(dirname -- "$(readlink -f -- "$0")")
PATH="$APP:$PATH"
export DENO_DIR="$APP/.deno" DENO_NO_UPDATE_CHECK=1
store_folder() { deno run --cached-only --no-prompt --allow-env=KV_PATH "$APP/scripts/store_folder.ts"; }
case "\${1-${standard}}" in
${[...commands].map(([name, task]) => branch(name, task, entry)).join("\n")}
  *)
    set -- ${quoted(WITHOUT_TASK, entry)} "$@" ;;
esac
exec deno run --cached-only "$@"
`;
}

function branch(name: string, { variables, args }: TaskCommand, entry: string): string {
  const options = placedOptions(args, (folder) => folder === STORE ? folder : `$APP/${folder}`);
  return [
    `  ${name})`,
    ...variables.length === 0 ? [] : [`    export ${variables.join(" ")}`],
    ...options.some((option) => option.includes(STORE)) ? [`    STORE=$(store_folder)`] : [],
    `    set -- ${quoted(options, entry)} "$@" ;;`,
  ].join("\n");
}

function quoted(options: readonly string[], entry: string): string {
  return [...options, `$APP/${entry}`].map((word) => `"${word}"`).join(" ");
}
