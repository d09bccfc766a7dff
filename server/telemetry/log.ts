import { configure, dispose, getConsoleSink, getJsonLinesFormatter, getTextFormatter } from "@logtape/logtape";
import type { Config } from "../config.ts";

/** Sends the log to standard output, as `LOG_LEVEL` and `LOG_FORMAT` say. Lines are written in the background. */
export async function startLog({ logLevel, logFormat }: Pick<Config, "logLevel" | "logFormat">): Promise<void> {
  const formatter = logFormat === "json" ? getJsonLinesFormatter() : getTextFormatter({ timestamp: "rfc3339" });
  // One stream for all levels, so that lines stay in order.
  const levelMap = { trace: "log", debug: "log", info: "log", warning: "log", error: "log", fatal: "log" } as const;
  await configure({
    reset: true,
    sinks: { console: getConsoleSink({ formatter, levelMap, nonBlocking: true }) },
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
