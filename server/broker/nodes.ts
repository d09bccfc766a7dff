import type { Options } from "amqplib";
import { amqpUrlsIn } from "../amqp_urls.ts";

/** Notices a broker that is gone without a word (a cut cable) within two of these. */
const HEARTBEAT_SECONDS = 15;

/** The nodes of a broker. One is connected to at a time; when it is gone, the next one is tried. */
export class BrokerNodes {
  readonly #nodes: readonly { readonly host: string; readonly target: Options.Connect }[];
  #turn = 0;
  /** Where to connect to. The client library reads it anew at each try, and {@link next} changes it. */
  readonly target: Options.Connect;

  /** @param urls As in `AMQP_URL`: one, or several with commas between; see https://www.rabbitmq.com/docs/uri-spec. */
  constructor(urls: string) {
    this.#nodes = amqpUrlsIn(urls).map((text) => {
      const url = new URL(text);
      return { host: url.host, target: targetOf(url) };
    });
    this.target = { ...this.#nodes[0]?.target };
  }

  /** Of the node whose turn it is, with its port; for people. */
  get host(): string {
    return this.#nodes[this.#turn]?.host ?? "";
  }

  /** Makes it the next one's turn. */
  next(): void {
    this.#turn = (this.#turn + 1) % this.#nodes.length;
    // The nodes may be reached in different ways: nothing of the last one stays.
    for (const name of TARGET_PARTS) delete this.target[name];
    Object.assign(this.target, this.#nodes[this.#turn]?.target);
  }
}

const NUMBERS = ["channelMax", "frameMax", "maxFrameSize"] as const;
const TARGET_PARTS = [
  ...NUMBERS,
  "protocol",
  "hostname",
  "port",
  "username",
  "password",
  "vhost",
  "heartbeat",
] as const;

function targetOf({ protocol, hostname, port, username, password, pathname, searchParams }: URL): Options.Connect {
  const target: Options.Connect = {
    protocol: protocol.slice(0, -1),
    hostname: hostname.replace(/^\[|\]$/g, ""),
    heartbeat: Number(searchParams.get("heartbeat") ?? HEARTBEAT_SECONDS),
  };
  if (port !== "") target.port = Number(port);
  if (username !== "" || password !== "") {
    target.username = decodeURIComponent(username);
    target.password = decodeURIComponent(password);
  }
  if (pathname.length > 1) target.vhost = pathname.slice(1);
  for (const name of NUMBERS) {
    const value = searchParams.get(name);
    if (value !== null) target[name] = Number(value);
  }
  return target;
}
