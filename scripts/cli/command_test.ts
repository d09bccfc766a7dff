import assert from "node:assert/strict";
import { listNames, positiveNumber, UsageError } from "./command.ts";

Deno.test("positiveNumber reads a number above 0, and says which option is none", () => {
  assert.equal(positiveNumber("rate", "2.5", 7), 2.5);
  assert.equal(positiveNumber("rate", undefined, 7), 7);
  for (const text of ["0", "-1", "many", ""]) {
    const said = new UsageError(`--rate ${text} is no number above 0`);
    assert.throws(() => positiveNumber("rate", text, 7), said);
  }
});

Deno.test("listNames puts what each does below each other", () => {
  assert.deepEqual(listNames([{ name: "a", does: "one" }, { name: "long", does: "two" }]), [
    "  a     one",
    "  long  two",
  ]);
});

Deno.test("a command says in a line what it cannot do, and where its help is", async () => {
  const wrong = [
    ["confirmed", "--rounds", "1.5", "--rounds 1.5 is no whole number"],
    ["nope", "there is no scenario nope, only confirmed, extras,.*"],
    ["--nope", "unknown option '--nope'"],
  ];
  for (const args of wrong) {
    const said = args.pop();
    const command = new Deno.Command(Deno.execPath(), { args: ["run", "-A", "scripts/bench.ts", ...args] });
    const { code, stderr } = await command.output();
    assert.equal(code, 2);
    const line = new RegExp(`^Cannot run deno task bench: ${said}; see: deno task bench --help\n$`);
    assert.match(new TextDecoder().decode(stderr), line);
  }
});
