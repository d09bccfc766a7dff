import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

/** What is known of a connector's first event. */
export interface FirstEventStatus {
  readonly came: boolean;
  /** Why the newest delivery was refused, if it was. */
  readonly refusal: string | null;
}

/** What {@link FirstEvent} is given. */
export interface FirstEventProps extends FirstEventStatus {
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
  const [{ came, refusal }, setStatus] = useState<FirstEventStatus>({ came: props.came, refusal: props.refusal });
  const [live, setLive] = useState(false);
  useEffect(() => {
    if (came) return;
    const source = new EventSource(`/events/stream?workspaceId=${encodeURIComponent(workspaceId)}`);
    const ask = async () => {
      const told = await askStatus(statusUrl);
      if (told !== undefined) setStatus((known) => known.came ? known : told);
    };
    source.onopen = () => {
      setLive(true);
      ask(); // An event may have come between this page and the stream.
    };
    source.onerror = () => setLive(false);
    source.onmessage = ({ data }) => {
      if (isFrom(connectorId, data)) setStatus({ came: true, refusal: null });
    };
    const timer = setInterval(ask, ASK_MS);
    return () => {
      clearInterval(timer);
      source.close();
    };
  }, [came]);
  return <Shown {...props} came={came} refusal={refusal} live={live} />;
}

function Shown({ name, came, refusal, live }: FirstEventProps & { live: boolean }): JSX.Element {
  const tone = came ? "first-event text-good" : "first-event text-muted";
  return (
    <div class={tone} role="status" data-live={live ? "true" : undefined}>
      <span class={came ? "dot" : "dot motion-safe:animate-pulse"} aria-hidden="true" />
      <div class="min-w-0">
        <p class="font-semibold">
          {came ? `The first event from ${name} is here` : `Waiting for the first event from ${name}`}
        </p>
        <p class="text-ink text-sm break-words" dir="auto">
          {came
            ? "It was verified, normalized and published. The set-up is done."
            : refusal === null
            ? "Do something there that sends one, or send a test event."
            : `A delivery came and was refused. ${refusal}`}
        </p>
      </div>
    </div>
  );
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
    "refusal" in value && (value.refusal === null || typeof value.refusal === "string");
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
