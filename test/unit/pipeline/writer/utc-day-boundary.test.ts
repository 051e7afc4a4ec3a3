// A phone's writer around the end of a UTC day: however it crashes or is overtaken, callers read
// and receive what an undisturbed writer leaves.
import { describe, expect, test } from 'vitest';
import { userWorker } from '../../../../functions/workers/write-user.ts';
import { decodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../../shared/measurements/rows/day-rows.ts';
import { sampleRows } from '../../../../shared/measurements/rows/sample-rows.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { crashingTable, WorkerCrashed } from '../../../harness/crashing-table.ts';
import { type DomainWorld, openDomainWorld } from '../../../harness/domain-world.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { readPartition } from '../../../harness/raced-user.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { stalledTable } from '../../../harness/stalled-table.ts';

const today = '2026-03-10';
const tomorrow = addDays(today, 1);
const minuteMs = 60_000;

interface PhoneUser {
  world: DomainWorld;
  id: string;
  /** Uploads the samples at that instant. */
  upload(at: string, samples: object[]): Promise<void>;
}

/** Steps and heart rates of the minutes before, and one blood oxygen value. */
function measured(until: string, minutes: number, more = 0): object[] {
  const ago = (count: number) => new Date(Date.parse(until) - count * minuteMs).toISOString();
  const offsets = Array.from({ length: minutes / 10 }, (_none, at) => minutes - 10 * at);
  return [
    ...offsets.map((from) => ({
      metric: 'steps',
      start: ago(from),
      end: ago(from - 10),
      value: from + more,
      unit: 'count',
    })),
    ...offsets.map((from) => ({ metric: 'heart_rate', start: ago(from), value: 60 + (from % 30) + more, unit: 'bpm' })),
    { metric: 'blood_oxygen', start: ago(minutes), value: 97 - more, unit: '%' },
  ];
}

/** Creates a phone that has uploaded a day in two syncs. */
async function phoneOf(timezone: string): Promise<PhoneUser> {
  const world = await openDomainWorld();
  const moveTo = (at: string) => world.clock.advance(Date.parse(at) - world.clock.now());
  moveTo(`${today}T03:00:00Z`);
  const id = await world.user({ timezone });
  const upload = async (at: string, samples: object[]) => {
    moveTo(at);
    const device = { name: 'Watch', model: 'W1', type: 'wrist' };
    await world.upload(id, 'apple_health', { time_zone: timezone, device, samples });
  };
  await upload(`${today}T05:00:00Z`, measured(`${today}T05:00:00Z`, 120));
  await runWriter(world.deps, id);
  await upload(`${today}T22:00:00Z`, measured(`${today}T22:00:00Z`, 60));
  await runWriter(world.deps, id);
  return { world, id, upload };
}

const syncs: Record<string, (user: PhoneUser) => Promise<void>> = {
  'an hour of the open day, with a correction': (user) =>
    user.upload(`${today}T22:30:00Z`, measured(`${today}T22:20:00Z`, 60, 1)),
  'an hour across midnight': (user) => user.upload(`${tomorrow}T00:30:00Z`, measured(`${tomorrow}T00:30:00Z`, 60)),
  'an hour of the next day': (user) => user.upload(`${tomorrow}T09:00:00Z`, measured(`${tomorrow}T09:00:00Z`, 60)),
  'late samples of some metrics': (user) =>
    user.upload(`${tomorrow}T09:00:00Z`, measured(`${today}T05:00:00Z`, 60, 2).slice(0, 6)),
  'early samples of the next day': (user) => user.upload(`${today}T23:50:00Z`, measured(`${tomorrow}T00:20:00Z`, 60)),
};

async function outcomeOf({ world, id }: PhoneUser): Promise<object> {
  const { store } = world.deps;
  const days: object[] = [];
  for await (const { date, packed } of dayRows(store).iterateCanonical(id, '2000-01-01', '2100-01-01'))
    days.push({
      date,
      values: [...decodeCanonicalDay(packed)].map(([metric, { value }]) => `${metric} ${value}`).sort(),
    });
  const samples: string[] = [];
  for await (const { metric, samples: own } of sampleRows(store).iterateAll(id))
    for (const { startMs, endMs, value } of own) samples.push(`${metric} ${startMs} ${endMs} ${value}`);
  const events = (await world.events()).map(({ type, metrics, more }) => ({ type, metrics, more }));
  return { days, samples: samples.sort(), events: events.filter(({ type }) => type === 'data.updated') };
}

/** Zones where a UTC day ends at midnight, after lunch and in the afternoon. */
const zones = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles'];
const cases = Object.entries(syncs).flatMap(([name, sync], at) =>
  (name === 'an hour across midnight' ? zones : [zones[at % zones.length] ?? 'UTC']).map(
    (zone) => [name, zone, sync] as const,
  ),
);

describe.each(cases)('%s in %s', (_name, zone, sync) => {
  async function runUninterrupted(more?: (user: PhoneUser) => Promise<void>): Promise<object> {
    const user = await phoneOf(zone);
    await sync(user);
    await runWriter(user.world.deps, user.id);
    await more?.(user);
    await runWriter(user.world.deps, user.id);
    return outcomeOf(user);
  }

  test.each([
    ['before', false],
    ['after', true],
  ])('that crashes %s any of its writes has the same outcome', async (_when, applied) => {
    const expected = await runUninterrupted();
    for (let at = 1; ; at++) {
      const user = await phoneOf(zone);
      const { world, id } = user;
      await sync(user);
      const { table, writes } = crashingTable(world.localTable.table, { at, applied });
      const outcome = await runWriter(world.withTable(table), id).catch((error: unknown) => error);
      if (writes() < at) return expect(at).toBeGreaterThan(4);
      expect(outcome).toBeInstanceOf(WorkerCrashed);
      // The retry may happen on the next UTC day.
      world.clock.advance(at % 2 === 0 ? 2 * minuteMs : 1440 * minuteMs);
      await userWorker(world.deps)({ user_id: id }, { receives: 2 });
      expect(await outcomeOf(user), `crashed at write ${at}`).toEqual(expected);
      expect(await pendingCommands(world.localTable.table, id)).toEqual([]);
    }
  });

  test('stalled before any of its writes undoes nothing that others have written since', async () => {
    const more = async ({ world, upload }: PhoneUser) => {
      const now = new Date(Math.floor(world.clock.now() / minuteMs) * minuteMs + 3 * minuteMs).toISOString();
      await upload(now, [...measured(now, 30), ...measured(`${today}T05:00:00Z`, 20, 3)]);
    };
    const expected = await runUninterrupted(more);
    for (let at = 1; ; at++) {
      const user = await phoneOf(zone);
      const { world, id } = user;
      await sync(user);
      const {
        table,
        isStalled,
        release,
        markEnded: ended,
      } = stalledTable(world.localTable.table, (_writes, count) => count === at);
      const zombie = runWriter(world.withTable(table), id).finally(ended);
      const hasStalled = await isStalled;
      if (hasStalled) {
        await runWriter(world.deps, id);
        await more(user);
        await runWriter(world.deps, id);
      }
      release();
      await zombie;
      if (!hasStalled) return expect(at).toBeGreaterThan(4);
      expect(await outcomeOf(user), `stalled at write ${at}`).toEqual(expected);
    }
  });
});

test('a sync across midnight leaves rows of the ended day and slots of the new one', async () => {
  const user = await phoneOf('UTC');
  const rows = async () => (await readPartition(user.world.localTable.table, user.id)).map(({ sk }) => String(sk));
  expect((await rows()).filter((sk) => /^[AT]#/.test(sk))).toEqual(['A#0#0#0', 'A#0#0#1', 'A#0#0#5']);
  await syncs['an hour across midnight']?.(user);
  await runWriter(user.world.deps, user.id);
  const slots = ['A#0#0#0', 'A#0#0#1', 'A#0#0#5', 'A#0#1#0'];
  expect((await rows()).filter((sk) => sk.startsWith('A#'))).toEqual([...slots, 'A#0#rows']);
  expect((await rows()).filter((sk) => sk.startsWith('T#'))).toHaveLength(3);
});
