import assert from "node:assert/strict";
import { type Payloads, presentPayloads, publishedPayloads, unannouncedBreaks, withPayloads } from "./payloads.ts";

Deno.test("no payload schema breaks consumers without a version that says so", async () => {
  assert.deepEqual(unannouncedBreaks(await publishedPayloads(), await presentPayloads()), []);
});

Deno.test("the committed payload schemas are the present ones: else run `deno task docs`", async () => {
  assert.deepEqual(JSON.parse(await withPayloads()), await publishedPayloads());
});

const before: Payloads = {
  "@inlet/acme-events": {
    version: "0.1.0",
    types: { "acme.thing.made": "acme.thing.made", "acme.thing.sold": "acme.thing.made" },
    schemas: { "acme.thing.made": { type: "object", properties: { title: { type: "string" } }, required: ["title"] } },
  },
};
const acme = (change: Partial<Payloads[string]>) => ({
  "@inlet/acme-events": { version: "0.1.0", types: {}, schemas: {}, ...before["@inlet/acme-events"], ...change },
});
const emptied = { schemas: { "acme.thing.made": { type: "object", properties: {} } } };

Deno.test("unannouncedBreaks says which field breaks whom, and which version it asks for", () => {
  assert.deepEqual(unannouncedBreaks(before, acme(emptied)), [
    "@inlet/acme-events 0.1.0: payload/title was removed. It breaks consumers of acme.thing.made and 1 more: " +
    "keep it, or raise the version to 0.2.0",
  ]);
});

Deno.test("unannouncedBreaks tells types and packages that are gone", () => {
  const [type] = unannouncedBreaks(before, acme({ types: { "acme.thing.made": "acme.thing.made" } }));
  assert.match(type ?? "", /the type was removed\. It breaks consumers of acme\.thing\.sold/);
  assert.match(unannouncedBreaks(before, {})[0] ?? "", /@inlet\/acme-events is gone/);
});

Deno.test("unannouncedBreaks lets a greater version break, and new types and packages be", () => {
  assert.deepEqual(unannouncedBreaks(before, acme({ ...emptied, version: "0.2.0" })), []);
  assert.deepEqual(unannouncedBreaks({}, before), []);
});

Deno.test("unannouncedBreaks wants @inlet/events to announce what a package in it breaks", () => {
  const all = (version: string) => ({ "@inlet/events": { version, types: {}, schemas: {} } });
  const published = { ...before, ...all("0.1.0") };
  const broken = acme({ ...emptied, version: "0.2.0" });
  assert.deepEqual(unannouncedBreaks(published, { ...broken, ...all("0.1.0") }), [
    "@inlet/events 0.1.0: it has all of @inlet/acme-events, whose version 0.2.0 may break consumers: raise the version " +
    "to 0.2.0",
  ]);
  assert.deepEqual(unannouncedBreaks(published, { ...broken, ...all("0.2.0") }), []);
  assert.deepEqual(unannouncedBreaks(published, { ...acme({ version: "0.1.1" }), ...all("0.1.0") }), []);
});
