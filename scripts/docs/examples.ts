import { topicMatches } from "@inlet/events-core";
import collected from "@octokit/webhooks-examples" with { type: "json" };
import { z } from "zod";
import { catalogue } from "../../connectors/catalogue.ts";
import { github } from "../../connectors/github/mod.ts";

const CONNECTORS = new URL("../../connectors/", import.meta.url);

/** The example events that the dashboard's catalogue shows. */
export const EXAMPLE_EVENTS: URL = new URL("examples.json", CONNECTORS);

/** A draft as JSON, with the name of what it was made of. */
interface Named {
  readonly name: string;
  readonly draft: z.output<typeof draftSchema>;
}

const draftSchema = z.looseObject({ type: z.string() });
const collectedSchema = z.array(
  z.object({ name: z.string(), examples: z.array(z.looseObject({ action: z.string().optional() })) }),
);

const DELIVERY_ID = "example";
const ARRIVAL = new Date("2026-03-02T12:00:00.000Z");

/**
 * The text of {@link EXAMPLE_EVENTS}: for each trigger one draft, that of the fixture of its name or else of the first that
 * became it. GitHub's other types have examples by the payloads that Octokit collected.
 */
export async function withExamples(): Promise<string> {
  const examples: Record<string, Named["draft"]> = {};
  for (const { manifest: { id, triggers } } of catalogue) {
    const all = [...await fixturesOf(id), ...id === github.manifest.id ? collectedDrafts() : []];
    for (const trigger of triggers) {
      const found = all.filter(({ draft: { type } }) => topicMatches(trigger, type));
      const chosen = found.find(({ name, draft }) => name.endsWith(wordsOf(draft.type))) ?? found[0];
      if (chosen !== undefined) examples[trigger] = chosen.draft;
    }
  }
  return `${JSON.stringify(examples, null, 1)}\n`;
}

/** `pr_opened` of `github.pr.opened`. */
function wordsOf(type: string): string {
  return type.split(".").slice(1).join("_");
}

async function fixturesOf(connectorId: string): Promise<Named[]> {
  const folder = new URL(`${connectorId}/fixtures/`, CONNECTORS);
  const files = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name).catch(() => []);
  const named = files.filter((file) => file.endsWith(".events.json")).sort().map(async (file) => {
    const text = await Deno.readTextFile(new URL(file, folder));
    const drafts = z.array(draftSchema).parse(JSON.parse(text.replaceAll("{deliveryId}", DELIVERY_ID)));
    return drafts.map((draft) => ({ name: file.slice(0, -".events.json".length), draft }));
  });
  return (await Promise.all(named)).flat();
}

/** What the payloads become that Octokit collected: https://github.com/octokit/webhooks */
function collectedDrafts(): Named[] {
  const secrets = { webhookSecret: "the secret of an example" };
  const receiver = github.open({ config: {}, secrets });
  return collectedSchema.parse(collected).flatMap(({ name: event, examples }) =>
    examples.flatMap((payload) => {
      const headers = new Headers({ "content-type": "application/json", "x-github-event": event });
      const delivery = { headers, body: new TextEncoder().encode(JSON.stringify(payload)), receivedAt: ARRIVAL };
      const { drafts } = receiver.receive({ ...delivery, headers: receiver.sign(delivery) });
      const written = z.array(draftSchema).parse(JSON.parse(JSON.stringify(drafts)));
      return written.map((draft) => ({ name: event, draft }));
    })
  );
}
