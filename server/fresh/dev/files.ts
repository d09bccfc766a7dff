/** The files that a build is made of, and makes. */

/** Lists the files of a folder and those below it, relative to it, in order; nothing if there is no such folder. */
export async function listFiles(folder: string, below: string = ""): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
      if (isDirectory) found.push(...await listFiles(folder, `${below}${name}/`));
      else found.push(`${below}${name}`);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.sort();
}

/** A hash over data, as hexadecimal digits. */
export async function hashOf(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 16);
}

/** A hash over the names and contents of files; one that is missing counts as such. */
export async function hashFiles(paths: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    [...new Set(paths)].sort().map(async (path) => {
      const content = await Deno.readFile(path).catch(() => undefined);
      return `${path}\n${content === undefined ? "missing" : await hashOf(content)}`;
    }),
  );
  return await hashOf(parts.join("\n"));
}

/** Makes a folder hold just `files`. Those that stay the same are not written again, so that watchers see no change. */
export async function replaceFolder(
  folder: string,
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Promise<void> {
  for (const file of await listFiles(folder)) if (!files.has(file)) await Deno.remove(`${folder}/${file}`);
  for (const [file, content] of files) {
    const path = `${folder}/${file}`;
    const known = await Deno.readFile(path).catch(() => undefined);
    if (known !== undefined && await hashOf(known) === await hashOf(content)) continue;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(path, content);
  }
}
