/** Commands for a POSIX shell that a person pastes into a terminal. */
import { plainJson } from "./json.ts";

/** A command that shows the live stream at `url` in a terminal; where people sign in, with an API key. */
export function streamCommand(url: string, signsIn: boolean): string {
  const key = signsIn ? '-H "authorization: Bearer ${INLET_KEY:?set it to an API key}" ' : "";
  return `curl -N ${key}${quote(url)}`;
}

/**
 * A command that sends an event to a consumer, as a broker's HTTP bridge would, to try that consumer. The event goes by
 * way of a quoted here-document: nothing in it is for the shell, whatever it says, and it may be longer than an argument.
 */
export function sendCommand(json: string): string {
  return [
    "curl --fail-with-body -H 'content-type: application/json' --data-binary @- \\",
    "  \"${CONSUMER_URL:?set it to where your consumer takes events}\" <<'END_OF_EVENT'",
    plainJson(json),
    "END_OF_EVENT",
    "",
  ].join("\n");
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
