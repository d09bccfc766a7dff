import type { z } from "zod";
import type { Fault } from "./errors.ts";

/** Writes a zod error as faults, each with the JSON Pointer (RFC 6901) of the value it concerns. */
export function faultsOf(error: z.ZodError): Fault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail: "is not known here" }));
    }
    return [{ pointer: pointerOf(issue.path), detail: issue.message }];
  });
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
