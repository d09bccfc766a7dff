import assert from "node:assert/strict";
import { serviceCommand, serviceVariables } from "../chaos/service_command.ts";
import { compileOptions } from "../compile/executable.ts";
import { launcher } from "./launcher.ts";

const sorted = (options: readonly string[]) => options.toSorted();

Deno.test("launcher starts the service with the permissions of the start task, in the program's own folders", async () => {
  const script = launcher(await serviceCommand("$STORE"), await serviceVariables());
  const [, line = assert.fail()] = /^exec deno run (.*) "\$APP\/start\.ts" "\$@"$/m.exec(script) ?? [];
  const options = line.replaceAll('"', "").replaceAll("$APP/", "").split(" ");
  const wanted = (await serviceCommand("$STORE")).slice(1, -1);
  assert.deepEqual(sorted(options), sorted([...wanted, "--cached-only"]));
  assert.match(script, /^export OTEL_TRACES_SAMPLER=parentbased_always_off OTEL_PROPAGATORS=none$/m);
  assert.match(line, /"--allow-read=\$STORE,\$APP\/connectors,\$APP\/_fresh"/);
});

Deno.test("compileOptions are the permissions of the start task, short of what is inside the executable", async () => {
  const options = await compileOptions("/var/lib/inlet");
  const wanted = (await serviceCommand("/var/lib/inlet")).slice(1, -1);
  assert.deepEqual(
    sorted(options),
    sorted(wanted.map((option) => option.startsWith("--allow-read=") ? "--allow-read=/var/lib/inlet" : option)),
  );
});
