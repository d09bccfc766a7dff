import assert from "node:assert/strict";
import { LiveSequences } from "./live_sequences.ts";

Deno.test("messages follow on each other for as long as none is missing, each process for itself", () => {
  const heard = new LiveSequences();
  assert.ok(heard.follows({ process: "a", after: 0 }, 3), "the first that it ever sent");
  assert.ok(heard.follows({ process: "a", after: 3 }, 1));
  assert.ok(!heard.follows({ process: "b", after: 40 }, 2), "nobody knows what it sent before");
  assert.ok(heard.follows({ process: "b", after: 42 }, 1));
  assert.ok(!heard.follows({ process: "a", after: 5 }, 1), "one is missing");
  assert.ok(heard.follows({ process: "a", after: 6 }, 1));
  assert.ok(!heard.follows({ process: "a", after: 4 }, 1), "out of order");
  heard.clear();
  assert.ok(!heard.follows({ process: "a", after: 5 }, 1), "who did not listen may have missed something");
});
