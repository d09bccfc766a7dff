import assert from "node:assert/strict";
import { freePorts } from "./ports.ts";

Deno.test("freePorts gives different ports that can be listened on, below those of outgoing connections", () => {
  const ports = freePorts(5);
  assert.equal(new Set(ports).size, 5);
  for (const port of ports) {
    assert.ok(port >= 20_000 && port < 32_000, `${port}`);
    Deno.listen({ hostname: "127.0.0.1", port }).close();
  }
});
