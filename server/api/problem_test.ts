import assert from "node:assert/strict";
import {
  BodyTimeoutError,
  BrokerUnavailableError,
  BusyError,
  SpoolFullError,
  StoppingError,
  TooManyRequestsError,
} from "../errors.ts";
import { respondWithProblem } from "./problem.ts";

for (
  const [error, status, retryAfter] of [
    [new TooManyRequestsError("Cannot go on", 1), 429, "1"],
    [new TooManyRequestsError("Cannot go on", 90_001), 429, "91"],
    [new BusyError("Cannot go on"), 503, "5"],
    [new BrokerUnavailableError("Cannot go on"), 503, "5"],
    [new SpoolFullError("Cannot go on"), 503, "60"],
    [new StoppingError("Cannot go on"), 503, "5"],
  ] as const
) {
  Deno.test(`${error.name} is ${status}, to be sent again after ${retryAfter} s`, () => {
    const response = respondWithProblem(error);
    assert.equal(response.status, status);
    assert.equal(response.headers.get("retry-after"), retryAfter);
  });
}

Deno.test("a connection ends whose next request cannot be read, or would come to a service that is gone", () => {
  for (const error of [new BodyTimeoutError(1000), new StoppingError("Cannot go on")]) {
    assert.equal(respondWithProblem(error).headers.get("connection"), "close", error.name);
  }
});
