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

const SHARED = /\bDeno\s*\.\s*(?:env\s*\.\s*(?:set|delete)|chdir)\b/g;

/** Checks that nobody changes what a whole process shares: test files run side by side in one. */
export function checkShared(files: readonly SourceFile[]): Violation[] {
  return files.filter(({ path }) => isCode(path)).flatMap(({ path, text }) =>
    [...mask(text).code.matchAll(SHARED)].map(({ 0: use, index }): Violation => ({
      file: path,
      line: lineAt(text, index),
      wrong: `${use} changes the process, in which other test files run at the same time`,
      instead: "Take the value as a parameter, or hand it to the child process that is to have it",
    }))
  );
}
