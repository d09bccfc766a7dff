import type { GithubForkPayload, GithubStarPayload } from "@inlet/github-events";
import { z } from "zod";
import { iso, subject, time, type Told } from "../kit/mod.ts";
import { origin, single } from "./draft.ts";
import { repository, repositoryEnvelope } from "./input.ts";

/** https://docs.github.com/webhooks/webhook-events-and-payloads#star */
export const star = single(
  z.object({ ...repositoryEnvelope, starred_at: time }),
  (body): Told<GithubStarPayload> => ({
    subject: subject("repository", body.repository.id, body.repository.fullName, body.repository.url),
    at: iso(body.starred_at),
    payload: { starredAt: iso(body.starred_at), ...origin(body) },
  }),
);

/** https://docs.github.com/webhooks/webhook-events-and-payloads#fork */
export const fork = single(
  z.object({ ...repositoryEnvelope, forkee: repository }),
  (body): Told<GithubForkPayload> => ({
    subject: subject("fork", body.forkee.id, body.forkee.fullName, body.forkee.url),
    at: body.forkee.createdAt,
    payload: { fork: body.forkee, ...origin(body) },
  }),
);
