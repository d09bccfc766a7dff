/**
 * Tells of pull requests and commits on GitHub, each once, with retries and dead letters. In a project that has
 * `@inlet/consumer` and `@inlet/github-events`, with Node 22.18 or later, or with Bun:
 *
 *     AMQP_URL=amqp://localhost node node_consumer.ts
 *
 * Older versions of Node run what `tsc` makes of it.
 */
// deno-lint-ignore-file no-console -- it tells on the standard output
import process from "node:process";
import { consume } from "@inlet/consumer";
import { GithubEventType } from "@inlet/github-events";

const { AMQP_URL = "amqp://localhost", AMQP_EXCHANGE = "inlet.events", QUEUE = "node-example" } = process.env;

const consumption = await consume({
  url: AMQP_URL,
  exchange: AMQP_EXCHANGE,
  queue: QUEUE,
  bind: ["github.pr.*", "github.commit.pushed"],
  on: {
    [GithubEventType.PR_OPENED]({ payload: { repository, pullRequest } }) {
      console.log(`${repository.fullName}#${pullRequest.number} is open: ${pullRequest.title}`);
    },
    [GithubEventType.COMMIT_PUSHED]({ actor, payload: { repository, message } }) {
      console.log(`${actor.name ?? actor.id} pushed to ${repository.fullName}: ${message}`);
    },
  },
  otherwise: ({ type, subject }) => console.log(`${type} of ${subject.name ?? subject.id}`),
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void consumption.stop());
console.log("Waiting for events");
