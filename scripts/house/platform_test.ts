import assert from "node:assert/strict";
import { checkPlatform, checkShared } from "./platform.ts";
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

for (const use of ["Deno.env.set(name, value)", "Deno.env.delete(name)", "Deno.chdir(folder)"]) {
  Deno.test(`checkShared keeps ${use} out of all code, tests too`, () => {
    for (const path of ["main.ts", "scripts/a.ts", "server/app_test.ts", "tests/app_test.ts"]) {
      assert.deepEqual(placesOf(checkShared([{ path, text: `\n${use};\n` }])), [`${path}:2`]);
    }
  });
}

Deno.test("checkShared lets the environment be read, and goes by code", () => {
  const text = 'Deno.env.get(name);\nDeno.env.toObject();\n// Deno.env.set\nconst a = "Deno.chdir";\n';
  assert.deepEqual(checkShared([{ path: "tests/app_test.ts", text }]), []);
});
