/**
 * The load generator, a process of its own: reads jobs from standard input and writes their results to standard output,
 * a line of JSON each.
 *
 * @module
 */
import { readLines } from "../lines.ts";
import { deliver } from "./deliver.ts";
import { fanOut } from "./fanout.ts";
import { type Job, jobSchema } from "./jobs.ts";
import { Listeners } from "./listeners.ts";

let listeners: Listeners | undefined;

async function run(job: Job): Promise<unknown> {
  switch (job.kind) {
    case "load":
      return await deliver(job);
    case "fanout":
      return await fanOut(job);
    case "listen":
      listeners = await Listeners.open(job.url, job.clients);
      return { least: listeners.least, most: listeners.most };
    case "heard":
      if (listeners === undefined) throw new Error("Cannot count: nobody listens");
      return await untilHeard(listeners, job.events, job.withinSeconds);
  }
}

async function untilHeard(listeners: Listeners, events: number, seconds: number): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`Cannot count: ${listeners.least} of ${events} events heard after ${seconds} s`)),
    seconds * 1000,
  );
  try {
    while (listeners.least < events) await Promise.race([listeners.progress(), late.promise]);
    return { least: listeners.least, most: listeners.most };
  } finally {
    clearTimeout(timer);
  }
}

for await (const line of readLines(Deno.stdin.readable)) {
  const result = await run(jobSchema.parse(JSON.parse(line))).catch((error) => ({ failure: String(error) }));
  await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(result)}\n`));
}
Deno.exit(0);
