/** Whether there is anything at `path`. */
export async function exists(path: string | URL): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  });
}

/** Whether there is a folder at `path`, or a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}

/**
 * Tries whether files can be made in a folder, and leaves none.
 *
 * @throws {Error} of the system's, if they cannot
 */
export async function tryFolder(folder: string): Promise<void> {
  await Deno.remove(await Deno.makeTempFile({ dir: folder }));
}
