import assert from "node:assert/strict";
import { PROGRAM_COMMANDS } from "../cli/commands.ts";
import { readTask, STORE } from "../cli/tasks.ts";
import { compileOptions } from "../compile/executable.ts";
import { launcher } from "./launcher.ts";

const tasks = new Map(
  await Promise.all(PROGRAM_COMMANDS.map(async ({ name }) => [name, await readTask(name)] as const)),
);
const script = launcher("scripts/inlet.ts", tasks, "start");

/** What the script does for a command, up to its end of the branch. */
function branchOf(command: string): string {
  const [, branch] = new RegExp(`^ {2}${RegExp.escape(command)}\\)\\n(.*?) ;;$`, "ms").exec(script) ?? [];
  return branch ?? assert.fail(`nothing is done for ${command}`);
}

function optionsIn(branch: string): string[] {
  const [, options = assert.fail(branch)] = /^ {4}set -- (.*) "\$APP\/scripts\/inlet\.ts" "\$@"$/m.exec(branch) ?? [];
  return options.replaceAll('"', "").replaceAll("$APP/", "").split(" ");
}

Deno.test("launcher gives each command the permissions of its task, in the program's own folders", () => {
  for (const [name, { args, variables }] of tasks) {
    const branch = branchOf(name);
    assert.deepEqual(optionsIn(branch), args.slice(1, -1), name);
    assert.equal(branch.includes("STORE=$(store_folder)"), args.some((arg) => arg.includes(STORE)), name);
    for (const variable of variables) assert.match(branch, new RegExp(`export .*\\b${variable}\\b`), name);
  }
  assert.match(branchOf("start"), /export OTEL_TRACES_SAMPLER=parentbased_always_off OTEL_PROPAGATORS=none$/m);
  assert.match(branchOf("start"), /"--allow-read=\$STORE,\$APP\/connectors,\$APP\/_fresh"/);
});

Deno.test("launcher gives no permission to what is no command", () => {
  assert.deepEqual(optionsIn(branchOf("*")), ["--no-prompt"]);
});

Deno.test("compileOptions are the permissions of the start task, short of what is inside, and the doctor's to ask the system", async () => {
  const { args } = await readTask("start");
  const wanted = args.slice(1, -1).map((option) => {
    return option.startsWith("--allow-read=") ? "--allow-read=/var/lib/inlet" : option.replace(STORE, "/var/lib/inlet");
  });
  assert.deepEqual(await compileOptions("/var/lib/inlet"), [...wanted, "--allow-sys=statfs,uid"]);
});
