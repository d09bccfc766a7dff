import assert from "node:assert/strict";
import { checkPlatform } from "./platform.ts";
import { placesOf } from "./source.ts";

for (
  const use of ["Deno.env.get(name)", "Deno.openKv()", "Deno.cron(name, at, task)", "Deno.serve(app)", "process.env.A"]
) {
  Deno.test(`checkPlatform keeps ${use} to main.ts, start.ts, scripts, tests, bench and examples`, () => {
    const check = (path: string) => placesOf(checkPlatform([{ path, text: `\n${use};\n` }]));
    assert.deepEqual(check("server/app.ts"), ["server/app.ts:2"]);
    assert.deepEqual(check("packages/consumer/mod.ts"), ["packages/consumer/mod.ts:2"]);
    for (const path of ["main.ts", "start.ts", "scripts/a.ts", "bench/a.ts", "examples/a.ts", "server/app_test.ts"]) {
      assert.deepEqual(check(path), []);
    }
  });
}

Deno.test("checkPlatform lets the store open the store, and no more", () => {
  const text = "await Deno.openKv();\nDeno.env.get(name);\n";
  assert.deepEqual(placesOf(checkPlatform([{ path: "server/store/kv.ts", text }])), ["server/store/kv.ts:2"]);
});

Deno.test("checkPlatform goes by code, not by comments and strings", () => {
  assert.deepEqual(checkPlatform([{ path: "server/app.ts", text: '// Deno.env\nconst a = "Deno.serve";\n' }]), []);
});
