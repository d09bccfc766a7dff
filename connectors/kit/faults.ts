import type { z } from "zod";
import type { Fault } from "./errors.ts";
import "./words.ts";

/** Who has made more mistakes than this learns of the others when these are mended. */
const MOST_FAULTS = 100;

/** Writes a zod error as faults, each with the JSON Pointer (RFC 6901) of the value it concerns. */
export function faultsOf(error: z.ZodError): Fault[] {
  return error.issues.slice(0, MOST_FAULTS).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.slice(0, MOST_FAULTS).map((key) => ({
        pointer: pointerOf([...issue.path, key]),
        detail: "is not known here",
      }));
    }
    // What is wrong with a name says its own schema.
    const detail = issue.code === "invalid_key" ? issue.issues[0]?.message ?? issue.message : issue.message;
    return [{ pointer: pointerOf(issue.path), detail }];
  });
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
