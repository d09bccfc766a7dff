/**
 * Tells whether a topic-exchange binding `pattern` matches a `routingKey`: words are separated by dots, `*` stands for
 * exactly one word and `#` for zero or more. Follows RabbitMQ's topic exchange
 * (https://www.rabbitmq.com/tutorials/amqp-concepts#exchange-topic).
 */
export function topicMatches(pattern: string, routingKey: string): boolean {
  const key = wordsOf(routingKey);
  const all = Array.from({ length: key.length + 1 }, (_, count) => count);
  // How many of the key's words those of the pattern so far can stand for, fewest first.
  let counts = [0];
  for (const word of wordsOf(pattern)) {
    counts = word === "#"
      ? all.slice(counts[0] ?? all.length)
      : counts.filter((count) => count < key.length && (word === "*" || word === key[count])).map((count) => count + 1);
  }
  return counts.includes(key.length);
}

function wordsOf(key: string): string[] {
  return key === "" ? [] : key.split(".");
}
