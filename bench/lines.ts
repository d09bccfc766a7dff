/** The lines of a text as they come, without their ends. */
export async function* readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  let unfinished = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = `${unfinished}${text}`.split("\n");
    unfinished = lines.pop() ?? "";
    yield* lines;
  }
}
