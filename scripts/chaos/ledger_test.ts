import assert from "node:assert/strict";
import { Ledger } from "./ledger.ts";

const come = (ledger: Ledger, name: string, messageId = name, redelivered = false) =>
  ledger.receive({ name, messageId, redelivered });

/** A ledger whose clock ticks with each entry, and the deliveries `names`, each accepted before the next was sent. */
function accepted(names: readonly string[], workspaceOf: (name: string) => string = () => "w"): Ledger {
  let now = 0;
  const ledger = new Ledger(() => now++);
  for (const name of names) {
    ledger.send(name, workspaceOf(name));
    ledger.accept(name);
  }
  return ledger;
}

Deno.test("Ledger: all that was accepted came, in order", () => {
  const ledger = accepted(["a", "b"]);
  come(ledger, "a");
  come(ledger, "b");
  assert.deepEqual(ledger.balance(), {
    accepted: 2,
    received: 2,
    lost: [],
    misplaced: [],
    doubled: [],
    repeats: 0,
    redelivered: 0,
    unaccepted: 0,
  });
});

Deno.test("Ledger: what was accepted and did not come is lost, what was never accepted is not", () => {
  const ledger = accepted(["a", "b"]);
  ledger.send("c", "w");
  ledger.send("d", "w");
  come(ledger, "a");
  come(ledger, "c");
  const { lost, unaccepted } = ledger.balance();
  assert.deepEqual(lost, ["b"]);
  assert.equal(ledger.outstanding, 1);
  assert.equal(ledger.open, 2);
  assert.equal(unaccepted, 1, "c came though nobody was told of success");
});

Deno.test("Ledger: what came before it was accepted is not waited for", () => {
  const ledger = new Ledger(() => 0);
  ledger.send("a", "w");
  come(ledger, "a");
  ledger.accept("a");
  assert.equal(ledger.outstanding, 0);
});

Deno.test("Ledger: what comes behind a delivery that was sent later is misplaced, within its workspace only", () => {
  const ledger = accepted(["a", "b", "c"], (name) => name === "c" ? "other" : "w");
  for (const name of ["c", "b", "a"]) come(ledger, name);
  assert.deepEqual(ledger.balance().misplaced, ["a"]);
});

Deno.test("Ledger: deliveries that were under way at the same time have no order", () => {
  let now = 0;
  const ledger = new Ledger(() => now++);
  for (const name of ["a", "b"]) ledger.send(name, "w");
  for (const name of ["a", "b"]) ledger.accept(name);
  come(ledger, "b");
  come(ledger, "a");
  assert.deepEqual(ledger.balance().misplaced, []);
});

Deno.test("Ledger: a repeat is counted apart from what the broker gives out again", () => {
  const ledger = accepted(["a"]);
  come(ledger, "a", "id");
  come(ledger, "a", "id");
  come(ledger, "a", "id", true);
  const { received, doubled, repeats, redelivered } = ledger.balance();
  assert.deepEqual({ received, doubled, repeats, redelivered }, {
    received: 1,
    doubled: [],
    repeats: 1,
    redelivered: 1,
  });
});

Deno.test("Ledger: what comes again under another id is doubled, and named once", () => {
  const ledger = accepted(["a", "b"]);
  for (const name of ["a", "b"]) come(ledger, name, `id of ${name}`);
  come(ledger, "a", "another id");
  come(ledger, "a", "a third id", true);
  const { doubled, repeats, redelivered } = ledger.balance();
  assert.deepEqual({ doubled, repeats, redelivered }, { doubled: ["a"], repeats: 0, redelivered: 0 });
});
