import { CommandError } from "../cli/command.ts";

/** What tells a program that was assembled from whatever else may have a file of the name `inlet`. */
const SIGNS = ["inlet", "start.ts"] as const;

/**
 * Makes room for a program: removes an earlier one in `folder`, and nothing that is not of it. A service that is started in
 * its own folder keeps its store there, with the encryption key.
 *
 * @param own The names that a program has in its folder.
 * @throws {CommandError} if there is anything else in it, or no program
 */
export async function clearProgram(folder: string, own: ReadonlySet<string>): Promise<void> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  if (names === undefined) return;
  const foreign = names.filter((name) => !own.has(name)).sort();
  if (foreign.length > 0) {
    throw new CommandError(
      `Cannot assemble: ${folder} has what is not of the program in it, which would be gone: ${foreign.join(", ")}. ` +
        "Move that, or name a folder that is empty or new",
    );
  }
  if (names.length > 0 && !SIGNS.every((name) => names.includes(name))) {
    throw new CommandError(`Cannot assemble: ${folder} has other things in it, name a folder that is empty or new`);
  }
  for (const name of names) await Deno.remove(`${folder}/${name}`, { recursive: true });
}
