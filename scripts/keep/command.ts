/** What the commands that look after a store have in common. */
import { CommandError } from "../cli/command.ts";

/** Something that the operator has to mend: the command ends with 1 and this on one line. */
export class KeepError extends CommandError {
  override readonly name = "KeepError";
}
