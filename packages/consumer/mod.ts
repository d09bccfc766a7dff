/**
 * Consumes Inlet's events from RabbitMQ with typed handlers, on Node 20 and later, Deno and Bun.
 *
 * ```ts
 * import { consume } from "@inlet/consumer";
 *
 * const consumption = await consume({
 *   url: "amqp://localhost",
 *   queue: "reviews",
 *   bind: ["github.pr.*"],
 *   on: { "github.pr.opened": ({ payload }) => console.log(payload.pullRequest.title) },
 * });
 * ```
 *
 * @module
 */
export * from "./consume.ts";
export * from "./options.ts";
export * from "./seen.ts";
