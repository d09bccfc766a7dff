/** What a server may do by RFC 6578 and RFC 4791 that Radicale, which is tested in tests/calendar_test.ts, does not. */
import assert from "node:assert/strict";
import { z } from "zod";
import { PollError } from "../kit/mod.ts";
import { visitDav } from "./dav.ts";
import { findCalendars } from "./dav_requests.ts";
import { askerOf } from "./http.ts";
import { configShape } from "./settings.ts";
import { feedOf, Polls } from "./testing.ts";
import { utc } from "./zones.ts";

const NAMESPACES = 'xmlns="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"';

interface Resource {
  etag: string;
  text: string;
}

/** A small CalDAV server with one calendar, whose answers to a sync can be set. */
interface DavServer {
  readonly url: string;
  readonly resources: Map<string, Resource>;
  token: string | null;
  ctag: string | null;
  /** Paths that are looked up though they are there no more. */
  hidden: Set<string>;
  /** Answers of sync-collection, by token. */
  readonly syncs: Map<string, () => Response>;
  readonly asked: string[];
}

const multistatus = (...parts: string[]) =>
  new Response(`<?xml version="1.0"?><multistatus ${NAMESPACES}>${parts.join("")}</multistatus>`, { status: 207 });
const found = (path: string, properties: string) =>
  `<response><href>${path}</href><propstat><prop>${properties}</prop><status>HTTP/1.1 200 OK</status></propstat>` +
  "</response>";
const withStatus = (path: string, status: number) =>
  `<response><href>${path}</href><status>HTTP/1.1 ${status} So</status></response>`;
const tokenPart = (token: string) => `<sync-token>${token}</sync-token>`;

async function withDav(run: (server: DavServer) => Promise<void>): Promise<void> {
  const resources = new Map<string, Resource>();
  const listening = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const body = await request.text();
    const [, what = "propfind"] = /<[A-Z]:(sync-collection|calendar-query|calendar-multiget)/.exec(body) ?? [];
    server.asked.push(what);
    if (what === "propfind") {
      const { token, ctag } = server;
      return multistatus(found(
        "/cal/",
        "<displayname>Team</displayname><resourcetype><collection/><cal:calendar/></resourcetype>" +
          `${token === null ? "" : tokenPart(token)}${ctag === null ? "" : `<cs:getctag>${ctag}</cs:getctag>`}`,
      ));
    }
    if (what === "sync-collection") {
      const [, token = ""] = /sync-token>(.*?)</.exec(body) ?? [];
      return server.syncs.get(token)?.() ?? new Response("<error/>", { status: 403 });
    }
    const part = (path: string) => {
      const resource = resources.get(path);
      if (resource === undefined) return withStatus(path, 404);
      return found(
        path,
        `<getetag>${resource.etag}</getetag><cal:calendar-data><![CDATA[${resource.text}]]></cal:calendar-data>`,
      );
    };
    if (what === "calendar-query") {
      return multistatus(...[...resources.keys()].filter((p) => !server.hidden.has(p)).map(part));
    }
    return multistatus(...[...body.matchAll(/href>(.*?)</g)].map(([, path = ""]) => part(path)));
  });
  const url = `http://127.0.0.1:${listening.addr.port}/cal/`;
  const server: DavServer = {
    url,
    resources,
    token: null,
    ctag: null,
    hidden: new Set(),
    syncs: new Map(),
    asked: [],
  };
  try {
    await run(server);
  } finally {
    await listening.shutdown();
  }
}

function put({ resources }: DavServer, name: string, etag = '"1"', ...lines: string[]): void {
  const text = feedOf([`UID:${name}`, `SUMMARY:${name}`, "DTSTART:20260310T100000Z", ...lines]);
  resources.set(`/cal/${name}.ics`, { etag, text });
}

const polling = (server: DavServer) => new Polls({ url: server.url, kind: "caldav", starts: false, ends: false });
const DAY = "2026-03-02T09:00:00Z";
const told = async (polls: Polls) => (await polls.told(DAY)).map((line) => line.split(" ").slice(0, 2).join(" "));

Deno.test("a sync that is cut off is followed to its end", async () => {
  await withDav(async (server) => {
    server.token = "t1";
    const polls = polling(server);
    await polls.all(DAY);
    for (const name of ["a", "b"]) put(server, name);
    server.token = "t3";
    const etag = "<getetag>&quot;1&quot;</getetag>";
    server.syncs.set("t1", () => multistatus(found("/cal/a.ics", etag), withStatus("/cal/", 507), tokenPart("t2")));
    server.syncs.set("t2", () => multistatus(found("/cal/b.ics", etag), tokenPart("t3")));
    assert.deepEqual(await told(polls), ["created a", "created b"]);
    server.asked.length = 0;
    assert.deepEqual(await told(polls), []);
    assert.deepEqual(server.asked, ["propfind"]);
  });
});

