/** The documents that programs read, for the whole catalogue: by other people's linters, against all fixtures. */
import { Validator } from "@cfworker/json-schema";
import assert from "node:assert/strict";
import { z } from "zod";
import { catalogue } from "../connectors/catalogue.ts";
import { TestService } from "./support/service.ts";

/** In a process of its own: the types that the parser brings along would change those of the whole repository. */
const LINT = `
import { Parser } from "npm:@asyncapi/parser@3.6.3";
const text = await new Response(Deno.stdin.readable).text();
const { document, diagnostics } = await new Parser().parse(text);
const found = diagnostics.filter(({ code }) => code !== "asyncapi-latest-version")
  .map(({ code, message, path }) => code + ": " + message + " at " + path.join("/"));
console.log(JSON.stringify({ found, messages: document?.allMessages().length ?? 0 }));
`;
const lintedSchema = z.object({ found: z.array(z.string()), messages: z.int() });

async function lint(text: string): Promise<z.output<typeof lintedSchema>> {
  const script = await Deno.makeTempFile({ suffix: ".mjs" });
  try {
    await Deno.writeTextFile(script, LINT);
    const args = ["run", "-A", "--quiet", "--no-config", "--no-lock", script];
    const run = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
    const writer = run.stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
    const { success, stdout, stderr } = await run.output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return lintedSchema.parse(JSON.parse(new TextDecoder().decode(stdout)));
  } finally {
    await Deno.remove(script);
  }
}

const types = catalogue.flatMap(({ manifest: { triggers } }) => triggers);
const descriptions = Object.fromEntries(catalogue.flatMap(({ descriptions }) => Object.entries(descriptions)));

for (const [routingKey, messageFormat] of [["{type}", "normalized"], ["everything", "cloudevents"]] as const) {
  Deno.test(`GET /asyncapi.json has every event type, without a fault, for ${messageFormat} messages under ${routingKey}`, async () => {
    await using service = await TestService.start({ connectors: catalogue, routingKey, messageFormat });
    const text = await (await service.app.request("/asyncapi.json")).text();
    const { found, messages } = await lint(text);
    assert.deepEqual(found, []);
    assert.equal(messages, types.length);
  });
}

const asyncApiSchema = z.object({
  components: z.object({ messages: z.record(z.string(), z.object({ summary: z.string() })) }),
  channels: z.record(
    z.string(),
    z.object({
      address: z.string(),
      parameters: z.record(z.string(), z.unknown()).optional(),
      bindings: z.object({ amqp: z.object({ exchange: z.object({ name: z.string(), type: z.literal("topic") }) }) }),
    }),
  ),
});

Deno.test("a channel's address is the routing key, with parameters for what is not known before", async () => {
  await using service = await TestService.start({ connectors: catalogue, routingKey: "{workspaceId}.{type}" });
  const { channels, components } = asyncApiSchema.parse(await (await service.app.request("/asyncapi.json")).json());
  const { address, parameters = {}, bindings } = channels["webhook.any.any"] ?? assert.fail();
  assert.equal(address, "{workspaceId}.webhook.{entity}.{action}");
  assert.deepEqual(Object.keys(parameters), ["workspaceId", "entity", "action"]);
  assert.equal(bindings.amqp.exchange.name, "inlet.events");
  assert.equal(channels["github.pr.opened"]?.address, "{workspaceId}.github.pr.opened");
  assert.equal(components.messages["github.pr.opened"]?.summary, descriptions["github.pr.opened"]);
});

const draftsSchema = z.array(z.looseObject({ type: z.string() }));

async function* fixtures(connectorId: string): AsyncGenerator<z.output<typeof draftsSchema>[number]> {
  const folder = new URL(`../connectors/${connectorId}/fixtures/`, import.meta.url);
  const files = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name).catch(() => []);
  for (const name of files.filter((name) => name.endsWith(".events.json"))) {
    yield* draftsSchema.parse(JSON.parse(await Deno.readTextFile(new URL(name, folder))));
  }
}

Deno.test("GET /schemas/:type.json accepts every event of the fixtures, and refuses it as another type", async () => {
  await using service = await TestService.start({ connectors: catalogue });
  let checked = 0;
  for (const { manifest: { id: source } } of catalogue) {
    for await (const { key: _, ...draft } of fixtures(source)) {
      const response = await service.app.request(`/schemas/${draft.type}.json`);
      assert.equal(response.status, 200, draft.type);
      const validator = new Validator(await response.json(), "2020-12", false);
      const event = { ...draft, id: crypto.randomUUID(), workspaceId: crypto.randomUUID(), source };
      const { valid, errors } = validator.validate(event);
      assert.ok(valid, `${draft.type}: ${errors.map(({ error }) => error).join("; ")}`);
      assert.equal(validator.validate({ ...event, type: "some.other.type" }).valid, false);
      assert.equal(validator.validate({ ...event, payload: 7 }).valid, false);
      assert.ok(validator.validate({ ...event, payload: { ...Object(draft.payload), later: 1 } }).valid);
      checked++;
    }
  }
  assert.ok(checked > 100, String(checked));
});

Deno.test("GET /schemas/:type.json knows every type of the catalogue, and no other", async () => {
  await using service = await TestService.start({ connectors: catalogue });
  for (const type of types) {
    const response = await service.app.request(`/schemas/${type}.json`);
    assert.equal(response.headers.get("content-type"), "application/schema+json", type);
    const { $id, description } = z.object({ $id: z.string(), description: z.string() }).parse(await response.json());
    assert.equal($id, `http://localhost:3200/schemas/${type}.json`);
    assert.equal(description, descriptions[type]);
  }
  for (const type of ["github.pr.unheard_of", "constructor", "..", "webhook.a", "webhook.*.b"]) {
    assert.equal((await service.app.request(`/schemas/${encodeURIComponent(type)}.json`)).status, 404, type);
  }
});
