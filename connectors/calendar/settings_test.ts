import assert from "node:assert/strict";
import { calendar } from "./mod.ts";

function faultsIn(url: string, isSecret = false) {
  const config = { username: "mira", kind: "caldav", ...(!isSecret && { url }) };
  const secrets = { password: "a password", ...(isSecret && { url }) };
  return calendar.faultsOf({ config, secrets }, true).map(({ pointer }) => pointer);
}

Deno.test("a calendar's password is not sent where others could read it along", () => {
  for (
    const url of ["http://cal.example.com/mira/", "http://192.168.1.5:5232/mira/", "http://localhost.example.com/"]
  ) {
    assert.deepEqual(faultsIn(url), ["/config/url"], url);
    assert.deepEqual(faultsIn(url, true), ["/secrets/url"], url);
  }
  for (
    const url of ["https://cal.example.com/", "webcal://cal.example.com/", "http://127.0.0.1:5232/", "http://[::1]/"]
  ) {
    assert.deepEqual(faultsIn(url), [], url);
  }
  const open = { config: { url: "http://cal.example.com/holidays.ics" }, secrets: {} };
  assert.deepEqual(calendar.faultsOf(open, true), [], "nothing is secret there");
});
