// Where the changed days of a phone are stored: in slots for the open day, in rows for all others.
import { expect, test } from 'vitest';
import type { SampleId } from '../../../../shared/catalog/metrics.ts';
import { type ClosedSamples, noClosedSamples } from '../../../../shared/measurements/rows/closed-samples.ts';
import {
  OpenSamples,
  type OpenSlot,
  openSampleRows,
  type RowSummary,
  type SampleWrites,
} from '../../../../shared/measurements/rows/open-sample-rows.ts';
import type { StoredSampleDay } from '../../../../shared/measurements/rows/sample-day.ts';
import { randomFrom } from '../../../harness/faults.ts';
import { itemBytes } from '../../../harness/measured-table.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const user = 'usr_01k00000000000000000000000';
const [first, second, third] = ['2026-03-10', '2026-03-11', '2026-03-12'] as const;
const hourMs = 3_600_000;

const dayOf = (
  utcDay: string,
  hours: readonly number[],
  { metric = 'heart_rate', device = 0, revision = 0 }: { metric?: SampleId; device?: number; revision?: number } = {},
): StoredSampleDay => ({
  metric,
  utcDay,
  device,
  revision,
  samples: hours.map((hour) => {
    const startMs = Date.parse(utcDay) + hour * hourMs;
    return { startMs, endMs: startMs, value: 60 + hour, offsetMinutes: null };
  }),
});
const opened = (slots: readonly OpenSlot[], summaries: readonly RowSummary[] = []): OpenSamples =>
  new OpenSamples(
    slots.map((slot) => ({ ...slot, revision: slot.revision + 1 })),
    summaries.map((each) => ({ ...each, revision: each.revision + 1 })),
  );
const knowing = (through: string, endsMs: number, copied: ClosedSamples['copied']): ClosedSamples => ({
  ...{ through, endsMs, copied },
});
const hourOf = (utcDay: string, hour: number): number => Date.parse(utcDay) + hour * hourMs;
const namesOf = (slots: readonly OpenSlot[]): string[] => slots.map(({ half, slot }) => `${half} ${slot}`);
const daysIn = ({ rows, closedDays: closing }: SampleWrites): Record<string, string[]> => ({
  rows: rows.map(({ metric, utcDay }) => `${metric} ${utcDay}`),
  closedDays: closing.map(({ metric, utcDay }) => `${metric} ${utcDay}`),
});

test('each opened day takes the half of the slots that the previous day does not use, and the closed samples stay', () => {
  const one = new OpenSamples([]).planWrites(0, [dayOf(first, [1, 23])], first);
  expect(namesOf(one.slots)).toEqual(['0 0', '0 5']);
  const two = opened(one.slots).planWrites(0, [dayOf(second, [2])], second);
  expect(daysIn(two)).toEqual({ rows: [], closedDays: [`heart_rate ${first}`] });
  expect(two.closedDays).toEqual([dayOf(first, [1, 23])]);
  expect(namesOf(two.slots)).toEqual(['1 0']);
  const both = opened([...one.slots, ...two.slots]);
  expect(both.days('heart_rate')).toEqual([dayOf(first, [1, 23]), dayOf(second, [2])]);
  const three = both.planWrites(0, [dayOf(third, [3])], third);
  expect(daysIn(three)).toEqual({ rows: [], closedDays: [`heart_rate ${second}`] });
  expect(three.slots).toMatchObject([{ half: 0, slot: 0, utcDay: third, revision: 1 }]);
});

test('days that already have a row, that are late, early or of a clock that is behind are stored as rows', () => {
  const { slots } = new OpenSamples([]).planWrites(0, [dayOf(second, [2])], second);
  const open = opened(slots);
  const changed = [
    dayOf(first, [1]),
    dayOf(third, [1]),
    dayOf(second, [2], { metric: 'blood_oxygen', revision: 4 }),
  ] as const;
  expect(open.planWrites(0, changed, second)).toMatchObject({ rows: changed, closedDays: [], slots: [] });
  // A clock that is a day behind.
  const behind = [dayOf(first, [5]), dayOf(second, [5])];
  expect(open.planWrites(0, behind, first)).toMatchObject({ rows: behind, closedDays: [], slots: [] });
});

test('a day that has a row from a late sample is not closed a second time', () => {
  const both = [dayOf(first, [1]), dayOf(first, [1], { metric: 'blood_oxygen' })];
  const { slots } = new OpenSamples([]).planWrites(0, both, first);
  const late = dayOf(first, [1, 2], { revision: 1 });
  const known = { device: 0, closed: knowing(first, hourOf(first, 1), null), revision: 0 };
  const writes = opened(slots, [known]).planWrites(0, [late, dayOf(second, [0])], second);
  expect(daysIn(writes)).toEqual({ rows: [`heart_rate ${first}`], closedDays: [`blood_oxygen ${first}`] });
  expect(writes.completedSlots).toEqual([]);
  expect(writes.summaries.map(({ closed }) => closed)).toEqual([knowing(first, hourOf(first, 2), null)]);
});

