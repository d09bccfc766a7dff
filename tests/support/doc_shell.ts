import { isAsShown, type ShellBlock } from "./doc_blocks.ts";

/** A test that hangs tells nothing: by then it is clear that nothing more comes. */
const GIVE_UP_AFTER_MS = 300_000;

/** A block that is still running. */
interface Job {
  readonly pid: string;
  readonly file: string;
}

/** A shell that runs the blocks of one document, one after another, as a reader would. */
export class DocShell implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #jobs: Job[] = [];
  #count = 0;
  #read = "";

  private constructor(private readonly folder: string, env: Record<string, string>) {
    this.#process = new Deno.Command("bash", {
      args: ["-eu", "-o", "pipefail"],
      cwd: new URL("../..", import.meta.url),
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#lines = this.#process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Begins a shell whose commands find this Deno as `deno`, and write what they print to a folder of their own. */
  static async start(env: Record<string, string>): Promise<DocShell> {
    const folder = await Deno.makeTempDir({ prefix: "inlet-docs-" });
    await Deno.mkdir(`${folder}/bin`);
    await Deno.symlink(Deno.execPath(), `${folder}/bin/deno`);
    const path = `${folder}/bin:${Deno.env.get("PATH")}`;
    const shell = new DocShell(folder, { NO_COLOR: "1", KV_PATH: `${folder}/inlet.sqlite3`, ...env, PATH: path });
    // Each job in a process group of its own, to be ended whole. As an option at its start, bash wants a terminal for it.
    await shell.#ask("set -m; echo done");
    return shell;
  }

  /** Runs a block of `run` or `background`, and checks that it prints what the document shows. */
  async run(block: ShellBlock): Promise<void> {
    const file = `${this.folder}/${++this.#count}`;
    if (block.proof === "background") {
      const pid = await this.#ask(`(\n${block.text}\n) </dev/null >${file} 2>&1 &\necho "$!"`);
      this.#jobs.push({ pid: pid ?? "", file });
    } else {
      const done = await this.#ask(`{\n${block.text}\n} </dev/null >${file} 2>&1\necho done`);
      if (done === undefined) throw failure(block, "fails", await read(file));
    }
    await until(block, block.prints, () => read(file), () => this.#isAlive(file));
    await until(block, block.later, () => this.#printedByJobs(), () => Promise.resolve(this.#jobs.length > 0));
  }

  /** Ends what is still running, and removes what was written. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { pid } of this.#jobs.toReversed()) {
      // Not by the shell: a command that failed has ended it.
      await new Deno.Command("kill", { args: ["-TERM", "--", `-${pid}`], stderr: "null" }).output();
      await this.#ask(`wait ${pid} || true; echo done`);
    }
    await this.#writer.close().catch(() => {});
    await this.#process.status;
    await this.#lines.cancel();
    await Deno.remove(this.folder, { recursive: true });
  }

  /** Gives the line that the commands print in the end; `undefined` if one of them failed, which ends the shell. */
  async #ask(commands: string): Promise<string | undefined> {
    await this.#writer.write(new TextEncoder().encode(`${commands}\n`)).catch(() => {});
    while (!this.#read.includes("\n")) {
      const { value, done } = await this.#lines.read();
      if (done) return undefined;
      this.#read += value;
    }
    const [line, ...others] = this.#read.split("\n");
    this.#read = others.join("\n");
    return line;
  }

  async #isAlive(file: string): Promise<boolean> {
    const job = this.#jobs.find((job) => job.file === file);
    return job !== undefined && await this.#ask(`kill -0 ${job.pid} 2>/dev/null && echo yes || echo no`) === "yes";
  }

  async #printedByJobs(): Promise<string> {
    return (await Promise.all(this.#jobs.map(({ file }) => read(file)))).join("\n");
  }
}

async function read(file: string): Promise<string> {
  return await Deno.readTextFile(file).catch(() => "");
}

/** Resolves when `shown` was printed; rejects if it was not and whoever prints it has ended, or takes far too long. */
async function until(
  block: ShellBlock,
  shown: string | undefined,
  printed: () => Promise<string>,
  goesOn: () => Promise<boolean>,
): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  while (shown !== undefined) {
    const mayPrintMore = await goesOn() && performance.now() < giveUpAt;
    const text = await printed();
    if (isAsShown(text, shown)) return;
    if (!mayPrintMore) throw failure(block, `does not print what is shown, ${JSON.stringify(shown)}, but`, text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function failure({ document, line }: ShellBlock, what: string, printed: string): Error {
  return new Error(`The block at ${document}:${line} ${what}:\n${printed}`);
}
