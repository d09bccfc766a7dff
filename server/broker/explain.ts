/** What a failure to connect means for whoever wrote `AMQP_URL`: the client library speaks of frames. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, "nobody listens there"],
  [/ENOTFOUND|EAI_AGAIN/, "the host name is unknown; special characters in a password must be percent-encoded"],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, "the host does not answer"],
  [/ACCESS-REFUSED|403/, "user or password is wrong, or the user may not use the virtual host or declare the exchange"],
  [/ConnectionOpenOk|NOT_ALLOWED|530/, "there is no such virtual host, or the user may not use it"],
  [
    /maxFrameSize|Invalid frame|Socket closed abruptly during opening/,
    "no AMQP is spoken there; RabbitMQ's port is 5672",
  ],
  [/wrong version number|InvalidContentType|packet length/, "no TLS is spoken there; try amqp:// in place of amqps://"],
  [/self[- ]signed|UnknownIssuer|certificate/i, "its certificate is not trusted"],
  [/inequivalent arg/, "there is an exchange of that name (AMQP_EXCHANGE), and it is not a durable topic exchange"],
];

/** Puts a failure to connect into words; the original message follows, which names neither user nor password. */
export function explainConnectionError({ message }: Error): string {
  const meaning = meaningOf(message);
  // A host that is unknown may be a piece of a password that was not encoded.
  const told = /ENOTFOUND|EAI_AGAIN/.test(message) ? "ENOTFOUND" : message;
  return meaning === undefined ? told : `${meaning} (${told})`;
}

/** The same for everybody: without the message where it has a meaning, since it can name an address inside the network. */
export function briefConnectionError({ message }: Error): string {
  return meaningOf(message) ?? message;
}

function meaningOf(message: string): string | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(message))?.[1];
}
