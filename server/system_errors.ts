/**
 * What the system's errors about files mean for whoever runs a command or the service, by code (errno(3)): the system's own
 * words say neither which setting is meant nor what to do.
 */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "this user may not: run it as one who may, or name another place"],
  ["EPERM", "this user may not: run it as one who may, or name another place"],
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "it is a file, or below one, where a folder is needed: name another place"],
  ["EISDIR", "it is a folder: name a file"],
  ["EEXIST", "there is a file of that name already: name another"],
  ["EROFS", "its file system can only be read: name another place"],
  ["ENOSPC", "the disk is full: make room, or name a place on another"],
  ["EDQUOT", "this user's quota of the disk is used up: make room, or name a place on another"],
  ["EPIPE", "what was to read it has ended"],
  ["ENAMETOOLONG", "the name is too long: name a shorter one"],
]);

/** What a system's error about a file means and what to do, with its code; `undefined` for whatever else went wrong. */
export function meaningOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  const meaning = MEANINGS.get(String(error.code));
  return meaning && `${meaning} (${error.code})`;
}

/** Whether SQLite tells of a disk that takes no more, or fails (SQLITE_FULL, SQLITE_IOERR). */
export function isDiskFailure({ message }: Error): boolean {
  return /disk I\/O error|disk is full/.test(message);
}

/** What a system's error names, as `/srv/inlet` or `/a -> /b`; `undefined` where it names nothing. */
export function placeIn({ message }: Error): string | undefined {
  return /: \w+ ('.+')$/.exec(message)?.[1]?.replaceAll("'", "");
}
