import { z } from "zod";

/** A time as JSON has it in a record: RFC 3339 in UTC, read as a `Date`. */
export const timeSchema = z.iso.datetime().transform((text) => new Date(text));
