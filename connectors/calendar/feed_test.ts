import assert from "node:assert/strict";
import { z } from "zod";
import { visitFeed } from "./feed.ts";
import { MOST_BYTES } from "./http.ts";
import { calendar } from "./mod.ts";
import { type Pause, pausesOf } from "./pauses.ts";
import { configShape } from "./settings.ts";
import { feedOf, Polls } from "./testing.ts";
import { utc } from "./zones.ts";

type Answer = (request: Request) => Response | Promise<Response>;

interface Server {
  url: string;
  answer: Answer;
  /** Headers of the requests. */
  readonly requests: Headers[];
}

/** Runs something with a real HTTP server on a port of its own, whose answer can be changed. */
async function withServer(run: (server: Server) => Promise<void>): Promise<void> {
  const server: Server = { url: "", answer: () => new Response(feedOf()), requests: [] };
  const listening = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    server.requests.push(new Headers(request.headers));
    return server.answer(request);
  });
  server.url = `http://127.0.0.1:${listening.addr.port}/calendar.ics`;
  try {
    await run(server);
  } finally {
    await listening.shutdown();
  }
}

const text = (body: BodyInit) => () => new Response(body, { headers: { "content-type": "text/calendar" } });
const review = ["UID:review", "SUMMARY:Review", "DTSTART:20260302T100000Z", "DTEND:20260302T110000Z"];
const lunch = ["UID:lunch", "SUMMARY:Lunch", "DTSTART:20260303T120000Z", "DTEND:20260303T130000Z"];

Deno.test("a feed tells what is new, changed and gone, but not what was there at first", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url });
    server.answer = text(feedOf(review));
    assert.deepEqual(await polls.told("2026-03-01T08:00:00Z"), []);
    server.answer = text(feedOf(review, lunch));
    assert.deepEqual(await polls.told("2026-03-01T08:05:00Z"), ["created Lunch 03-01T08:05"]);
    server.answer = text(feedOf(review, [...lunch, "LOCATION:Roof", "LAST-MODIFIED:20260301T080700Z"]));
    assert.deepEqual(await polls.told("2026-03-01T08:10:00Z"), ["updated Lunch 03-01T08:07"]);
    server.answer = text(feedOf(review));
    assert.deepEqual(await polls.told("2026-03-01T08:15:00Z"), ["cancelled Lunch 03-01T08:15"]);
    assert.deepEqual(await polls.told("2026-03-01T08:20:00Z"), []);
  });
});

Deno.test("a feed pauses for whatever else there is to do before each entry, and ends where nobody waits for it", async () => {
  const reviews = Array.from({ length: 50 }, (_, at) => [...review, "RRULE:FREQ=MONTHLY"].with(0, `UID:r${at}`));
  const config = z.object(configShape).parse({ kind: "ics", url: "https://calendar.example/feed" });
  const answer = { status: 200, headers: new Headers(), text: feedOf(...reviews), url: new URL("https://a.example") };
  const now = new Date("2026-03-01T08:00:00Z");
  let pauses = 0;
  const visiting = (pause: Pause) => ({ state: null, config, floating: utc, now, pause });
  const visit = (pause: Pause) => visitFeed(answer.url, () => Promise.resolve(answer), visiting(pause));
  await visit(() => Promise.resolve(void pauses++));
  assert.equal(pauses, 4 * 50, "read, understood, compared, and followed");
  const gone = new Error("nobody waits");
  await assert.rejects(visit(() => --pauses === 0 ? Promise.reject(gone) : Promise.resolve()), gone);
});

Deno.test("pausesOf gives way where the thread was held, and ends when the signal does", async () => {
  const ending = new AbortController();
  const pause = pausesOf(ending.signal);
  let others = 0;
  const other = setInterval(() => others++);
  try {
    while (others === 0) await pause();
    ending.abort(new Error("nobody waits"));
    await assert.rejects(async () => {
      for (;;) await pause();
    }, /nobody waits/);
  } finally {
    clearInterval(other);
  }
});

Deno.test("a feed that is written anew for each request has not changed by that", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url });
    server.answer = text(feedOf(review));
    await polls.all("2026-03-01T08:00:00Z");
    server.answer = text(
      feedOf([...review, "LAST-MODIFIED:20260301T080400Z", "X-MOZ-GENERATION:4"])
        .replace("DTSTAMP:2026", "DTSTAMP:2025"),
    );
    assert.deepEqual(await polls.told("2026-03-01T08:05:00Z"), []);
  });
});

