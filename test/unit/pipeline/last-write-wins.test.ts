// The last value that a device sends counts, even if it equals an earlier one; repeating it changes
// nothing.
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawUploadRows } from '../../../shared/pipeline/raw-uploads.ts';
import type { Table, Write } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { readForm2Daily, readForm2Sleep, readForm2Timeseries, readForm2Workouts } from '../../harness/form-2-reads.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { createRacedUser, type RacedUser, type RecordLists, type TestDevice } from '../../harness/raced-user.ts';
import { phone, watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';

const date = '2026-03-10';
const kinds = ['weight', 'total', 'night', 'workout', 'beat'] as const;
type Kind = (typeof kinds)[number];
const gadgets = { watch, phone };
type Who = keyof typeof gadgets;

interface Report {
  who: Who;
  kind: Kind;
  /** One of a few values, so that a device often repeats itself. */
  value: number;
}

/** Each upload corrects the one record of its kind that the device has. */
function recordsOf({ who, kind, value }: Report): RecordLists {
  const hour = who === 'watch' ? '02' : '14';
  const start = `${date}T${hour}:00:00Z`;
  const end = `${date}T${hour}:${10 + value}:00Z`;
  switch (kind) {
    case 'weight':
      return { samples: [{ metric: 'weight', start: `${date}T08:00:00Z`, value: 80 + value, unit: 'kg' }] };
    case 'total':
      return { daily: [{ metric: 'steps', date, value: 1_000 + value, unit: 'count' }] };
    case 'night':
      return { sleep: [{ start, end, asleep_minutes: value }] };
    case 'workout':
      return { workouts: [{ type: 'walking', start, end: `${date}T${hour}:50:00Z`, distance_km: value }] };
    case 'beat':
      return { samples: [{ metric: 'heart_rate', start: `${date}T09:00:00Z`, value: 60 + value, unit: 'bpm' }] };
  }
}

interface ReadBack {
  weight: number | null;
  total: number | null;
  beats: number[];
  nights: (number | null)[];
  workouts: (number | null)[];
}

async function readBack({ deps, caller, id }: RacedUser): Promise<ReadBack> {
  const days = { from_date: date, to_date: date, include_sources: false };
  const daily = JSON.parse((await readForm2Daily(deps, caller, id, { ...days, types: 'weight,steps' })).text).series;
  const beats = await readForm2Timeseries(deps, caller, id, {
    metrics: 'heart_rate',
    start_date: date,
    end_date: date,
    include_sources: false,
  });
  const { data: nights } = await readForm2Sleep(deps, caller, id, { ...days, limit: 100 });
  const { data: workouts } = await readForm2Workouts(deps, caller, id, { ...days, limit: 100 });
  return {
    weight: daily.weight[0],
    total: daily.steps[0],
    beats: 'data' in beats ? beats.data.map(({ value }) => value) : [],
    nights: nights.map(({ asleep_minutes }) => asleep_minutes),
    workouts: workouts.map(({ distance_km }) => distance_km),
  };
}

/**
 * The phone ranks first for weight, the watch for everything else. Nights and workouts are stored
 * per device; those of the phone are later in the day.
 */
function oracle(all: readonly Report[]): ReadBack {
  const last = (who: Who, kind: Kind) => all.findLast((report) => report.who === who && report.kind === kind)?.value;
  const plus = (value: number | undefined, base: number) => (value === undefined ? undefined : base + value);
  const both = (kind: Kind) => [last('phone', kind), last('watch', kind)].filter((value) => value !== undefined);
  const beat = plus(last('watch', 'beat') ?? last('phone', 'beat'), 60);
  return {
    weight: plus(last('phone', 'weight') ?? last('watch', 'weight'), 80) ?? null,
    total: plus(last('watch', 'total') ?? last('phone', 'total'), 1_000) ?? null,
    beats: beat === undefined ? [] : [beat],
    nights: both('night'),
    workouts: both('workout'),
  };
}

type Step = Report | 'work' | { clock: number };
const reportArbitrary: fc.Arbitrary<Report> = fc.record({
  who: fc.constantFrom<Who[]>('watch', 'watch', 'phone'),
  kind: fc.constantFrom(...kinds),
  value: fc.integer({ min: 1, max: 3 }),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: reportArbitrary },
    { weight: 2, arbitrary: fc.constant('work' as const) },
    { weight: 1, arbitrary: fc.record({ clock: fc.integer({ min: -5_000, max: 1_000 }) }) },
  ),
  { minLength: 1, maxLength: 30 },
);

/** A clock that stands still until it is moved forward or back. */
function manualClock(): { now(): number; advance(by: number): void } {
  let now = Date.now();
  return {
    now: () => now,
    advance(by) {
      now += by;
    },
  };
}

