import type { z } from "zod";
import { readLines } from "./lines.ts";
import {
  failureSchema,
  type FanoutJob,
  fanoutResultSchema,
  heardResultSchema,
  type Job,
  type LoadJob,
  type LoadResult,
  loadResultSchema,
} from "./load/jobs.ts";

/** A load generator in a process of its own: what it takes of a processor is not the servers'. */
export class Generator implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #lines: AsyncGenerator<string, void>;

  constructor() {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--allow-net=127.0.0.1", "--allow-read", "--allow-env", main],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#lines = readLines(this.#process.stdout);
  }

  /** Sends deliveries. */
  async load(job: Omit<LoadJob, "kind">): Promise<LoadResult> {
    return await this.#run({ kind: "load", ...job }, loadResultSchema);
  }

  /** Sends deliveries as fast as clients of a live stream hear of them. */
  async fanOut(job: Omit<FanoutJob, "kind">): Promise<z.output<typeof fanoutResultSchema>> {
    return await this.#run({ kind: "fanout", ...job }, fanoutResultSchema);
  }

  /** Opens live streams and reads them, until this generator ends. */
  async listen(url: string, clients: number): Promise<void> {
    await this.#run({ kind: "listen", url, clients }, heardResultSchema);
  }

  /** Resolves when each of those clients has heard so many events; gives the most that one has. */
  async heard(events: number, withinSeconds: number): Promise<number> {
    return (await this.#run({ kind: "heard", events, withinSeconds }, heardResultSchema)).most;
  }

  async #run<T>(job: Job, schema: z.ZodType<T>): Promise<T> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(job)}\n`));
    const { value } = await this.#lines.next();
    if (value === undefined) throw new Error(`Cannot go on: the load generator ended during "${job.kind}"`);
    const said: unknown = JSON.parse(value);
    const failed = failureSchema.safeParse(said);
    if (failed.success) throw new Error(failed.data.failure);
    return schema.parse(said);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // It may be at a job that nobody waits for any more.
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await this.#process.status;
    await this.#input.abort().catch(() => {});
  }
}

const main = new URL("load/main.ts", import.meta.url).href;