Deno.test("an entry that is set to cancelled is cancelled once, and may come back", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url });
    const after = async (...entries: string[][]) => {
      server.answer = text(feedOf(...entries));
      return (await polls.all("2026-03-01T08:00:00Z")).map(({ type, payload }) => [type.split(".")[2], payload.reason]);
    };
    await after(review);
    assert.deepEqual(await after([...review, "STATUS:CANCELLED"]), [["cancelled", "status"]]);
    assert.deepEqual(await after([...review, "STATUS:CANCELLED", "SEQUENCE:2"]), []);
    assert.deepEqual(await after([...review, "SEQUENCE:3"]), [["updated", undefined]]);
    assert.deepEqual(await after([...review, "STATUS:CANCELLED", "SEQUENCE:4"]), [["cancelled", "status"]]);
    assert.deepEqual(await after(), []);
  });
});

Deno.test("starts and ends come once each, at their times, after a pause too", async () => {
  await withServer(async (server) => {
    const daily = ["UID:d", "SUMMARY:Daily", "DTSTART;TZID=Europe/Berlin:20260302T090000", "DURATION:PT15M"];
    server.answer = text(feedOf([...daily, "RRULE:FREQ=DAILY"], review));
    const polls = new Polls({ url: server.url });
    assert.deepEqual(await polls.told("2026-03-02T08:05:00Z"), []);
    assert.deepEqual(await polls.told("2026-03-02T08:15:00Z"), ["ended Daily 03-02T08:15"]);
    assert.deepEqual(await polls.told("2026-03-02T08:15:00Z"), []);
    assert.deepEqual(await polls.told("2026-03-03T08:00:00Z"), [
      "started Review 03-02T10:00",
      "ended Review 03-02T11:00",
      "started Daily 03-03T08:00",
    ]);
    // Three days later, only the last 24 hours are caught up with.
    assert.deepEqual(await polls.told("2026-03-06T07:00:00Z"), [
      "started Daily 03-05T08:00",
      "ended Daily 03-05T08:15",
    ]);
  });
});

Deno.test("a page that is polled again has the same keys, and a change back is another event", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url });
    const keys: string[] = [];
    await polls.all("2026-03-01T08:00:00Z");
    for (const place of ["Roof", "Hall", "Roof", "Hall"]) {
      server.answer = text(feedOf([...review, `LOCATION:${place}`]));
      const before = polls.cursor;
      const { drafts } = await polls.page("2026-03-02T10:30:00Z");
      const after = polls.cursor;
      polls.cursor = before;
      assert.deepEqual(
        (await polls.page("2026-03-02T10:31:00Z")).drafts.map(({ key }) => key),
        drafts.map(({ key }) => key),
      );
      polls.cursor = after;
      keys.push(...drafts.map(({ key }) => key));
    }
    assert.equal(keys.length, 5);
    assert.equal(new Set(keys).size, keys.length);
  });
});

Deno.test("a change that is told after events began anew is another event than the same one before", async () => {
  await withServer(async (server) => {
    const keys: string[] = [];
    for (const [timeZone, hour] of [["UTC", "08"], ["Europe/Berlin", "09"]] as const) {
      server.answer = text(feedOf(review));
      const polls = new Polls({ url: server.url, timeZone });
      await polls.all(`2026-03-01T${hour}:00:00Z`);
      server.answer = text(feedOf([...review, "LOCATION:Roof"]));
      keys.push(...(await polls.all(`2026-03-01T${hour}:30:00Z`)).map(({ key }) => key));
    }
    assert.deepEqual([keys.length, new Set(keys).size], [2, 2]);
  });
});

Deno.test("a feed is only asked for what has changed, unless a start is due", async () => {
  await withServer(async (server) => {
    server.answer = (request) =>
      request.headers.get("if-none-match") === '"1"'
        ? new Response(null, { status: 304 })
        : new Response(feedOf(review), { headers: { etag: '"1"', "last-modified": "Sun, 01 Mar 2026 08:00:00 GMT" } });
    const polls = new Polls({ url: server.url });
    for (const at of ["2026-03-02T09:00:00Z", "2026-03-02T09:30:00Z"]) assert.deepEqual(await polls.told(at), []);
    assert.deepEqual(await polls.told("2026-03-02T10:00:00Z"), ["started Review 03-02T10:00"]);
    assert.deepEqual(await polls.told("2026-03-02T10:30:00Z"), []);
    assert.deepEqual(await polls.told("2026-03-02T11:00:00Z"), ["ended Review 03-02T11:00"]);
    const asked = server.requests.map((headers) => headers.get("if-none-match"));
    assert.deepEqual(asked, [null, '"1"', null, '"1"', null]);
    assert.equal(server.requests[1]?.get("if-modified-since"), "Sun, 01 Mar 2026 08:00:00 GMT");
  });
});

