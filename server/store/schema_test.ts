import assert from "node:assert/strict";
import { z } from "zod";
import { LeaseLostError, StoreError } from "../errors.ts";
import { INLET_VERSION } from "../version.ts";
import { changeRecords } from "./change.ts";
import { keys } from "./keys.ts";
import { leaseStore } from "./leases.ts";
import type { Migration } from "./migrations.ts";
import { Records } from "./records.ts";
import { knownSchema, prepareStore, readSchema, requireSchema } from "./schema.ts";

const noteSchema = z.union([
  z.object({ text: z.string() }),
  z.object({ lines: z.array(z.string()) }),
]);

const intoLines: Migration = {
  what: "split notes into lines",
  async run(kv, goOn) {
    await changeRecords(kv, ["note"], noteSchema, {
      change: (note) => "text" in note ? { value: { lines: note.text.split("\n") } } : undefined,
      goOn,
    });
  },
};

const upper: Migration = {
  what: "write notes in capitals",
  async run(kv, goOn) {
    await changeRecords(kv, ["note"], z.object({ lines: z.array(z.string()) }), {
      change({ lines }) {
        const capitals = lines.map((line) => line.toUpperCase());
        return capitals.join() === lines.join() ? undefined : { value: { lines: capitals } };
      },
      goOn,
    });
  },
};

async function withNotes(count: number): Promise<{ kv: Deno.Kv; records: Records }> {
  const kv = await Deno.openKv(":memory:");
  const records = new Records(kv);
  for (let index = 0; index < count; index++) {
    await records.commit([{ key: ["note", index], value: { text: `a${index}\nb` } }]);
  }
  return { kv, records };
}

const partsOf = (kv: Deno.Kv, migrations?: readonly Migration[]) => ({
  leases: leaseStore(kv, () => new Date()),
  ...(migrations && { migrations }),
});

Deno.test("prepareStore gives a new store the present schema, and leaves it as it is the next time", async () => {
  using kv = await Deno.openKv(":memory:");
  await prepareStore(kv, partsOf(kv, [intoLines]));
  assert.deepEqual(await readSchema(kv), { version: 2, inlet: INLET_VERSION });
  const { versionstamp } = await kv.get(keys.schema());
  await prepareStore(kv, partsOf(kv, [intoLines]));
  assert.equal((await kv.get(keys.schema())).versionstamp, versionstamp);
});

Deno.test("prepareStore takes a store without a version for version 1, and brings it forward step by step", async () => {
  const { kv, records } = await withNotes(3);
  await prepareStore(kv, partsOf(kv));
  assert.deepEqual([(await readSchema(kv))?.version, knownSchema()], [1, 1]);
  await prepareStore(kv, partsOf(kv, [intoLines, upper]));
  assert.equal((await readSchema(kv))?.version, 3);
  const notes = await records.list(["note"], z.object({ lines: z.array(z.string()) }));
  assert.deepEqual(notes.map(({ value }) => value.lines), [["A0", "B"], ["A1", "B"], ["A2", "B"]]);
  kv.close();
});

Deno.test("prepareStore goes on where a start was cut off, and changes nothing twice", async () => {
  const { kv, records } = await withNotes(1200);
  let batches = 0;
  const cutOff: Migration = {
    what: "is cut off in the second batch",
    run: (kv, goOn) =>
      intoLines.run(kv, async () => {
        await goOn();
        if (++batches === 2) throw new Error("killed");
      }),
  };
  await assert.rejects(prepareStore(kv, partsOf(kv, [cutOff])), /killed/);
  assert.equal((await readSchema(kv))?.version, 1);
  const before = new Map(
    (await records.list(["note"], noteSchema)).map(({ key, version }) => [Number(key[1]), version]),
  );
  const done = (await records.list(["note"], noteSchema)).filter(({ value }) => "lines" in value);
  assert.ok(done.length > 0 && done.length < 1200, `${done.length} were changed before the end`);
  await prepareStore(kv, partsOf(kv, [intoLines]));
  const after = await records.list(["note"], z.object({ lines: z.array(z.string()) }));
  assert.equal(after.length, 1200);
  for (const { key } of done) {
    const now = after.find((note) => note.key[1] === key[1]);
    assert.equal(now?.version, before.get(Number(key[1])), "what was changed is left alone");
  }
  kv.close();
});

Deno.test("prepareStore lets one of two processes do it, and the other wait", async () => {
  const { kv } = await withNotes(2);
  const began = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let runs = 0;
  const slow: Migration = {
    what: "waits in the middle",
    async run() {
      runs++;
      began.resolve();
      await goOn.promise;
    },
  };
  const first = prepareStore(kv, partsOf(kv, [slow]));
  await began.promise;
  const second = prepareStore(kv, {
    ...partsOf(kv, [slow]),
    async pause() {
      waits.resolve();
      await first;
    },
  });
  await waits.promise;
  goOn.resolve();
  await Promise.all([first, second]);
  assert.deepEqual([runs, (await readSchema(kv))?.version], [1, 2]);
  kv.close();
});

Deno.test("prepareStore stops when it has lost the lease, and then waits for who has it", async () => {
  const { kv } = await withNotes(1);
  let now = Date.parse("2026-03-02T12:00:00Z");
  const leases = leaseStore(kv, () => new Date(now));
  let runs = 0;
  const paused: Migration = {
    what: "is paused for a minute",
    async run(_, goOn) {
      if (++runs > 1) return;
      now += 60_000;
      // The other process finds the lease expired, and does the step.
      await prepareStore(kv, { leases, migrations: [paused] });
      await assert.rejects(goOn(), LeaseLostError);
      await goOn();
    },
  };
  await prepareStore(kv, { leases, migrations: [paused] });
  assert.deepEqual([runs, (await readSchema(kv))?.version], [2, 2]);
  kv.close();
});

Deno.test("a store of a newer program is refused, with the program that reads it", async () => {
  using kv = await Deno.openKv(":memory:");
  await new Records(kv).commit([{ key: keys.schema(), value: { version: 3, inlet: "0.4.0" } }]);
  const attempts = [() => prepareStore(kv, partsOf(kv, [intoLines])), () => requireSchema(kv, [intoLines])];
  for (const attempt of attempts) {
    await assert.rejects(attempt, (error: Error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /^Cannot use the store: it is of schema 3, and this Inlet \(\S+\) knows 2\. /);
      assert.match(error.message, /Run Inlet 0\.4\.0 or newer, or restore a backup/);
      return true;
    });
  }
});

Deno.test("requireSchema refuses an older store without changing it, and takes one of before there were versions", async () => {
  const { kv } = await withNotes(1);
  await requireSchema(kv);
  await assert.rejects(requireSchema(kv, [intoLines]), /it is of schema 1, .* writes 2\. Start the service once/);
  assert.equal(await readSchema(kv), undefined);
  kv.close();
});

Deno.test("a store that a restore left half-written is refused", async () => {
  using kv = await Deno.openKv(":memory:");
  await kv.set(keys.restoring(), "2026-03-02T12:00:00.000Z");
  await assert.rejects(prepareStore(kv, partsOf(kv)), /a restore into it was cut off.* --replace/);
  await assert.rejects(requireSchema(kv), /a restore into it was cut off/);
});
