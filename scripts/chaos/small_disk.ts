import { type CleanupGuard, guardCleanup } from "../../tests/support/cleanup_guard.ts";

/** A folder on a disk of its own. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
}

/** Why there is no such disk. */
export class NoSmallDiskError extends Error {}

// Lazily: where this process was ended, the service may end a moment later.
const CLEAN_UP = `umount -l "$1"; rmdir "$1"`;

/**
 * Mounts a disk of `megabytes` in memory (tmpfs), which goes when it is disposed of or this process ends.
 *
 * @throws {NoSmallDiskError} where that is not allowed, or not known
 */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-disk-" });
  const guard: CleanupGuard = guardCleanup(CLEAN_UP, [folder]);
  const args = ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "tmpfs", folder];
  const reason = await new Deno.Command("mount", { args, stdin: "null" }).output().then(
    ({ success, stderr }) => success ? undefined : new TextDecoder().decode(stderr).trim(),
    (error) => String(error),
  );
  if (reason !== undefined) {
    await guard.release();
    throw new NoSmallDiskError(`a tmpfs cannot be mounted (it takes root): ${reason}`);
  }
  return { folder, [Symbol.asyncDispose]: () => guard.release() };
}
