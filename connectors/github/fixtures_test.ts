import { deepEqual } from "node:assert/strict";
import { z } from "zod";
import { draftsOf, signed } from "./testing.ts";

const folder = new URL("./fixtures/", import.meta.url);
const request = z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() });

for (const { name } of Deno.readDirSync(folder)) {
  if (!name.endsWith(".json") || name.endsWith(".events.json")) continue;
  const fixture = name.slice(0, -".json".length);
  Deno.test(`the fixture ${fixture} becomes exactly the events beside it`, () => {
    const { headers, body } = request.parse(read(name));
    const drafts = draftsOf(signed(JSON.stringify(body), headers));
    deepEqual(JSON.parse(JSON.stringify(drafts)), read(`${fixture}.events.json`));
  });
}

function read(name: string): unknown {
  return JSON.parse(Deno.readTextFileSync(new URL(name, folder)));
}
