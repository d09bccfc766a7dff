import assert from "node:assert/strict";
import { cookieOf, setCookie } from "./cookies.ts";

const asked = (url: string, headers: Record<string, string> = {}) => new Request(url, { headers });
const forwarded = (proto: string) => asked("http://inlet.example/", { "x-forwarded-proto": proto });

Deno.test("setCookie keeps a cookie from scripts and other sites, and from plain HTTP where the browser asks over HTTPS", () => {
  const expires = new Date("2026-01-02T03:04:05Z");
  assert.equal(
    setCookie(asked("http://inlet.example/"), "a", "b", { expires }),
    "a=b; Path=/; HttpOnly; SameSite=Strict; Expires=Fri, 02 Jan 2026 03:04:05 GMT",
  );
  for (const request of [asked("https://inlet.example/"), ...["https", "HTTPS", "https, http"].map(forwarded)]) {
    assert.equal(setCookie(request, "a", "b"), "a=b; Path=/; HttpOnly; SameSite=Strict; Secure");
  }
  for (const proto of ["http", "http, https", ""]) assert.doesNotMatch(setCookie(forwarded(proto), "a", "b"), /Secure/);
});

Deno.test("cookieOf finds a cookie among others by its whole name", () => {
  const request = asked("http://inlet.example/", { cookie: "xa=1; a=2=3; ab=4" });
  assert.deepEqual([cookieOf(request, "a"), cookieOf(request, "b")], ["2=3", undefined]);
});