test('a day held only in slots is closed with its last samples, and is then in both', () => {
  const both = [dayOf(first, [1]), dayOf(first, [3], { metric: 'blood_oxygen' })];
  const { slots } = new OpenSamples([]).planWrites(0, both, first);
  const writes = opened(slots).planWrites(0, [dayOf(first, [1, 23]), dayOf(second, [0])], second);
  expect(daysIn(writes)).toEqual({ rows: [], closedDays: [`heart_rate ${first}`, `blood_oxygen ${first}`] });
  expect(writes.completedSlots).toMatchObject([{ half: 0, slot: 5, utcDay: first, revision: 0 }]);
  const copied = { utcDay: first, endsMs: hourOf(first, 23) };
  expect(writes.summaries).toEqual([
    { device: 0, closed: knowing(first, noClosedSamples.endsMs, copied), revision: 0 },
  ]);
  const after = opened([...slots, ...writes.completedSlots, ...writes.slots], writes.summaries);
  expect([after.hasRows(0, first), after.hasRows(0, second), after.hasRows(1, first)]).toEqual([true, false, false]);
  const span = (startMs: number) => [{ startMs, endMs: hourOf(second, 12) }];
  expect(after.findSlotOnlyDays(0, 'blood_oxygen', span(hourOf(first, 0)))).toEqual([both[1]]);
  // After a late sample the day is in rows only.
  const [late] = after.planWrites(0, [dayOf(first, [1, 4, 23], { revision: 1 })], second).summaries;
  expect(late?.closed).toEqual(knowing(first, hourOf(first, 23), null));
  const again = opened([...slots, ...writes.slots], late ? [late] : []);
  expect(again.findSlotOnlyDays(0, 'blood_oxygen', span(hourOf(first, 23)))).toBeUndefined();
  expect(again.findSlotOnlyDays(0, 'heart_rate', span(hourOf(second, 0)))).toEqual([dayOf(second, [0])]);
});

test('rows count on the days that their samples reach into', () => {
  const long = { startMs: hourOf(first, 20), endMs: hourOf(second, 20), value: 3, offsetMinutes: null };
  const [known] = new OpenSamples([]).planWrites(0, [{ ...dayOf(first, []), samples: [long] }], third).summaries;
  const open = new OpenSamples([], known ? [known] : []);
  const from = (startMs: number) => open.findSlotOnlyDays(0, 'steps', [{ startMs, endMs: hourOf(third, 24) }]);
  expect(from(hourOf(second, 20))).toBeUndefined();
  expect(from(hourOf(second, 20) + 1)).toEqual([]);
});

test('the copy of a day is forgotten when the next day is closed, but not how far it reached', () => {
  const one = new OpenSamples([]).planWrites(0, [dayOf(first, [23])], first);
  const two = opened(one.slots).planWrites(0, [dayOf(second, [2])], second);
  const three = opened([...one.slots, ...two.slots], two.summaries).planWrites(0, [dayOf(third, [3])], third);
  const copied = { utcDay: second, endsMs: hourOf(second, 2) };
  expect(three.summaries).toEqual([{ device: 0, closed: knowing(second, hourOf(first, 23), copied), revision: 1 }]);
});

test('a day whose slots are about to be reused is no longer a copy', () => {
  const one = new OpenSamples([]).planWrites(0, [dayOf(first, [23])], first);
  const two = opened(one.slots).planWrites(0, [dayOf(second, [2])], second);
  // An early sample of the third day.
  const early = opened([...one.slots, ...two.slots], two.summaries).planWrites(0, [dayOf(third, [1])], second);
  const before = opened([...one.slots, ...two.slots], early.summaries);
  const three = before.planWrites(0, [dayOf(third, [1], { metric: 'blood_oxygen' })], third);
  expect(three.slots).toMatchObject([{ half: 0, utcDay: third }]);
  expect(three.summaries.map(({ closed }) => closed)).toEqual([knowing(third, hourOf(third, 1), null)]);
});

