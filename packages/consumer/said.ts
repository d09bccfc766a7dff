/** What was thrown, in words. It may be anything: errors of another realm, objects like errors, what has no text at all. */
export function said(thrown: unknown): string {
  try {
    return String(typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown);
  } catch {
    return "something that has no text";
  }
}
