/** A command of the program: the task of the same name, where there is no checkout. */
export interface ProgramCommand {
  readonly name: string;
  /** In the list of `inlet --help`. */
  readonly does: string;
  /** Runs it with the arguments after its name; all but the start end the process. */
  run(): Promise<unknown>;
}

/** What `inlet` does without arguments. */
export const DEFAULT_COMMAND = "start";

/** What the program can do, each with the permissions of its task. A module is loaded only when it is run. */
export const PROGRAM_COMMANDS: readonly ProgramCommand[] = [
  { name: DEFAULT_COMMAND, does: "run the service, as without a command", run: start },
  { name: "healthy", does: "ask the running service whether it answers", run: () => import("../healthy.ts") },
  { name: "doctor", does: "say what is not as it has to be, and what to do", run: () => import("../doctor.ts") },
  { name: "backup", does: "copy the whole store into one file, while it runs", run: () => import("../backup.ts") },
  { name: "restore", does: "put the store of a backup in its place", run: () => import("../restore.ts") },
  { name: "rotate-key", does: "seal everything with a new encryption key", run: () => import("../rotate_key.ts") },
  { name: "device-key", does: "derive the key of a device", run: () => import("../device_key.ts") },
];

/** A signal may come while the service is loaded, which takes most of a second. */
async function start(): Promise<void> {
  await import("../../server/stop_signal.ts");
  await import("../../start.ts");
}
