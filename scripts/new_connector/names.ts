import { CommandError } from "../cli/command.ts";

/** A new source's id in the spellings that its files need. */
export interface Names {
  /** As in paths and event types: `acme_crm`. */
  readonly id: string;
  /** Of the constant: `acmeCrm`. */
  readonly camel: string;
  /** Of types: `AcmeCrm`. */
  readonly pascal: string;
  /** For people: `Acme crm`. */
  readonly title: string;
  /** Its package: `@inlet/acme-crm-events`. */
  readonly package: string;
  /** The package's folder: `acme-crm-events`. */
  readonly packageFolder: string;
}

/**
 * Spells an id.
 *
 * @throws {CommandError} if it cannot be the first segment of an event type and the stem of a package's name
 */
export function namesOf(id: string): Names {
  if (!/^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(id)) {
    throw new CommandError(
      `Cannot make ${
        JSON.stringify(id)
      }: an id is lower-case letters and digits, with _ or - between, such as acme_crm`,
    );
  }
  const words = id.split(/[_-]/);
  const pascal = words.map(capital).join("");
  const packageFolder = `${words.join("-")}-events`;
  return {
    id,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    title: capital(words.join(" ")),
    package: `@inlet/${packageFolder}`,
    packageFolder,
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
