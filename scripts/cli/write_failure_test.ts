import assert from "node:assert/strict";
import { StoreError } from "../../server/errors.ts";
import { writeFailure } from "./write_failure.ts";

/** As the system would throw it, which a test that runs as root cannot always bring it to. */
const systemError = (code: string) => Object.assign(new Error("Some words (os error 1): open '/a/b'"), { code });

Deno.test("writeFailure says of the file that was wanted what the system, or SQLite, says of its draft", () => {
  for (
    const [error, said] of [
      [systemError("EACCES"), "this user may not: run it as one who may, or name another place (EACCES)"],
      [systemError("ENOSPC"), "the disk is full: make room, or name a place on another (ENOSPC)"],
      [systemError("EPIPE"), "what was to read it has ended (EPIPE)"],
      [systemError("EROFS"), "its file system can only be read: name another place (EROFS)"],
      [
        new StoreError("Cannot copy the store s: database or disk is full"),
        "the disk is full, or it fails: make room, or name a place on another",
      ],
    ] as const
  ) {
    const failure = writeFailure("/srv/b", error);
    assert.ok(failure instanceof Error);
    assert.equal(`${failure}`, `CommandError: Cannot write /srv/b: ${said}`);
    assert.equal(failure.cause, error);
  }
});

Deno.test("writeFailure gives back what is not about writing", () => {
  const others = [
    new StoreError("Cannot copy the store s: file is not a database"),
    systemError("ECONNREFUSED"),
    new Error("disk is full of words"),
    "no error",
  ];
  for (const error of others) assert.equal(writeFailure("/srv/b", error), error);
});
