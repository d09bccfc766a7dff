/**
 * Tells whether a topic-exchange binding `pattern` matches a `routingKey`: words are separated by dots, `*` stands for
 * exactly one word and `#` for zero or more. Follows RabbitMQ's topic exchange
 * (https://www.rabbitmq.com/tutorials/amqp-concepts#exchange-topic).
 */
export function topicMatches(pattern: string, routingKey: string): boolean {
  return wordsMatch(wordsOf(pattern), 0, wordsOf(routingKey), 0);
}

function wordsOf(key: string): string[] {
  return key === "" ? [] : key.split(".");
}

function wordsMatch(pattern: readonly string[], p: number, key: readonly string[], k: number): boolean {
  if (p === pattern.length) return k === key.length;
  if (pattern[p] === "#") {
    for (let rest = k; rest <= key.length; rest++) {
      if (wordsMatch(pattern, p + 1, key, rest)) return true;
    }
    return false;
  }
  if (k === key.length) return false;
  return (pattern[p] === "*" || pattern[p] === key[k]) && wordsMatch(pattern, p + 1, key, k + 1);
}