test('a close that crashed is repeated as it was, and one with another sample reads the rows that are left', () => {
  const one = new OpenSamples([]).planWrites(0, [dayOf(first, [1])], first);
  const two = opened(one.slots).planWrites(0, [dayOf(second, [2])], second);
  const died = opened(one.slots, two.summaries);
  expect(died.planWrites(0, [dayOf(second, [2])], second)).toMatchObject({
    completedSlots: [],
    summaries: [],
    closedDays: two.closedDays,
  });
  const late = died.planWrites(0, [dayOf(first, [1, 2], { revision: 1 }), dayOf(second, [2])], second);
  expect(daysIn(late)).toEqual({ rows: [`heart_rate ${first}`], closedDays: [] });
  expect(late.summaries.map(({ closed }) => closed)).toEqual([knowing(first, hourOf(first, 2), null)]);
});

test('late samples stay in slots until samples of a new day arrive', () => {
  const open = opened(new OpenSamples([]).planWrites(0, [dayOf(first, [20])], first).slots);
  const late = open.planWrites(0, [dayOf(first, [20, 23])], second);
  expect(late).toMatchObject({ rows: [], closedDays: [], slots: [{ half: 0, slot: 5, utcDay: first, revision: 1 }] });
});

test('another phone of the same user has its own open day', () => {
  const { slots } = new OpenSamples([]).planWrites(1, [dayOf(second, [2], { device: 1 })], second);
  const writes = opened(slots).planWrites(0, [dayOf(first, [2])], first);
  expect(writes).toMatchObject({ rows: [], closedDays: [], slots: [{ device: 0, half: 0, revision: 0 }] });
});

test('closing a day of one phone leaves the open day of another open', () => {
  const [mine, other] = [dayOf(first, [1]), dayOf(first, [2], { device: 1 })];
  const slots = [mine, other].flatMap((day) => new OpenSamples([]).planWrites(day.device, [day], first).slots);
  const { closedDays: closing, summaries: known } = opened(slots).planWrites(0, [dayOf(second, [0])], second);
  expect(closing).toEqual([mine]);
  expect(known.map(({ device }) => device)).toEqual([0]);
  // The days of another phone are not included.
  expect(opened(slots).findSlotOnlyDays(0, 'heart_rate', [])).toEqual([mine]);
});

test('a row of today opens no day, and the newest day stays in its slots', () => {
  const { slots } = new OpenSamples([]).planWrites(0, [dayOf(first, [2])], first);
  const row = dayOf(second, [1], { revision: 4 });
  const writes = opened(slots).planWrites(0, [row, dayOf(first, [2, 9])], second);
  expect(writes).toMatchObject({ rows: [row], closedDays: [], slots: [{ half: 0, slot: 2, utcDay: first }] });
});

function many(metric: SampleId): StoredSampleDay {
  const random = randomFrom(3);
  return {
    ...dayOf(first, [], { metric }),
    samples: Array.from({ length: 46_000 }, (_none, at) => {
      const startMs = Date.parse(first) + at * 300 + Math.floor(random() * 200);
      return { startMs, endMs: startMs, value: 40 + random() * 60, offsetMinutes: null };
    }),
  };
}

test('a day whose last samples exceed an item is closed without them in its slots', () => {
  const [one, other] = [many('heart_rate'), many('blood_oxygen')];
  const { slots } = new OpenSamples([]).planWrites(0, [one], first);
  const writes = opened(slots).planWrites(0, [other, dayOf(second, [0])], second);
  expect([writes.completedSlots, writes.summaries.map(({ closed }) => closed.copied)]).toEqual([[], [null]]);
  expect([writes.rows, writes.closedDays].map((days) => days.map(({ metric }) => metric))).toEqual([
    ['blood_oxygen'],
    ['heart_rate'],
  ]);
});

test('samples that exceed an item become rows', () => {
  const [one, other] = [many('heart_rate'), many('blood_oxygen')];
  const fits = new OpenSamples([]).planWrites(0, [one], first);
  expect([fits.rows.length, fits.slots.length]).toEqual([0, 1]);
  const { rows, closedDays: closing, slots } = opened(fits.slots).planWrites(0, [other], first);
  expect([rows.length, closing.length, slots.length]).toEqual([1, 0, 0]);
  expect(rows[0] === other).toBe(true);
});

test('a slot is replaced only if unchanged since it was read, and fits a table item', async () => {
  const { deps, table } = memoryDeps();
  const rows = openSampleRows(deps.store);
  const [slot] = new OpenSamples([]).planWrites(0, [dayOf(first, [1])], first).slots;
  if (!slot) throw new Error('No slot was planned.');
  expect(await rows.replace(user, slot)).toBe(true);
  expect(await rows.replace(user, slot)).toBe(false);
  expect(await rows.replace(user, { ...slot, revision: 1 })).toBe(true);
  expect((await rows.read(user)).days('heart_rate')).toEqual([dayOf(first, [1])]);
  expect((await rows.read(user, { device: 1 })).days('heart_rate')).toEqual([]);
  expect(table.rows().map(itemBytes)[0]).toBeLessThan(150);
});
