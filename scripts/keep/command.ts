/** What the commands that look after a store have in common. */
import { CommandError } from "../cli/command.ts";

/** Something that the operator has to mend: the command ends with 1 and this on one line. */
export class KeepError extends CommandError {
  override readonly name = "KeepError";
}

/** A size in bytes, for people. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}
