/** The commands of the program that is run where there is no checkout. */
import assert from "node:assert/strict";
import { z } from "zod";
import type { InletProcess } from "./inlet.ts";
import type { Program } from "./program.ts";

/** How a command ended, and what it gave. */
export interface CommandRun {
  readonly code: number;
  readonly stdout: Uint8Array<ArrayBuffer>;
  /** The same as text. */
  readonly printed: string;
  readonly stderr: string;
}

/** Runs a command of the program to its end. */
export type RunCommand = (
  args: readonly string[],
  given?: { readonly env?: Record<string, string>; readonly stdin?: Uint8Array<ArrayBuffer> },
) => Promise<CommandRun>;

/** Runs commands in `folder`, on the store and the port of a service that was started there. */
export function commandsOf({ command: [program, ...words], env = {} }: Program, folder: string, url = ""): RunCommand {
  return async (args, { env: change = {}, stdin } = {}) => {
    const child = new Deno.Command(program, {
      args: [...words, ...args],
      cwd: folder,
      env: {
        NO_COLOR: "1",
        HOME: "/nonexistent",
        KV_PATH: "./data/inlet.sqlite3",
        PORT: url === "" ? "3200" : new URL(url).port,
        ...env,
        ...change,
      },
      stdin: stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [{ code, stdout, stderr }] = await Promise.all([
      child.output(),
      stdin === undefined ? undefined : new Blob([stdin]).stream().pipeTo(child.stdin),
    ]);
    const text = new TextDecoder();
    return { code, stdout, printed: text.decode(stdout), stderr: text.decode(stderr) };
  };
}

const NAMES = ["start", "healthy", "doctor", "backup", "restore", "rotate-key", "device-key"];

/** Asserts that the program says what it can do and how, and what is wrong with how it was called. */
export async function assertManual(run: RunCommand): Promise<void> {
  const help = await run(["--help"]);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  assert.deepEqual(Array.from(help.printed.matchAll(/^ {2}([a-z-]+) {2}/gm), ([, name]) => name), NAMES);
  assert.match((await run(["--version"])).printed, /^inlet \d+\.\d+\.\d+ \(deno \d+\.\d+\.\d+\)\n$/);
  for (const name of NAMES) {
    const { code, printed, stderr } = await run([name, "--help"]);
    assert.deepEqual([code, stderr], [0, ""], name);
    assert.ok(printed.includes(`inlet ${name}`) && !printed.includes("deno task"), printed);
  }
  const unknown = await run(["bakcup", "file"]);
  assert.deepEqual(unknown, {
    ...unknown,
    code: 2,
    printed: "",
    stderr: `Cannot run inlet: there is no command bakcup, only ${NAMES.join(", ")}; see: inlet --help\n`,
  });
  const misused = await run(["restore"]);
  assert.deepEqual([misused.code, misused.stderr], [
    2,
    "Cannot run inlet restore: name one backup; see: inlet restore --help\n",
  ]);
}

const findingsSchema = z.array(z.object({ about: z.string(), state: z.string(), detail: z.string() }));

/** Asserts that the commands do their work beside a service that runs, with no other folder than its store's. */
export async function assertKeeping(run: RunCommand, inlet: InletProcess): Promise<void> {
  const backup = succeeded(await run(["backup", "-"]));
  assert.match(backup.stderr, /^backed up \d+ records of schema \d+ to standard output, /);
  const stdin = backup.stdout;
  assert.match(succeeded(await run(["restore", "-", "--check"], { stdin })).printed, /^the backup is whole, /);
  const cut = await run(["restore", "-", "--check"], { stdin: stdin.slice(0, -1) });
  assert.deepEqual([cut.code, /^Cannot use standard input: it is not whole, /.test(cut.stderr)], [1, true], cut.stderr);

  const env = { KV_PATH: "./data/again.sqlite3" };
  assert.match(succeeded(await run(["restore", "-"], { stdin, env })).printed, /^restored \d+ records of schema \d+, /);
  const findings = findingsSchema.parse(JSON.parse((await run(["doctor", "--json"], { env })).printed));
  const kept = findings.filter(({ about }) => about === "store" || about === "key");
  assert.ok(
    kept.some(({ detail }) => /^\w{8} sealed [1-9]\d* values? of the store, and opens what it sealed$/.test(detail)),
  );
  assert.deepEqual(kept.filter(({ state }) => state !== "ok"), []);
  await Deno.remove(`${inlet.folder}/data/again.sqlite3`);

  assert.match(succeeded(await run(["rotate-key"])).printed, /^sealed anew: the settings of 0 connectors, /);
  const changes = await (await inlet.ask("/dashboard/audit?all", { headers: { accept: "text/html" } })).text();
  assert.match(changes, /inlet rotate-key[\s\S]*replaced the encryption key/);
  const key = succeeded(await run(["device-key", "scale-7"], { stdin: new TextEncoder().encode("m".repeat(32)) }));
  assert.match(key.printed, /^whsec_\S+\n$/);
}

function succeeded(ended: CommandRun): CommandRun {
  assert.equal(ended.code, 0, ended.stderr);
  return ended;
}