Deno.test("a sync that does not come to its end is an error", async () => {
  await withDav(async (server) => {
    server.token = "t1";
    const polls = polling(server);
    await polls.all(DAY);
    server.token = "t2";
    server.syncs.set("t1", () => multistatus(withStatus("/cal/", 507), tokenPart("t1")));
    await assert.rejects(polls.page(DAY), { name: "PollError", message: /does not come to the end of its changes/ });
  });
});

Deno.test("only 404 says that an entry is gone", async () => {
  await withDav(async (server) => {
    server.token = "t1";
    for (const name of ["a", "b", "c"]) put(server, name);
    const polls = polling(server);
    await polls.all(DAY);
    server.token = "t2";
    server.syncs.set(
      "t1",
      () =>
        multistatus(
          withStatus("/cal/a.ics", 403),
          withStatus("/cal/b.ics", 404),
          withStatus("/cal/c.ics", 500),
          tokenPart("t2"),
        ),
    );
    assert.deepEqual(await told(polls), ["cancelled b"]);
  });
});

Deno.test("after a token that the server forgot, all is compared, and nothing is lost or told twice", async () => {
  await withDav(async (server) => {
    server.token = "t1";
    for (const name of ["kept", "changed", "gone", "hidden"]) put(server, name);
    const polls = polling(server);
    await polls.all(DAY);
    server.token = "t9";
    put(server, "changed", '"2"', "LOCATION:Roof");
    put(server, "new");
    server.resources.delete("/cal/gone.ics");
    // A list that leaves out what is there does not make it gone.
    server.hidden.add("/cal/hidden.ics");
    assert.deepEqual(await told(polls), ["updated changed", "cancelled gone", "created new"]);
    assert.deepEqual(await told(polls), []);
  });
});

Deno.test("a server without sync is asked for its list when its ctag has changed, or if it has none", async () => {
  for (const ctag of ["c1", null]) {
    await withDav(async (server) => {
      server.ctag = ctag;
      put(server, "a");
      const polls = polling(server);
      await polls.all(DAY);
      server.asked.length = 0;
      assert.deepEqual(await told(polls), []);
      assert.deepEqual(server.asked, ctag === null ? ["propfind", "calendar-query"] : ["propfind"]);
      if (ctag !== null) server.ctag = "c2";
      put(server, "a", '"2"', "LOCATION:Roof");
      put(server, "b");
      assert.deepEqual(await told(polls), ["updated a", "created b"]);
      if (ctag !== null) server.ctag = "c3";
      server.resources.delete("/cal/a.ics");
      assert.deepEqual(await told(polls), ["cancelled a"]);
    });
  }
});

Deno.test("many changes of a server come in pages, each once, and the token moves on after the last", async () => {
  await withDav(async (server) => {
    server.token = "t1";
    const polls = polling(server);
    await polls.all(DAY);
    const names = Array.from({ length: 230 }, (_, n) => `e${n}`);
    for (const name of names) put(server, name);
    server.token = "t2";
    const parts = names.map((name) => found(`/cal/${name}.ics`, "<getetag>&quot;1&quot;</getetag>"));
    server.syncs.set("t1", () => multistatus(...parts, tokenPart("t2")));
    const keys: string[] = [];
    const first = await polls.page(DAY);
    assert.deepEqual([first.drafts.length, first.more], [100, true]);
    keys.push(...first.drafts.map(({ key }) => key), ...(await polls.all(DAY)).map(({ key }) => key));
    assert.deepEqual([keys.length, new Set(keys).size], [230, 230]);
    assert.deepEqual(await told(polls), []);
  });
});

Deno.test("a poll that ends while entries are read is an error, and takes none of them for unreadable", async () => {
  await withDav(async (server) => {
    for (const name of ["a", "b"]) put(server, name);
    const { signal } = new AbortController();
    const ask = askerOf({ home: new URL(server.url), username: undefined, password: undefined, signal });
    const config = z.object(configShape).parse({ url: server.url, kind: "caldav", starts: false, ends: false });
    const [found = assert.fail("no calendar")] = await findCalendars(ask, new URL(server.url));
    const ended = new PollError("Cannot poll: the service is stopping");
    const pause = () => Promise.reject(ended);
    await assert.rejects(
      visitDav(found, ask, { state: null, config, floating: utc, now: new Date(DAY), pause }),
      ended,
    );
  });
});

Deno.test("an address that is no calendar is an error that says so", async () => {
  const answers: readonly (readonly [() => Response, RegExp])[] = [
    [() => new Response("<html><body>Log in</body></html>"), /does not speak CalDAV/],
    [() => new Response("<multistatus/>", { status: 207 }), /does not speak CalDAV/],
    [() => new Response("", { status: 207 }), /does not speak CalDAV/],
    [() => multistatus(found("/", "<resourcetype><collection/></resourcetype>")), /there is none at this address/],
    [() => new Response("", { status: 405 }), /The address of an ICS feed goes with kind ics/],
  ];
  for (const [answer, message] of answers) {
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
    try {
      const polls = new Polls({ url: `http://127.0.0.1:${server.addr.port}/`, kind: "caldav" });
      await assert.rejects(polls.page(DAY), { name: "PollError", message });
    } finally {
      await server.shutdown();
    }
  }
});
