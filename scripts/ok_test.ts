import assert from "node:assert/strict";
import { z } from "zod";

const REPOSITORY_CONFIG = new URL("../deno.json", import.meta.url);

Deno.test("neither checks nor tests look into dist, where assembled programs bring packages with tests of their own", async () => {
  const { exclude } = z.object({ exclude: z.array(z.string()) })
    .parse(JSON.parse(await Deno.readTextFile(REPOSITORY_CONFIG)));
  const folder = await Deno.makeTempDir({ prefix: "inlet-exclude-" });
  try {
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ exclude }));
    await Deno.writeTextFile(`${folder}/right_test.ts`, 'Deno.test("passes", () => {});\n');
    await Deno.mkdir(`${folder}/dist/program`, { recursive: true });
    await Deno.writeTextFile(`${folder}/dist/program/wrong_test.ts`, 'export const wrong: number = "a text";\n');
    for (const command of ["check", "test"]) {
      const { success, stderr } = await new Deno.Command(Deno.execPath(), { args: [command], cwd: folder }).output();
      assert.ok(success, `deno ${command}: ${new TextDecoder().decode(stderr)}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
