import {
  configure,
  dispose,
  getJsonLinesFormatter,
  getTextFormatter,
  type LogRecord,
  type Sink,
} from "@logtape/logtape";
import type { Config } from "../config.ts";

/** How long lines gather before they are written. */
const GATHER_MS = 100;

/** Sends the log to standard output, as `LOG_LEVEL` and `LOG_FORMAT` say. Lines are written in the background. */
export async function startLog({ logLevel, logFormat }: Pick<Config, "logLevel" | "logFormat">): Promise<void> {
  const formatter = logFormat === "json"
    ? jsonFormatter()
    : getTextFormatter({ timestamp: "rfc3339", value: rendered });
  await configure({
    reset: true,
    sinks: { console: gatheringSink(formatter) },
    loggers: [
      { category: "inlet", lowestLevel: logLevel, sinks: ["console"] },
      { category: ["logtape", "meta"], lowestLevel: "warning", sinks: ["console"] },
    ],
  });
}

/** Writes what has been logged and not been written yet. */
export async function endLog(): Promise<void> {
  await dispose();
}

/** One JSON object a line. What an error says is in the message, too, where JSON would have `{}` of it. */
function jsonFormatter(): (record: LogRecord) => string {
  const format = getJsonLinesFormatter();
  return (record) => {
    const message = record.message.map((part) => part instanceof Error ? String(part) : part);
    return format({ ...record, message });
  };
}

/** Writes lines together: under load each alone costs a call of the system, and there is one for each delivery. */
function gatheringSink(formatter: (record: LogRecord) => string): Sink & Disposable {
  let lines = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const gathered = lines.replace(/\n$/, "");
    lines = "";
    try {
      // deno-lint-ignore no-console -- this is where the log goes; one stream for all levels, so that lines stay in order
      if (gathered !== "") console.log(gathered);
    } catch {
      // Its disk is full: these lines are lost, which is no reason to end the service.
    }
  };
  const sink = (record: LogRecord) => {
    lines += formatter(record);
    // What may be the last words are not to be lost.
    if (record.level === "error" || record.level === "fatal") return write();
    if (timer !== undefined) return;
    timer = setTimeout(write, GATHER_MS);
    Deno.unrefTimer(timer);
  };
  return Object.assign(sink, { [Symbol.dispose]: write });
}

/** As `inspect` does it, several times as fast for what nearly every line holds. */
function rendered(value: unknown, inspect: (value: unknown) => string): string {
  return typeof value === "string" ? JSON.stringify(value) : typeof value === "number" ? String(value) : inspect(value);
}
