import { z } from "zod";
import type { Delivery } from "./webhook.ts";

const fixtureSchema = z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() });

const folderOf = (connectorId: string) => new URL(`../${connectorId}/fixtures/`, import.meta.url);

/** The names of a connector's fixtures, sorted: deliveries that its source could have sent. */
export async function fixtureNames(connectorId: string): Promise<string[]> {
  const files = await Array.fromAsync(Deno.readDir(folderOf(connectorId)), ({ name }) => name);
  const isDelivery = (name: string) => name.endsWith(".json") && !name.endsWith(".events.json");
  return files.filter(isDelivery).map((name) => name.slice(0, -".json".length)).sort();
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

/** What a fixture becomes, as its file `<name>.events.json` says. */
export async function readFixtureEvents(connectorId: string, name: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(new URL(`${name}.events.json`, folderOf(connectorId))));
}

/** A connector's README: its set-up steps, as Markdown. */
export async function readGuide(connectorId: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../${connectorId}/README.md`, import.meta.url));
}
