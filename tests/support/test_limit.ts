/**
 * Loaded before each file of tests: a test that hangs fails, by its name, and those after it run.
 *
 * @module
 */

/** In milliseconds: many times what the longest test takes on a slow machine with others beside it. */
const LIMIT_MS = Number(Deno.env.get("TEST_LIMIT_MS") || 60 * 60_000);

/** By this a function tells Deno where its test is, for whoever registers it in its place. */
const PLACE = Symbol.for("Deno.test.location");

/** The end of a line of a stack, such as `(file:///x_test.ts:12:6)`. */
const CALLER = /\(?(file:[^)]+:\d+:\d+)\)?$/;

/** A test is given as a name, options and a function, or some of them. */
function optionsOf(given: string | Deno.TestDefinition["fn"] | Partial<Deno.TestDefinition>) {
  if (typeof given === "string") return { name: given };
  return typeof given === "function" ? { fn: given } : given;
}

const limited = new Proxy(Deno.test, {
  apply(register, _, given) {
    const test = Object.assign({ timeout: LIMIT_MS }, ...given.map(optionsOf));
    const [, place] = CALLER.exec(new Error().stack?.split("\n")[2] ?? "") ?? [];
    register({ ...test, fn: Object.assign(test.fn, { [PLACE]: place }) });
  },
});
Object.defineProperty(Deno, "test", { value: limited });