Deno.test("many changes come in pages, each once, and starts after them", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url });
    await polls.all("2026-03-02T09:00:00Z");
    const many = Array.from(
      { length: 250 },
      (_, n) => [`UID:${n}`, "DTSTART:20260302T100000Z", "DTEND:20260302T100100Z"],
    );
    server.answer = text(feedOf(...many));
    const sizes: number[] = [];
    const keys: string[] = [];
    for (let more = true; more;) {
      const page = await polls.page("2026-03-02T10:00:30Z");
      sizes.push(page.drafts.length);
      keys.push(...page.drafts.map(({ key }) => key));
      more = page.more ?? false;
    }
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(keys.filter((key) => key.startsWith("created/")).length, 250);
    assert.equal(keys.filter((key) => key.startsWith("started/")).length, 250);
    assert.equal(keys.findIndex((key) => key.startsWith("started/")), 250);
    assert.deepEqual(sizes.slice(0, 2), [100, 100]);
    assert.deepEqual(await polls.told("2026-03-02T10:00:40Z"), []);
  });
});

Deno.test("entries that ended long ago are neither watched nor stored, and tidied ones were not cancelled", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url, starts: false, ends: false });
    const old = ["UID:old", "DTSTART:20200101T100000Z"];
    server.answer = text(feedOf(old, review));
    await polls.all("2026-03-05T08:00:00Z");
    assert.ok(!JSON.stringify(polls.cursor).includes('"old"'));
    server.answer = text(feedOf([...old, "SUMMARY:Older"]));
    assert.deepEqual(await polls.told("2026-03-05T09:00:00Z"), []);
  });
});

Deno.test("only the notices that are wanted come", async () => {
  await withServer(async (server) => {
    const told = async (config: Record<string, unknown>) => {
      server.answer = text(feedOf(review));
      const polls = new Polls({ url: server.url, ...config });
      await polls.all("2026-03-02T09:00:00Z");
      server.answer = text(feedOf(review, lunch));
      return (await polls.told("2026-03-02T12:00:00Z")).map((line) => line.split(" ")[0]);
    };
    assert.deepEqual(await told({ changes: false }), ["started", "ended"]);
    assert.deepEqual(await told({ starts: false }), ["created", "ended"]);
    assert.deepEqual(await told({ starts: false, ends: false }), ["created"]);
  });
});

const failures: readonly (readonly [string, Answer, RegExp])[] = [
  ["404", () => new Response("no", { status: 404 }), /has nothing at this address \(404\)/],
  ["401", () => new Response("no", { status: 401 }), /wants another user name or password/],
  ["500", () => new Response("no", { status: 500 }), /answers with status 500/],
  ["a log-in page", text("<!DOCTYPE html><html><body>Log in</body></html>"), /is a web page, perhaps to log in/],
  ["no calendar", text("hello"), /is not iCalendar/],
  ["nothing", text(""), /is not iCalendar/],
  ["half a calendar", text(feedOf(review).slice(0, -30)), /ends in its middle/],
  ["a calendar with a broken head", text(feedOf(review).replace("VERSION:2.0", "VERSION")), /RFC 5545/],
  ["too much", text(new Uint8Array(MOST_BYTES + 1)), /longer than 10 MiB/],
  [
    "a redirect to a file",
    () => new Response(null, { status: 301, headers: { location: "file:///etc/passwd" } }),
    /not an HTTP address/,
  ],
  [
    "redirects for ever",
    () => new Response(null, { status: 302, headers: { location: "?again" } }),
    /redirects more than 5 times/,
  ],
];

for (const [what, answer, message] of failures) {
  Deno.test(`a feed that gives ${what} is an error, and what happened meanwhile is told later`, async () => {
    await withServer(async (server) => {
      const polls = new Polls({ url: server.url });
      server.answer = text(feedOf(review));
      await polls.all("2026-03-02T09:00:00Z");
      const { cursor } = polls;
      server.answer = answer;
      await assert.rejects(polls.page("2026-03-02T10:00:00Z"), { name: "PollError", message });
      assert.equal(polls.cursor, cursor);
      server.answer = text(feedOf(review, lunch));
      assert.deepEqual(await polls.told("2026-03-02T10:05:00Z"), [
        "created Lunch 03-02T10:05",
        "started Review 03-02T10:00",
      ]);
    });
  });
}

