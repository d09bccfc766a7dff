/** The calendar connector against Radicale, a real CalDAV server, alone and in a real process. */
import { calendarPayloadSchemas, isCalendarEventType } from "@inlet/calendar-events";
import { EVENT_TYPE_PATTERN, normalizedEventSchema } from "@inlet/events-core";
import assert from "node:assert/strict";
import { Polls } from "../connectors/calendar/testing.ts";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { type Radicale, startRadicale } from "./support/radicale.ts";

const MORNING = "2026-03-02T09:00:00Z";
const at = (start: string, ...lines: string[]) => [`DTSTART:20260302T${start}00Z`, "DURATION:PT30M", ...lines];

const farAhead = (...lines: string[]) => ["DTSTART:20990302T100000Z", ...lines];

async function withRadicale(run: (radicale: Radicale) => Promise<void>): Promise<void> {
  const radicale = await startRadicale();
  try {
    await run(radicale);
  } finally {
    await radicale.stop();
  }
}

function polling({ username, password }: Radicale, url: string, config: Record<string, unknown> = {}): Polls {
  return new Polls({ url, kind: "caldav", username, ...config }, { password });
}

Deno.test("Radicale's changes, starts and ends are told, each once", async () => {
  await withRadicale(async (radicale) => {
    const calendar = await radicale.makeCalendar("work");
    await radicale.put(calendar, "review", at("1000", "SUMMARY:Review"));
    const polls = polling(radicale, calendar);
    assert.deepEqual(await polls.told(MORNING), []);

    await radicale.put(calendar, "lunch", [
      "SUMMARY:Lunch",
      "DTSTART;TZID=Europe/Berlin:20260302T120000",
      "DTEND;TZID=Europe/Berlin:20260302T130000",
      "RRULE:FREQ=WEEKLY",
      "ORGANIZER;CN=Ada:mailto:ada@example.com",
    ]);
    await radicale.put(calendar, "review", at("1015", "SUMMARY:Review"));
    const drafts = await polls.all("2026-03-02T09:05:00Z");
    assert.deepEqual(drafts.map(({ type }) => type).sort(), ["calendar.event.created", "calendar.event.updated"]);
    for (const { type, payload } of drafts) {
      assert.match(type, EVENT_TYPE_PATTERN);
      assert.ok(isCalendarEventType(type));
      assert.deepEqual(calendarPayloadSchemas[type].parse(payload), payload);
      assert.equal(payload.calendar, "Calendar work");
    }
    assert.deepEqual(drafts.find(({ subject }) => subject.id === "lunch")?.actor, {
      type: "user",
      id: "ada@example.com",
      name: "Ada",
    });

    await radicale.remove(calendar, "review");
    assert.deepEqual(await polls.told("2026-03-02T09:10:00Z"), ["cancelled Review 03-02T09:10"]);
    assert.deepEqual(await polls.told("2026-03-02T11:00:00Z"), ["started Lunch 03-02T11:00"]);
    assert.deepEqual(await polls.told("2026-03-02T11:05:00Z"), []);
    assert.deepEqual(await polls.told("2026-03-02T12:05:00Z"), ["ended Lunch 03-02T12:00"]);
    assert.deepEqual(await polls.told("2026-03-09T11:05:00Z"), ["started Lunch 03-09T11:00"]);
    // Central Europe puts its clocks forward on 29 March: the same wall time is an hour earlier.
    await polls.all("2026-03-30T09:00:00Z");
    assert.deepEqual(await polls.told("2026-03-30T10:00:00Z"), ["started Lunch 03-30T10:00"]);
  });
});

Deno.test("when Radicale has forgotten its sync-tokens, all is compared, and nothing is lost or told twice", async () => {
  await withRadicale(async (radicale) => {
    const calendar = await radicale.makeCalendar("work");
    for (const uid of ["a", "b", "c"]) await radicale.put(calendar, uid, at("1500", `SUMMARY:${uid}`));
    const polls = polling(radicale, calendar);
    await polls.all(MORNING);
    await radicale.remove(calendar, "a");
    await radicale.put(calendar, "b", at("1600", "SUMMARY:b"));
    const collection = `${radicale.folder}/collections/collection-root/ada/work/.Radicale.cache`;
    await Deno.remove(`${collection}/sync-token`, { recursive: true });
    assert.deepEqual((await polls.told(MORNING)).sort(), ["cancelled a 03-02T09:00", "updated b 03-02T09:00"]);
    assert.deepEqual(await polls.told(MORNING), []);
  });
});

Deno.test("an account's address stands for all its calendars, and each entry is known by its own", async () => {
  await withRadicale(async (radicale) => {
    const [work, home] = [await radicale.makeCalendar("work"), await radicale.makeCalendar("home")];
    const polls = polling(radicale, radicale.url);
    await polls.all(MORNING);
    // One invitation in two calendars.
    for (const calendar of [work, home]) await radicale.put(calendar, "party", at("1800", "SUMMARY:Party"));
    const drafts = await polls.all(MORNING);
    assert.deepEqual(drafts.map(({ payload }) => payload.calendar).sort(), ["Calendar home", "Calendar work"]);
    assert.equal(new Set(drafts.map(({ key }) => key)).size, 2);
    assert.equal((await polls.all("2026-03-02T18:00:00Z")).length, 2);
  });
});

