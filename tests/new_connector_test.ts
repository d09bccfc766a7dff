/** A new source costs one folder, one package and one line, and is tested the moment it is there. */
import assert from "node:assert/strict";

const ROOT = new URL("../", import.meta.url);

async function run(cwd: string, command: string, ...args: string[]): Promise<{ success: boolean; said: string }> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, cwd, env: { NO_COLOR: "1" } }).output();
  return { success, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

/** A copy of the repository as it stands, with what is not committed yet, in a folder of its own. */
async function copyRepository(): Promise<string> {
  const { said } = await run(ROOT.pathname, "git", "ls-files", "-co", "--exclude-standard");
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  for (const path of new Set(said.split("\n").filter((line) => line !== ""))) {
    const text = await Deno.readFile(new URL(path, ROOT)).catch(() => undefined);
    if (text === undefined) continue;
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeFile(`${folder}/${path}`, text);
  }
  for (
    const args of [["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "t"]]
  ) {
    assert.ok((await run(folder, "git", ...args)).success);
  }
  return folder;
}

Deno.test("a generated source passes every check and the conformance test, and touches no other file", async () => {
  const folder = await copyRepository();
  const deno = (...args: string[]) => run(folder, Deno.execPath(), ...args);
  try {
    const made = await deno("task", "new:connector", "acme_crm");
    assert.ok(made.success, made.said);

    const { said: touched } = await run(folder, "git", "status", "--porcelain");
    const places = touched.trimEnd().split("\n").filter((line) => !line.endsWith(" deno.lock"));
    assert.deepEqual(places, [
      " M connectors/catalogue.ts",
      "?? connectors/acme_crm/",
      "?? packages/acme-crm-events/",
    ]);
    const { said: lines } = await run(folder, "git", "diff", "--numstat", "connectors/catalogue.ts");
    assert.match(lines, /^2\t0\t/, "its import and its line");

    for (const args of [["task", "docs"], ["task", "ok"]]) {
      const { success, said } = await deno(...args);
      assert.ok(success, said);
    }
    // The types were checked just now.
    const test = (...args: string[]) => deno("test", "-A", "--no-check", ...args);
    const conformance = await test("tests/conformance_test.ts", "--filter", "acme_crm:");
    assert.ok(conformance.success, conformance.said);
    assert.match(conformance.said, /1000 signed bodies .* ok/);
    assert.ok((await test("packages/acme-crm-events/")).success);

    const again = await deno("task", "new:connector", "acme_crm");
    assert.match(again.said, /Cannot make acme_crm: connectors\/acme_crm exists/);
    for (const id of ["Acme", "1st", "a.b", "../x", "", "a__b"]) {
      const { success, said } = await deno("task", "new:connector", id);
      assert.ok(!success && /Cannot make/.test(said), said);
    }
    assert.equal(
      (await run(folder, "git", "status", "--porcelain", "--untracked-files=no")).said.match(/catalogue/g)?.length,
      1,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
