/**
 * Whether lists and objects are nested more than `levels` deep in a value of JSON; the outermost is the first level. Goes
 * no deeper itself: no value can exhaust the stack.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const each of inner) if (isDeeper(each, levels - 1)) return true;
  return false;
}