Deno.test("a hundred and more entries of Radicale come in pages, and a repeated page has the same keys", async () => {
  await withRadicale(async (radicale) => {
    const calendar = await radicale.makeCalendar("work");
    const polls = polling(radicale, calendar);
    await polls.all(MORNING);
    for (let n = 0; n < 120; n++) await radicale.put(calendar, `entry-${n}`, at("1500", `SUMMARY:${n}`));
    const before = polls.cursor;
    const first = await polls.page(MORNING);
    assert.deepEqual([first.drafts.length, first.more], [100, true]);
    polls.cursor = before;
    const keys = (await polls.page("2026-03-02T09:01:00Z")).drafts.map(({ key }) => key);
    assert.deepEqual(keys, first.drafts.map(({ key }) => key));
    keys.push(...(await polls.all("2026-03-02T09:01:00Z")).map(({ key }) => key));
    assert.deepEqual([keys.length, new Set(keys).size], [120, 120]);
  });
});

Deno.test("a wrong password, an unknown calendar and a server that is gone are errors that keep the place", async () => {
  await withRadicale(async (radicale) => {
    const calendar = await radicale.makeCalendar("work");
    const polls = polling(radicale, calendar);
    await polls.all(MORNING);
    const { cursor } = polls;
    await radicale.put(calendar, "late", at("1500", "SUMMARY:Late"));

    const stranger = polling({ ...radicale, password: "another password" }, calendar);
    await assert.rejects(stranger.page(MORNING), (error: Error) => {
      assert.match(error.message, /wants another user name or password/);
      assert.ok(!error.message.includes("another password"));
      return true;
    });
    await assert.rejects(polling(radicale, `${calendar}none/`).page(MORNING), { name: "PollError" });
    assert.equal(polls.cursor, cursor);
    assert.deepEqual(await polls.told(MORNING), ["created Late 03-02T09:00"]);
    await radicale.stop();
    await assert.rejects(polls.page(MORNING), { name: "PollError", message: /does not answer/ });
  });
});

Deno.test("what changes in Radicale arrives at a consumer of RabbitMQ, each once, after a restart too", async () => {
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  await withRadicale(async (radicale) => {
    const calendar = await radicale.makeCalendar("work");
    await radicale.put(calendar, "history", at("1000", "SUMMARY:History"));
    const config = { url: calendar, kind: "caldav", username: radicale.username, schedule: "0 0 1 1 *" };
    await using consumer = await ForeignConsumer.bind(amqpUrl, exchange, "calendar.#");
    const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
    const env = { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange };
    let workspaceId = "";
    const poll = (inlet: InletProcess) => inlet.poll(workspaceId, "calendar");
    try {
      {
        await using inlet = await InletProcess.start({ env, folder });
        workspaceId = await inlet.setUp();
        const secrets = { password: radicale.password };
        const saved = await inlet.post("/connectors/calendar/configure", {
          workspaceId,
          enabled: true,
          config,
          secrets,
        });
        assert.deepEqual(saved, { ok: true, webhookUrl: null });
        assert.equal(await poll(inlet), 0, "what is there already is history");
        for (let n = 0; n < 110; n++) await radicale.put(calendar, `entry-${n}`, farAhead(`SUMMARY:${n}`));
        assert.equal(await poll(inlet), 110);
        assert.equal(await poll(inlet), 0);
      }
      // While nobody polls, an entry starts, another changes and a third is removed.
      const start = new Date(Date.now() + 1000).toISOString().replace(/[-:]|\.\d+/g, "");
      await radicale.put(calendar, "soon", [`DTSTART:${start}`, "DURATION:P1D", "SUMMARY:Soon"]);
      await radicale.put(calendar, "entry-1", farAhead("SUMMARY:Changed"));
      await radicale.remove(calendar, "entry-2");
      await using inlet = await InletProcess.start({ env, folder });
      let published = 0;
      while (published < 4) published += await poll(inlet);
      assert.equal(await poll(inlet), 0);
      assert.ok(!inlet.output.includes(radicale.password));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
    const events = (await consumer.until(114)).map(({ text, properties }) => {
      const event = normalizedEventSchema.parse(JSON.parse(text));
      assert.equal(event.id, properties.messageId);
      assert.ok(isCalendarEventType(event.type));
      assert.deepEqual(calendarPayloadSchemas[event.type].parse(event.payload), event.payload);
      return event;
    });
    assert.equal(new Set(events.map(({ id }) => id)).size, 114);
    const counts = Object.entries(Object.groupBy(events, ({ type }) => type))
      .map(([type, events]) => `${type} ${events?.length}`).sort();
    assert.deepEqual(counts, [
      "calendar.event.cancelled 1",
      "calendar.event.created 111",
      "calendar.event.started 1",
      "calendar.event.updated 1",
    ]);
  });
});
