/**
 * What the calendar connector of Inlet emits: a constant for every event type, and a payload schema for each.
 *
 * @module
 */
export * from "./descriptions.ts";
export * from "./entry.ts";
export * from "./payloads.ts";