test('the last upload of each device counts, in any order, processed together or apart, and with any clock', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const user = await createRacedUser(memoryTable(), null);
      const clock = manualClock();
      const deps: Deps = { ...user.deps, clock };
      for (const step of all)
        if (step === 'work') await runWriter(user.deps, user.id);
        else if ('clock' in step) clock.advance(step.clock);
        else await user.upload(gadgets[step.who], recordsOf(step), deps);
      await user.settle();
      expect(await readBack(user)).toEqual(oracle(all.filter((step) => typeof step === 'object' && 'who' in step)));
    }),
    { numRuns: 60 },
  );
});

describe('a repeat', () => {
  const isDataOrEvent = ({ sk }: { sk: string }): boolean => /^[NDTZWH]#|^OUT#/.test(sk);
  /** Collects the keys of the days, their sources and the events that are written. */
  function counting(table: Table): { table: Table; written: string[] } {
    const written: string[] = [];
    const note = (writes: readonly Write[]): void => {
      for (const write of writes) if (write.kind === 'put' && isDataOrEvent(write.item)) written.push(write.item.sk);
    };
    return {
      written,
      table: {
        ...table,
        write(write) {
          note([write]);
          return table.write(write);
        },
        transact(writes) {
          note(writes);
          return table.transact(writes);
        },
        batchWrite(writes) {
          note(writes);
          return table.batchWrite(writes);
        },
      },
    };
  }
  const everything = (value: number, who: Who = 'watch'): RecordLists => {
    const all = kinds.map((kind) => recordsOf({ who, kind, value }));
    return {
      samples: all.flatMap(({ samples = [] }) => samples),
      daily: all.flatMap(({ daily = [] }) => daily),
      sleep: all.flatMap(({ sleep = [] }) => sleep),
      workouts: all.flatMap(({ workouts = [] }) => workouts),
    };
  };
  async function whatIsWritten(user: RacedUser, ...uploads: [TestDevice, RecordLists][]): Promise<string[]> {
    const { table, written } = counting(user.table);
    const deps = user.withTable(table, false);
    for (const [gadget, records] of uploads) await user.upload(gadget, records, deps);
    await runWriter(deps, user.id);
    return written;
  }

  test('of the last upload of a device is not even enqueued, writes no day and publishes no event', async () => {
    const user = await createRacedUser(memoryTable(), null);
    expect(await whatIsWritten(user, [watch, everything(1)])).toContainEqual(expect.stringMatching(/^OUT#/));
    await user.upload(watch, everything(1));
    expect(await pendingCommands(user.table, user.id)).toEqual([]);
    expect(await whatIsWritten(user, [watch, everything(1)])).toEqual([]);
  });

  test('of stored data with another upload in between writes no day and publishes no event', async () => {
    const user = await createRacedUser(memoryTable(), null);
    await whatIsWritten(user, [watch, everything(1)]);
    const between = recordsOf({ who: 'watch', kind: 'weight', value: 1 });
    expect(await whatIsWritten(user, [watch, between], [watch, everything(1)])).toEqual([]);
  });

  test('of the data of another device counts as data of its own', async () => {
    const user = await createRacedUser(memoryTable(), null);
    await whatIsWritten(user, [watch, everything(1)]);
    expect(await whatIsWritten(user, [phone, everything(1)])).toContainEqual(expect.stringMatching(/^OUT#/));
  });

  test('that waits behind a correction counts: 80, 81, 80 is 80', async () => {
    const user = await createRacedUser(memoryTable(), null);
    const weigh = (value: number): [TestDevice, RecordLists] => [
      watch,
      recordsOf({ who: 'watch', kind: 'weight', value }),
    ];
    await whatIsWritten(user, weigh(0), weigh(1), weigh(0));
    expect((await readBack(user)).weight).toBe(80);
    for (const value of [0, 1, 0]) await whatIsWritten(user, weigh(value));
    expect((await readBack(user)).weight).toBe(80);
  });
});

test('uploads of one device at the same moment have an order, and the last one counts', async () => {
  const user = await createRacedUser(memoryTable(), null);
  await user.upload(watch, recordsOf({ who: 'watch', kind: 'weight', value: 9 }));
  await user.settle();
  const deps: Deps = { ...user.deps, clock: manualClock() };
  const values = [1, 2, 3, 4, 5];
  await Promise.all(
    values.map((value) => user.upload(watch, recordsOf({ who: 'watch', kind: 'weight', value }), deps)),
  );
  const waiting = (await pendingCommands(user.table, user.id)).filter((command) => command.kind === 'upload');
  expect(waiting).toHaveLength(values.length);
  const last = waiting.at(-1);
  if (!last) throw new Error('nothing is pending');
  const raw = await rawUploadRows(user.deps.store).readBytes(user.id, last);
  const { samples } = JSON.parse(gunzipSync(raw ?? '').toString());
  await user.settle();
  expect((await readBack(user)).weight).toBe(samples[0].value);
  const [device] = (await readUserContext(user.deps, user.id))?.devices ?? [];
  expect(device?.lastBatch).toBe(last.id);
});