Deno.test("one broken entry does not hold up the others, and is not taken for removed", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url });
    server.answer = text(feedOf(review, lunch));
    await polls.all("2026-03-01T08:00:00Z");
    const rules = ["RRULE:FREQ=DAILY;BYHOUR=99", "RRULE:FREQ=NEVER", "RRULE:FREQ=DAILY;UNTIL=20/71231"];
    const long = ["DURATION:P999999999D", "RDATE;VALUE=PERIOD:20260303T100000Z/PT9999999999999S"];
    for (const broken of [...rules, ...long, "no colon", "EXDATE:tomorrow"]) {
      const lines = review.filter((line) => !broken.startsWith("DURATION") || !line.startsWith("DTEND"));
      server.answer = text(feedOf([...lines, broken], [...lunch, `LOCATION:${broken}`]));
      assert.deepEqual(await polls.told("2026-03-01T08:05:00Z"), ["updated Lunch 03-01T08:05"], broken);
    }
    for (const start of [[], ["DTSTART:99991231T235959Z", "DURATION:PT1H"]]) {
      server.answer = text(feedOf(["UID:review", ...start], [...lunch, `LOCATION:${start[0]}`]));
      assert.deepEqual(await polls.told("2026-03-01T08:10:00Z"), ["updated Lunch 03-01T08:10"]);
    }
  });
});

Deno.test("an entry without a UID, or with one that no record can have as a key, is known by what it says", async () => {
  await withServer(async (server) => {
    for (const uid of [[], ["UID:__proto__"]]) {
      const polls = new Polls({ url: server.url });
      server.answer = text(feedOf());
      await polls.all("2026-03-01T08:00:00Z");
      server.answer = text(feedOf([...uid, ...review.slice(1)]));
      assert.deepEqual(await polls.told("2026-03-01T08:05:00Z"), ["created Review 03-01T08:05"]);
      assert.deepEqual(await polls.told("2026-03-01T08:10:00Z"), []);
    }
  });
});

Deno.test("text of another encoding is read as it says, and bytes that are none of it do not stop the feed", async () => {
  await withServer(async (server) => {
    const polls = new Polls({ url: server.url });
    await polls.all("2026-03-01T08:00:00Z");
    const latin = Uint8Array.from(feedOf([...review, "LOCATION:Café"]), (letter) => letter.charCodeAt(0));
    server.answer = () => new Response(latin, { headers: { "content-type": "text/calendar; charset=iso-8859-1" } });
    assert.equal((await polls.all("2026-03-01T08:05:00Z"))[0]?.payload.location, "Café");
    server.answer = text(latin);
    assert.equal((await polls.all("2026-03-01T08:10:00Z"))[0]?.payload.location, "Caf\uFFFD");
  });
});

Deno.test("a password goes to its own origin only, through redirects too", async () => {
  await withServer(async (other) => {
    await withServer(async (server) => {
      server.answer = ({ url }) =>
        url.endsWith("/moved")
          ? Response.redirect(other.url, 302)
          : new Response(null, { status: 301, headers: { location: "/moved" } });
      const polls = new Polls({ url: server.url, username: "ada" }, { password: "a password" });
      assert.deepEqual(await polls.told("2026-03-01T08:00:00Z"), []);
      assert.equal(other.requests[0]?.get("authorization"), null);
      const sent = server.requests.map((headers) => headers.get("authorization"));
      assert.deepEqual(sent, Array(2).fill(`Basic ${btoa("ada:a password")}`));
    });
  });
});

Deno.test("an address that is a secret is in no error", async () => {
  const secret = "http://127.0.0.1:9/private-8c1f2d/basic.ics";
  await assert.rejects(new Polls({}, { url: secret }).page("2026-03-01T08:00:00Z"), (error: Error) => {
    assert.match(error.message, /does not answer/);
    assert.ok(!error.message.includes("8c1f2d"));
    return true;
  });
});

Deno.test("with another address or other settings, events begin anew", async () => {
  await withServer(async (server) => {
    server.answer = text(feedOf(review));
    const one = new Polls({ url: server.url });
    await one.all("2026-03-01T08:00:00Z");
    const other = new Polls({ url: `${server.url}?other` });
    other.cursor = one.cursor;
    server.answer = text(feedOf(lunch));
    assert.deepEqual(await other.told("2026-03-01T08:05:00Z"), []);
  });
});

Deno.test("the address is set exactly once, as a secret or not, and holds no password", () => {
  const url = "https://calendar.example.com/team.ics";
  const faults = (config: Record<string, unknown>, secrets: Record<string, unknown> = {}) =>
    calendar.faultsOf({ config, secrets }, true).map(({ pointer }) => pointer);
  assert.deepEqual(faults({ url }), []);
  assert.deepEqual(faults({}, { url: "webcal://calendar.example.com/secret.ics" }), []);
  assert.deepEqual(faults({}), ["/config/url"]);
  assert.deepEqual(faults({ url }, { url }), ["/config/url"]);
  assert.deepEqual(faults({ url }, { password: "x" }), ["/config/username"]);
  for (const wrong of ["https://ada:pw@example.com/", "file:///etc/passwd", "example.com", "https://"]) {
    assert.ok(faults({ url: wrong }).includes("/config/url"), wrong);
  }
  assert.deepEqual(faults({ url, timeZone: "Mars/Olympus" }), ["/config/timeZone"]);
});
