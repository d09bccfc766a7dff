import assert from "node:assert/strict";
import { installRabbitmq } from "./apt.ts";

async function withPolicyFile(test: (policy: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(`${folder}/policy-rc.d`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("installRabbitmq updates, then installs while no service may start, and takes its policy away", async () => {
  await withPolicyFile(async (policy) => {
    const ran: string[] = [];
    await installRabbitmq(async (command, args) => {
      ran.push(`${command} ${args.filter((arg) => !arg.includes("::") && arg !== "-o").join(" ")}`);
      if (!args.includes("install")) return;
      assert.equal(((await Deno.stat(policy)).mode ?? 0) & 0o777, 0o755);
      // Not by itself: a file that was written just now may be open still in a process that another test starts.
      const { code } = await new Deno.Command("sh", { args: [policy] }).output();
      assert.equal(code, 101);
    }, policy);
    assert.deepEqual(ran, ["apt-get update", "apt-get install -y --no-install-recommends rabbitmq-server"]);
    await assert.rejects(Deno.stat(policy), Deno.errors.NotFound);
  });
});

Deno.test("installRabbitmq takes its policy away when the installation fails", async () => {
  await withPolicyFile(async (policy) => {
    const run = (_: string, args: readonly string[]) =>
      args.includes("install") ? Promise.reject(new Error("no such package")) : Promise.resolve();
    await assert.rejects(installRabbitmq(run, policy), /no such package/);
    await assert.rejects(Deno.stat(policy), Deno.errors.NotFound);
  });
});

Deno.test("installRabbitmq leaves a policy alone that was there before", async () => {
  await withPolicyFile(async (policy) => {
    await Deno.writeTextFile(policy, "theirs");
    await installRabbitmq(() => Promise.resolve(), policy);
    assert.equal(await Deno.readTextFile(policy), "theirs");
  });
});

Deno.test("installations that are asked for at once, as by test files side by side, come one after another", async () => {
  await withPolicyFile(async (policy) => {
    const under: string[] = [];
    const ran: string[] = [];
    const installAs = (who: string) =>
      installRabbitmq(async (_, args) => {
        under.push(who);
        for (let turn = 0; turn < 50; turn++) await Deno.stat(policy).catch(() => {}); // The other could come between.
        if (args.includes("install")) assert.ok((await Deno.stat(policy)).isFile);
        ran.push(who);
      }, policy);
    await Promise.all([installAs("one"), installAs("other")]);
    const [first, last] = [ran.at(0), ran.at(-1)];
    assert.deepEqual([under, ran], [[first, first, last, last], [first, first, last, last]]);
    assert.notEqual(first, last);
  });
});
