import assert from "node:assert/strict";
import { Progress } from "./progress.ts";

function target(isTerminal: boolean) {
  const written: string[] = [];
  return {
    written,
    isTerminal: () => isTerminal,
    writeSync: (bytes: Uint8Array) => written.push(new TextDecoder().decode(bytes)),
  };
}

Deno.test("Progress writes over one line of a terminal, and takes it away at the end", () => {
  const terminal = target(true);
  const progress = new Progress(terminal);
  progress.show("1 of 2");
  progress.show("1 of 2");
  progress.show("2 of 2");
  progress.clear();
  progress.clear();
  assert.deepEqual(terminal.written, ["\r\x1b[K1 of 2", "\r\x1b[K2 of 2", "\r\x1b[K"]);
});

Deno.test("Progress is quiet where there is no terminal", () => {
  const file = target(false);
  const progress = new Progress(file);
  progress.show("1 of 2");
  progress.clear();
  assert.deepEqual(file.written, []);
});
