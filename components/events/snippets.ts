/** Programs that take events of one type, to be copied. */

/** What a snippet takes, and from where. */
export interface SnippetParts {
  /** An event type, or a pattern that stands for many. */
  readonly type: string;
  readonly exchange: string;
  readonly binding: string;
}

/** A consumer in TypeScript, with `@inlet/consumer`. */
export function typescriptSnippet({ type, exchange, binding }: SnippetParts): string {
  const handler = type.includes("*")
    ? "otherwise: ({ id, type, payload }) => console.log(id, type, payload),"
    : `on: { ${quoted(type)}: ({ id, payload }) => console.log(id, payload) },`;
  return `import { consume } from "@inlet/consumer";

await consume({
  url: "amqp://localhost",
  exchange: ${quoted(exchange)},
  queue: ${quoted(queueOf(type))},
  bind: [${quoted(binding)}],
  ${handler}
});
`;
}

/** A consumer in Python, with pika. */
export function pythonSnippet({ type, exchange, binding }: SnippetParts): string {
  return `import json
import pika

queue = ${quoted(`${queueOf(type)}-python`)}
connection = pika.BlockingConnection(pika.URLParameters("amqp://localhost"))
channel = connection.channel()
channel.queue_declare(queue, durable=True, arguments={"x-queue-type": "quorum"})
channel.queue_bind(queue, ${quoted(exchange)}, routing_key=${quoted(binding)})


def handle(channel, method, properties, body):
    event = json.loads(body)
    print(event["id"], event["type"], flush=True)
    channel.basic_ack(method.delivery_tag)


channel.basic_consume(queue, handle)
channel.start_consuming()
`;
}

/** A queue's name for a type. */
function queueOf(type: string): string {
  return type.replaceAll(".", "-").replaceAll("*", "any");
}

/** A text in quotes, as JavaScript, TypeScript and Python write it. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
