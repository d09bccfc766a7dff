import { Validator } from "@cfworker/json-schema";
import assert from "node:assert/strict";
import { z } from "zod";

const responseSchema = z.object({
  content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).default({}),
});
const operationSchema = z.object({ responses: z.record(z.string(), responseSchema) });
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.unknown()),
});

/** Any operation can fail so, and none describes it. */
const FAILURE = 500;

/** What an OpenAPI document says of answers. */
export class Described {
  readonly #paths: readonly (readonly [matches: RegExp, operations: Record<string, unknown>])[];
  readonly #components: Record<string, unknown>;

  /** @throws {z.ZodError} if that is no OpenAPI document */
  constructor(document: unknown) {
    const { paths, components } = documentSchema.parse(document);
    this.#components = components;
    // "/dead-letters/retry" is meant by itself, not by a path with a parameter in its place.
    this.#paths = Object.entries(paths).toSorted(([one], [other]) => one.split("{").length - other.split("{").length)
      .map(([path, operations]) => [new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), operations]);
  }

  /**
   * Looks whether an answer is one that the document describes: its status, its media type and its JSON. What is not
   * described at all, as a method that a path does not have, may be answered as it will.
   *
   * @throws {assert.AssertionError} if it is not; the answer can still be read
   */
  async check(method: string, url: string, response: Response): Promise<void> {
    const { pathname } = new URL(url, "http://localhost");
    const [, operations] = this.#paths.find(([matches]) => matches.test(pathname)) ?? [];
    const operation = operations?.[method.toLowerCase()];
    if (operation === undefined || response.status === FAILURE) return;
    const what = `${method} ${pathname}: ${response.status}`;
    const described = operationSchema.parse(operation).responses[response.status] ??
      assert.fail(`${what} is undescribed`);
    const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "";
    const { schema } = described.content[mediaType] ?? assert.fail(`${what} is undescribed as ${mediaType}`);
    if (!/[/+]json$/.test(mediaType)) return;
    const { valid, errors } = new Validator({ ...schema, components: this.#components }, "2020-12", false)
      .validate(await response.clone().json());
    const faults = errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
    assert.ok(valid, `${what} is not as it is described: ${faults.join("; ")}`);
  }
}
