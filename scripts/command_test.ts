import assert from "node:assert/strict";
import { listNames, positiveNumber, UsageError } from "./command.ts";

async function bench(...args: string[]): Promise<{ code: number; said: string }> {
  const command = new Deno.Command(Deno.execPath(), { args: ["run", "-A", "scripts/bench.ts", ...args] });
  const { code, stdout, stderr } = await command.output();
  return { code, said: new TextDecoder().decode(code === 0 ? stdout : stderr).trim() };
}

Deno.test("positiveNumber reads a number above 0, and says which option is none", () => {
  assert.equal(positiveNumber("rate", "2.5", 7), 2.5);
  assert.equal(positiveNumber("rate", undefined, 7), 7);
  for (const text of ["0", "-1", "many", ""]) {
    const said = new UsageError(`Cannot take --rate ${text}: it is no number above 0`);
    assert.throws(() => positiveNumber("rate", text, 7), said);
  }
});

Deno.test("listNames puts what each does below each other", () => {
  assert.deepEqual(listNames([{ name: "a", does: "one" }, { name: "long", does: "two" }]), [
    "  a     one",
    "  long  two",
  ]);
});

Deno.test("a command explains itself, and says in a line what it cannot do", async () => {
  const help = await bench("--help");
  assert.equal(help.code, 0);
  assert.match(help.said, /deno task bench \[scenario \.\.\.\][\s\S]*\n {2}confirmed {3}accepted and confirmed/);
  assert.deepEqual(await bench("confirmed", "--rounds", "1.5"), {
    code: 1,
    said: "Cannot take --rounds 1.5: it is no whole number",
  });
  const unknown = await bench("nope");
  assert.equal(unknown.code, 1);
  assert.match(unknown.said, /^Cannot measure nope: it is none of confirmed, extras,.*$/);
  assert.match((await bench("--nope")).said, /^Unknown option '--nope'[^\n]*$/);
});
