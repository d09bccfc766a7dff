/** How often a commit is tried again while another process holds a local file's lock, and how long it waits each time. */
const LOCKED_RETRIES = 20;
const LOCKED_WAIT_MS = 25;

/** Commits, again where another process holds a local file's lock just then. */
export async function unlocked<T>(commit: () => Promise<T>): Promise<T> {
  for (let attempt = 0;; attempt++) {
    try {
      return await commit();
    } catch (error) {
      if (attempt === LOCKED_RETRIES || !String(error).includes("database is locked")) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCKED_WAIT_MS * (0.5 + Math.random())));
    }
  }
}
