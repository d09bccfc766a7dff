import type { ShownConcern } from "../../components/Concerns.tsx";
import type { ConnectorSummary, PollingStatus } from "../../components/ConnectorRow.tsx";
import type { Fact } from "../../components/Facts.tsx";
import { countEvents, sentence } from "../../components/words.ts";
import type { DeadLetter, SpoolHealth } from "../../server/deps.ts";
import type { Readiness } from "../../server/readiness.ts";

/** The workspace's dead letters: how many there are, and the newest. */
export interface SetAside {
  readonly count: number;
  readonly newest: Pick<DeadLetter, "reason"> | undefined;
}

/** What needs attention, the worst first. */
export function concernsOf(
  health: Readiness,
  connectors: readonly ConnectorSummary[],
  deadLetters: SetAside,
): ShownConcern[] {
  return [...healthConcerns(health), ...deadLetterConcerns(deadLetters), ...connectors.flatMap(connectorConcerns)]
    .sort((a, b) => Number(a.tone === "warn") - Number(b.tone === "warn"));
}

/** The state of the service in a few words and numbers. */
export function factsOf(health: Readiness): Fact[] {
  const { broker, store, spool } = health;
  const ready = store.ok
    ? { value: "Ready", tone: "good", detail: "Settings and deliveries can be read" } as const
    : { value: "Not ready", tone: "bad", detail: sentence(store.detail) } as const;
  const events = !broker.ok
    ? { value: "Not ready", tone: "bad", detail: sentence(broker.detail) } as const
    : isEmbedded(health)
    ? { value: "None", tone: "warn", detail: "Events reach only the live stream" } as const
    : { value: "Ready", tone: "good", detail: sentence(broker.detail) } as const;
  return [
    { name: "Broker", ...events },
    { name: "Store", ...ready },
    ...spool === undefined ? [] : [spoolFact(spool)],
    {
      name: "Unrouted",
      value: broker.unrouted.toLocaleString("en"),
      tone: broker.unrouted > 0 ? "warn" : "muted",
      detail: "Events since the start that no queue took",
    },
  ];
}

/** Whether events are with no broker at all: the embedded exchange names the variable that is to be set. */
function isEmbedded({ broker }: Readiness): boolean {
  return broker.ok && broker.detail.includes("AMQP_URL");
}

function healthConcerns(health: Readiness): ShownConcern[] {
  const { store, broker, spool } = health;
  const { unrouted } = broker;
  const found: ShownConcern[] = [];
  if (!store.ok) found.push({ tone: "bad", title: "The store cannot be read", detail: sentence(store.detail) });
  if (!broker.ok) {
    const detail = `Events wait in the spool, and are published by themselves when it is. ${sentence(broker.detail)}`;
    found.push({ tone: "bad", title: "The broker is not ready", detail });
  }
  if (spool?.takesEvents === false) {
    const whose = health.isReady ? "Deliveries that the broker does not confirm" : "Deliveries";
    const detail = `${whose} are answered with 503, and sources may send them again. The spool is ${spool.detail}`;
    found.push({ tone: "bad", title: "The spool takes no events", detail });
  } else if (spool?.ok === false) {
    const detail = `Deliveries are accepted, and events wait in the spool. It is ${spool.detail}`;
    found.push({ tone: "bad", title: "The spool cannot be emptied", detail });
  }
  if (isEmbedded(health)) {
    const detail = "Events reach only the live stream, and nothing keeps them. Set AMQP_URL to publish to RabbitMQ.";
    found.push({ tone: "warn", title: "There is no broker", detail });
  } else if (unrouted > 0) {
    const count = `${countEvents(unrouted)} ${unrouted === 1 ? "was" : "were"}`;
    const detail = "No queue was bound for them, so the broker dropped them. Bind one: # takes everything.";
    found.push({ tone: "warn", title: `${count} unrouted since the start`, detail });
  }
  return found;
}

function spoolFact({ ok, entries, detail }: SpoolHealth): Fact {
  const tone = !ok ? "bad" : entries > 0 ? "warn" : "muted";
  return { name: "In the spool", value: entries.toLocaleString("en"), tone, detail: sentence(detail) };
}

function deadLetterConcerns({ count, newest }: SetAside): ShownConcern[] {
  if (newest === undefined) return [];
  const title = `The broker did not take ${countEvents(Math.max(count, 1))}`;
  const detail = `Set aside as dead letters, the newest for this reason: ${newest.reason}`;
  const link = { href: "/dashboard/dead-letters", text: "To the dead letters" };
  return [{ tone: "bad", title, detail, link }];
}

function connectorConcerns(connector: ConnectorSummary): ShownConcern[] {
  const { id, name, enabled, problem, lastEventAt, refusal, poller } = connector;
  if (problem !== null) {
    const link = { href: `/dashboard/connectors/${id}`, text: `To ${name}` };
    return [{ tone: "bad", title: `The settings of ${name} cannot be read`, detail: problem, link }];
  }
  if (!enabled) return [];
  if (poller !== null) return pollerConcerns(connector, poller);
  if (refusal !== null) {
    const link = { href: `/dashboard/connectors/${id}`, text: `To ${name}` };
    const title = `The newest delivery from ${name} was refused`;
    return [{ tone: "bad", title, detail: `${refusal.status}: ${refusal.reason}`, link }];
  }
  if (lastEventAt !== null) return [];
  const link = { href: `/dashboard/setup/source/${id}/wait`, text: "See what is left to do" };
  return [{ tone: "warn", title: `${name} is on, and no event has come`, detail: "Is it set up at the source?", link }];
}

/** That nothing is new at a source is no reason to look at it: only one that cannot be asked is. */
function pollerConcerns({ id, name }: ConnectorSummary, { lastError, nextRunAt }: PollingStatus): ShownConcern[] {
  const link = { href: `/dashboard/connectors/${id}`, text: `To ${name}` };
  if (lastError !== null) return [{ tone: "bad", title: `${name} cannot be polled`, detail: lastError, link }];
  if (nextRunAt !== null) return [];
  return [{
    tone: "warn",
    title: `${name} is on, and never polled`,
    detail: "Its schedule names no time to come.",
    link,
  }];
}
