import { z } from "zod";
import type { Settings } from "./connector.ts";
import type { Connector } from "./mod.ts";
import type { Delivery } from "./webhook.ts";

const settingsSchema = z.record(z.string(), z.unknown());
const fixtureSchema = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  config: settingsSchema.default({}),
});
const exampleSettingsSchema = z.object({
  config: settingsSchema.default({}),
  secrets: settingsSchema.optional(),
  otherSecrets: settingsSchema.optional(),
});

/** Settings of a connector that its fixtures are meant for. */
export interface ExampleSettings extends Settings {
  /** Secrets that fit their schema, and are not those. */
  readonly otherSecrets: Record<string, unknown>;
}

const SETTINGS = "settings";

const folderOf = (connectorId: string) => new URL(`../${connectorId}/fixtures/`, import.meta.url);

/** The names of a connector's fixtures, sorted: deliveries that its source could have sent. None for a poller. */
export async function fixtureNames(connectorId: string): Promise<string[]> {
  const files = await Array.fromAsync(Deno.readDir(folderOf(connectorId)), ({ name }) => name).catch(noneIfAbsent);
  const isDelivery = (name: string) => name.endsWith(".json") && !name.endsWith(".events.json");
  return files.filter((name) => isDelivery(name) && name !== `${SETTINGS}.json`)
    .map((name) => name.slice(0, -".json".length)).sort();
}

/**
 * Reads a fixture as an unsigned delivery. Where its file says `{deliveryId}` stands `deliveryId`, since a delivery that
 * is sent twice with one id is one delivery.
 */
export async function readFixture(connectorId: string, name: string, deliveryId: string): Promise<Delivery> {
  const text = await Deno.readTextFile(new URL(`${name}.json`, folderOf(connectorId)));
  const { headers, body } = fixtureSchema.parse(JSON.parse(text.replaceAll("{deliveryId}", deliveryId)));
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return { headers: new Headers(headers), body: bytes, receivedAt: new Date() };
}

/** What a fixture becomes, as its file `<name>.events.json` says, with `deliveryId` as in {@link readFixture}. */
export async function readFixtureEvents(connectorId: string, name: string, deliveryId: string): Promise<unknown> {
  const text = await Deno.readTextFile(new URL(`${name}.events.json`, folderOf(connectorId)));
  return JSON.parse(text.replaceAll("{deliveryId}", deliveryId));
}

/**
 * Settings that the fixture `name` of a connector is meant for: those in the fixture, in `fixtures/settings.json`, and for
 * the rest made-up secrets.
 */
export async function exampleSettings(
  { manifest: { id }, secretsSchema }: Connector,
  name?: string,
): Promise<ExampleSettings> {
  const read = async (file: string) =>
    await Deno.readTextFile(new URL(`${file}.json`, folderOf(id))).then(JSON.parse, (error) => {
      if (error instanceof Deno.errors.NotFound) return {};
      throw error;
    });
  const { config, secrets, otherSecrets } = exampleSettingsSchema.parse(await read(SETTINGS));
  const own = name === undefined ? {} : fixtureSchema.parse(await read(name)).config;
  return {
    config: { ...config, ...own },
    secrets: secrets ?? sameText(secretsSchema, "the secret of an example"),
    otherSecrets: otherSecrets ?? sameText(secretsSchema, "another secret than that of an example"),
  };
}

/**
 * Secrets for each that a connector must have, or all where it wants one of several: made of random bytes in one of the
 * forms that secrets have, the first that fits.
 *
 * @throws {Error} if none fits
 */
export function madeSecrets({ secretsSchema }: Connector): Record<string, string> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const required = Object.entries(secretsSchema.shape).filter(([, secret]) => !z.safeParse(secret, undefined).success);
  const asked = required.length > 0 ? required : Object.entries(secretsSchema.shape);
  return Object.fromEntries(asked.map(([name, secret]) => {
    const text = [bytes.toHex(), `whsec_${bytes.toBase64()}`].find((text) => z.safeParse(secret, text).success);
    if (text === undefined) throw new Error(`Cannot make a secret: ${name} is not random text, set it by hand`);
    return [name, text];
  }));
}

/** A connector's README: its set-up steps, as Markdown. */
export async function readGuide(connectorId: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../${connectorId}/README.md`, import.meta.url));
}

function sameText({ shape }: z.ZodObject, text: string): Record<string, string> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, text]));
}

function noneIfAbsent(error: unknown): string[] {
  if (error instanceof Deno.errors.NotFound) return [];
  throw error;
}
