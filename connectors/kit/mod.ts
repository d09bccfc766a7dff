/**
 * The contract between Inlet and a source: what a connector is, and what it is made with. Knows no source by name.
 *
 * @module
 */
export * from "./body.ts";
export * from "./errors.ts";
export * from "./faults.ts";
export * from "./hmac.ts";
export * from "./time.ts";
export * from "./webhook.ts";
