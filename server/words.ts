/** A number of things: `1 event waits`, `2 events wait`; `verb` is what one of them does, and then what several do. */
export function counted(count: number, thing: string, verb?: readonly [one: string, several: string]): string {
  const things = count === 1 ? thing : `${thing}s`;
  return [count, things, ...(verb === undefined ? [] : [verb[count === 1 ? 0 : 1]])].join(" ");
}

const BYTE_UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

/** A size in bytes, for people: `1.5 KiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  if (power === 0) return counted(bytes, "byte");
  return `${(bytes / 1024 ** power).toFixed(1).replace(/\.0$/, "")} ${BYTE_UNITS[power - 1]}`;
}
