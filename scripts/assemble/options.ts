/**
 * The options of a task's `deno run`, with the folders in its permissions placed: the store's, and those of the program,
 * which the task names relative to the checkout.
 *
 * @param args The arguments of its `deno`, which end with the entry.
 * @param place Gives the new name of a folder, or nothing where it is to be left out.
 */
export function placedOptions(args: readonly string[], place: (folder: string) => string | undefined): string[] {
  return args.slice(1, -1).map((option) => {
    const [, name, folders] = /^(--allow-(?:read|write)=)(.*)$/.exec(option) ?? [];
    if (name === undefined || folders === undefined) return option;
    return name + folders.split(",").flatMap((folder) => place(folder) ?? []).join(",");
  });
}
