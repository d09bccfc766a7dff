import type { StreamConnection } from "../StreamStatus.tsx";
import type { StreamMessage } from "./feed.ts";

/** How long to wait before connecting again where the browser does not by itself. */
const RETRY_MS = 3000;

/** Who is told what comes on a live stream. */
export interface StreamListener {
  message(message: StreamMessage): void;
  connection(state: StreamConnection): void;
  /** Events before the next are not kept any more. */
  gap(): void;
}

/**
 * Connects to a live stream, again and again, until the function that it gives is called.
 *
 * @param inSight Whether to connect only while the page can be seen. Over HTTP/1.1 a browser holds six connections to a
 * service: with a stream in each of six tabs, no page of it loads any more.
 */
export function listenTo(url: string, listener: StreamListener, inSight: boolean = false): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = "";

  function connect(): void {
    // A browser that connects again by itself says where it was; a new source has to be told.
    const current = source = new EventSource(last === "" ? url : `${url}&lastEventId=${encodeURIComponent(last)}`);
    current.onopen = () => listener.connection("live");
    current.onmessage = ({ lastEventId, data }) => {
      last = lastEventId;
      listener.message({ id: lastEventId, data: String(data) });
    };
    current.addEventListener("gap", () => listener.gap());
    current.onerror = async () => {
      if (current.readyState !== EventSource.CLOSED) return listener.connection("reconnecting");
      // A browser gives up when it is answered with an error, as by a proxy while the service restarts.
      const signedOut = await isSignedOut();
      if (source !== current) return; // It was left meanwhile.
      listener.connection(signedOut ? "signed-out" : "reconnecting");
      timer = setTimeout(connect, RETRY_MS);
    };
  }

  function leave(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  function look(): void {
    if (inSight && document.hidden) return leave();
    if (source !== undefined) return;
    listener.connection("connecting");
    connect();
  }

  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    leave();
  };
}

/** Whether this page would lead elsewhere now: to where people sign in. Of a stream that is refused no script learns why. */
async function isSignedOut(): Promise<boolean> {
  const init: RequestInit = { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(RETRY_MS) };
  const page = await fetch(location.href, init).catch(() => undefined);
  return page?.type === "opaqueredirect";
}
