/**
 * Tells of pull requests and commits on GitHub, each once, with retries and dead letters. In a project that has
 * `@inlet/consumer` and `@inlet/github-events`, or in a clone of Inlet:
 *
 *     AMQP_URL=amqp://localhost deno run --allow-env --allow-net deno_consumer.ts
 */
// deno-lint-ignore-file no-console -- it tells on the standard output
import { consume } from "@inlet/consumer";
import { GithubEventType } from "@inlet/github-events";

const consumption = await consume({
  url: Deno.env.get("AMQP_URL") ?? "amqp://localhost",
  exchange: Deno.env.get("AMQP_EXCHANGE") ?? "inlet.events",
  queue: Deno.env.get("QUEUE") ?? "deno-example",
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
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => void consumption.stop());
console.log("Waiting for events");
