import { sentence } from "../words.ts";

/** What is wrong with a value, and where: a JSON Pointer (RFC 6901) into what was posted. */
export interface FormFault {
  readonly pointer?: string | undefined;
  readonly detail: string;
}

/** What is wrong with the field `name` of a part, or something in it, in one text; `undefined` if nothing is. */
export function faultOf(faults: readonly FormFault[], part: string, name: string): string | undefined {
  const pointer = `/${part}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const found = faults.flatMap(({ pointer: at = "", detail }) => {
    if (at === pointer) return [sentence(detail)];
    const [index, rest] = at.startsWith(`${pointer}/`) ? [Number(at.slice(pointer.length + 1)), at] : [NaN, undefined];
    if (rest === undefined) return [];
    return [Number.isInteger(index) ? `Line ${index + 1}: ${detail}` : `${rest}: ${detail}`];
  });
  return found.length === 0 ? undefined : found.join(". ");
}

/** What is wrong exactly at `pointer`; `undefined` if nothing is. */
export function faultAt(faults: readonly FormFault[], pointer: string): string | undefined {
  const found = faults.find((fault) => fault.pointer === pointer);
  return found && sentence(found.detail);
}

/** Faults that no field of the form can show. */
export function otherFaults(faults: readonly FormFault[], shown: readonly string[]): FormFault[] {
  return faults.filter(({ pointer = "" }) => !shown.some((at) => pointer === at || pointer.startsWith(`${at}/`)));
}
