/**
 * Makes one file of the service and its runtime, and tells its size and how long it takes to start: `deno task compile`.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { InletProcess } from "../tests/support/inlet.ts";
import { assemble } from "./assemble/assemble.ts";
import { compileExecutable, RuntimeMissingError } from "./compile/executable.ts";
import { packWithDeno } from "./compile/packed.ts";
import { CommandError, print, runCommand } from "./cli/command.ts";
import { isFolder, tryFolder } from "./cli/paths.ts";
import { writeFailure } from "./cli/write_failure.ts";

const HELP = `Makes one file of the service: dashboard, connectors and runtime inside, settings and store outside.

  deno task compile [--output FILE] [--with-deno]

  --output FILE  default dist/inlet
  --with-deno    do not use deno compile, which downloads a runtime: pack the Deno that is installed. So it is
                 done, too, where that runtime cannot be downloaded. The file then unpacks itself at its first
                 start, into the cache of the user who starts it

The environment's KV_PATH decides which folder a file made by deno compile may keep its store in: ./data
where it is started, unless that is set. A packed one takes KV_PATH when it starts.`;

/** Starts the file in an empty folder until it answers, and gives the milliseconds; twice, for the first is slower. */
async function startTimes(program: string): Promise<number[]> {
  const folder = await Deno.makeTempDir();
  const times = [];
  try {
    for (let time = 0; time < 2; time++) {
      const before = performance.now();
      const env = { KV_PATH: "./data/inlet.sqlite3", XDG_CACHE_HOME: `${folder}/cache`, AMQP_URL: "", HOST: "" };
      const inlet = await InletProcess.start({ program, command: [], folder, cwd: folder, env });
      times.push(Math.round(performance.now() - before));
      await inlet.stop();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return times;
}

/** Fails before all the work if there can be no file at `output`, and leaves one that is there alone. */
async function tryPlace(output: string): Promise<void> {
  if (await isFolder(output)) {
    throw new CommandError(`Cannot write ${output}: it is a folder, name a file in it`);
  }
  try {
    await Deno.mkdir(dirname(output), { recursive: true });
    await tryFolder(dirname(output));
  } catch (error) {
    throw writeFailure(output, error);
  }
}

/** Gives the one store that the file may use, where that is fixed in it and not the usual one. */
async function make(program: string, output: string, withDeno: boolean): Promise<string | undefined> {
  await tryPlace(output);
  await assemble(program);
  if (!withDeno) {
    try {
      const kvPath = Deno.env.get("KV_PATH") || undefined;
      await compileExecutable(program, output, kvPath);
      return kvPath;
    } catch (error) {
      if (!(error instanceof RuntimeMissingError)) throw error;
      print(`${error.message}: packing the Deno that is installed instead`);
    }
  }
  await packWithDeno(program, output);
  return undefined;
}

async function compile(output: string, withDeno: boolean): Promise<string> {
  const program = await Deno.makeTempDir();
  try {
    const store = await make(program, output, withDeno);
    const megabytes = Math.round((await Deno.stat(output)).size / 1e6);
    const wrote = `wrote ${output}: ${megabytes} MB`;
    if (store !== undefined) return `${wrote}, not tried here, for its store has to be in the folder of ${store}`;
    const [first, again] = await startTimes(output);
    return `${wrote}, answers ${first} ms after its first start, ${again} ms after others`;
  } finally {
    await Deno.remove(program, { recursive: true });
  }
}

await runCommand({ task: "compile", help: HELP }, async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      output: { type: "string", default: "dist/inlet" },
      "with-deno": { type: "boolean", default: false },
    },
  });
  print(await compile(resolve(values.output), values["with-deno"]));
});
