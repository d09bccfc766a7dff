import { z } from "zod";

/** A count in the query of a page that says what was done: a number of up to six digits. */
export const countSchema = z.string().regex(/^\d{1,6}$/).transform(Number);
