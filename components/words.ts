/** Words that followed a colon, as they stand alone: with a capital. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1 event`, `3,000 events`. */
export function countEvents(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "event" : "events"}`;
}

/** What became of events that were taken, in words: whether they were published, or wait until they can be. */
export function takenEvents({ published, queued }: { readonly published: number; readonly queued: number }): string {
  const all = countEvents(published + queued);
  if (queued === 0) return `${all} ${published === 1 ? "was" : "were"} published`;
  const waiting = published === 0 ? all : `${queued} of ${all}`;
  return `${waiting} ${queued === 1 ? "waits" : "wait"} in the spool until the broker confirms`;
}

/** The time of day where the reader is: `14:05:09`. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}
