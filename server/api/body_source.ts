/** The most that one read brings: what is read and not yet accounted for. */
const MOST_PER_READ = 256 * 1024;

/** What one read brought. */
export interface BodyPart {
  /** Takes the place of the buffer that was given, which cannot be used any more. */
  readonly buffer: ArrayBuffer;
  readonly bytes: number;
  readonly done: boolean;
}

/**
 * How many bytes a buffer has to have left for a read: with room for only a few, a read of a chunked body never ends
 * (Deno 2.9.6).
 */
export const LEAST_PER_READ: number = 16 * 1024;

/** A body, read piece by piece into a buffer of the reader's. */
export interface BodySource {
  /** Reads some bytes into `buffer` from `at` on, where {@link LEAST_PER_READ} bytes are left. */
  read(buffer: ArrayBuffer, at: number): Promise<BodyPart>;
  /** Reads no more; a read under way brings nothing. */
  cancel(): void;
}

/** A buffer of another size with the first `filled` bytes; the memory of the old one is free at once, not when it is collected. */
export function grown(buffer: ArrayBuffer, filled: number, length: number): ArrayBuffer {
  // Not transfer(length): it writes to all of the new memory, where a new buffer takes none before it is used.
  const next = new ArrayBuffer(length);
  new Uint8Array(next).set(new Uint8Array(buffer, 0, filled));
  free(buffer);
  return next;
}

/** Gives a buffer's memory back at once. */
export function free(buffer: ArrayBuffer): void {
  if (!buffer.detached) buffer.transfer(0);
}

/**
 * Opens a body. One that comes over the network is read into the buffer itself: Deno 2.9 otherwise allocates 64 KiB for
 * each piece, however small a sender makes the pieces.
 */
export function sourceOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): BodySource {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    // What is whole in memory already is no byte stream.
    return copyingSource(body);
  }
  return {
    async read(buffer, at) {
      const room = Math.min(MOST_PER_READ, buffer.byteLength - at);
      const { done, value } = await reader.read(new Uint8Array(buffer, at, room));
      return { buffer: value?.buffer ?? new ArrayBuffer(), bytes: value?.length ?? 0, done };
    },
    cancel: () => cancelled(reader),
  };
}

function copyingSource(body: ReadableStream<Uint8Array<ArrayBuffer>>): BodySource {
  const reader = body.getReader();
  return {
    async read(buffer, at) {
      const { done, value } = await reader.read();
      if (done) return { buffer, bytes: 0, done };
      const end = at + value.length;
      const fitting = end > buffer.byteLength ? grown(buffer, at, Math.max(end, 2 * at)) : buffer;
      new Uint8Array(fitting, at).set(value);
      return { buffer: fitting, bytes: value.length, done };
    },
    cancel: () => cancelled(reader),
  };
}

function cancelled(reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader): void {
  // What cannot be cancelled has ended already.
  reader.cancel().catch(() => {});
}
