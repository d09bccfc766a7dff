import { StoreError } from "../../server/errors.ts";
import { isDiskFailure, meaningOf } from "../../server/system_errors.ts";
import { CommandError } from "./command.ts";

/**
 * What went wrong while a file was made, about the name that it was to have: it is made under another, which nobody gave. What
 * is not about writing it is given back as it is.
 */
export function writeFailure(name: string, error: unknown): unknown {
  const isDisk = error instanceof StoreError && isDiskFailure(error);
  const meaning = isDisk ? "the disk is full, or it fails: make room, or name a place on another" : meaningOf(error);
  return meaning === undefined ? error : new CommandError(`Cannot write ${name}: ${meaning}`, { cause: error });
}
