/** Who may reach for the outside world by global names. */

import { mask } from "./mask.ts";
import { isWorkshop, roomOf } from "./rooms.ts";
import { isCode, lineAt, type SourceFile, type Violation } from "./source.ts";

const INSTEAD: ReadonlyMap<string | undefined, string> = new Map([
  ["env", "Add the variable to server/config.ts and take its value as a parameter"],
  ["openKv", "Take the store's port from server/deps.ts; main.ts opens it"],
  ["cron", "Take the task as a function; main.ts registers it"],
  ["serve", "Give back a handler; main.ts serves it"],
]);

const NAMES = /\b(?:Deno\s*\.\s*(env|openKv|cron|serve)|process\s*\.\s*(env))\b/g;

/** Checks that of Inlet only `main.ts` reads the environment, opens the store, registers crons and serves. */
export function checkPlatform(files: readonly SourceFile[]): Violation[] {
  return files.filter(({ path }) => isCode(path)).flatMap(({ path, text }) => {
    const room = roomOf(path);
    if (room === "main" || room === "examples" || isWorkshop(room)) return [];
    return [...mask(text).code.matchAll(NAMES)].flatMap((match): Violation[] => {
      const name = match[1] ?? match[2];
      const instead = INSTEAD.get(name);
      if (instead === undefined || name === "openKv" && path.startsWith("server/store/")) return [];
      return [{ file: path, line: lineAt(text, match.index), wrong: `Only main.ts uses ${match[0]}`, instead }];
    });
  });
}
