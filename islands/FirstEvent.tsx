import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listenTo } from "../components/stream/listen.ts";
import type { StreamConnection } from "../components/StreamStatus.tsx";

/** What is known of a connector's first event. */
export interface FirstEventStatus {
  readonly came: boolean;
  /** Why the newest delivery was refused, or the newest poll failed, if so. */
  readonly refusal: string | null;
  /** Whether it was polled at all. */
  readonly polled: boolean;
}

/** What {@link FirstEvent} is given. */
export interface FirstEventProps extends FirstEventStatus {
  readonly kind: "webhook" | "poller";
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly name: string;
  /** Where the server tells the status, as JSON. */
  readonly statusUrl: string;
}

/** Refused deliveries become no events, so the server is asked about them this often. */
const ASK_MS = 3000;

/** Waits for a connector's first event, and says when it is there, or what keeps it away. */
export default function FirstEvent(props: FirstEventProps): JSX.Element {
  const { workspaceId, connectorId, statusUrl } = props;
  const { came: cameBefore, refusal: refusedBefore, polled: polledBefore } = props;
  const before = { came: cameBefore, refusal: refusedBefore, polled: polledBefore };
  const [status, setStatus] = useState<FirstEventStatus>(before);
  const { came } = status;
  const [connection, setConnection] = useState<StreamConnection>("connecting");
  useEffect(() => {
    if (came) return;
    const ask = async () => {
      const told = await askStatus(statusUrl);
      if (told !== undefined) setStatus((known) => known.came ? known : told);
    };
    const stop = listenTo(`/events/stream?workspaceId=${encodeURIComponent(workspaceId)}`, {
      message({ data }) {
        if (isFrom(connectorId, data)) setStatus({ came: true, refusal: null, polled: true });
      },
      connection(state) {
        setConnection(state);
        if (state === "live") ask(); // An event may have come between this page and the stream.
      },
      gap: ask,
    }, true);
    const timer = setInterval(ask, ASK_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [came]);
  return <Shown {...props} {...status} connection={connection} />;
}

function Shown(props: FirstEventProps & { connection: StreamConnection }): JSX.Element {
  const { came, connection } = props;
  const tone = came ? "first-event text-good" : "first-event text-muted";
  const { title, detail } = props.kind === "poller" ? wordsOfPoller(props) : wordsOfWebhook(props);
  return (
    <div class={tone} role="status" data-live={connection === "live" ? "true" : undefined}>
      <span class={came ? "dot" : "dot motion-safe:animate-pulse"} aria-hidden="true" />
      <div class="min-w-0">
        <p class="font-semibold">{title}</p>
        <p class="text-ink text-sm break-words" dir="auto">{detail}</p>
        {!came && connection === "signed-out" && (
          <p class="text-ink text-sm">
            You are signed out. <a href="">Sign in again</a>
          </p>
        )}
      </div>
    </div>
  );
}

interface Words {
  readonly title: string;
  readonly detail: string;
}

function wordsOfWebhook({ name, came, refusal }: FirstEventProps): Words {
  if (came) {
    const detail = "It was verified and normalized. The set-up is done.";
    return { title: `The first event from ${name} is here`, detail };
  }
  const title = `Waiting for the first event from ${name}`;
  if (refusal !== null) return { title, detail: `A delivery came and was refused. ${refusal}` };
  return { title, detail: "Do something there that sends one, or send a test event." };
}

function wordsOfPoller({ name, came, refusal, polled }: FirstEventProps): Words {
  if (came) {
    const detail = "It was polled and normalized. The set-up is done.";
    return { title: `The first event from ${name} is here`, detail };
  }
  if (refusal !== null) return { title: `${name} cannot be polled`, detail: refusal };
  if (!polled) return { title: `Checking ${name}…`, detail: "It is being asked for the first time." };
  const detail = "Nothing has happened since events began. Do something there, then poll, or leave it to the schedule.";
  return { title: `${name} answers: the set-up is done`, detail };
}

async function askStatus(url: string): Promise<FirstEventStatus | undefined> {
  try {
    const status: unknown = await (await fetch(url)).json();
    return isStatus(status) ? status : undefined;
  } catch {
    return undefined; // The stream connects again by itself, and asks then.
  }
}

function isStatus(value: unknown): value is FirstEventStatus {
  return typeof value === "object" && value !== null && "came" in value && typeof value.came === "boolean" &&
    "polled" in value && typeof value.polled === "boolean" && "refusal" in value &&
    (value.refusal === null || typeof value.refusal === "string");
}

/** Whether a message is an event of a connector. */
function isFrom(connectorId: string, data: unknown): boolean {
  try {
    const event: unknown = JSON.parse(String(data));
    return typeof event === "object" && event !== null && "source" in event && event.source === connectorId;
  } catch {
    return false;
  }
}
