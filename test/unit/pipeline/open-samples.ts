// A phone's samples are read as if all were stored in one place, for any days and order, and when
// they are corrected, retracted or interrupted by a crash.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SampleId } from '../../../shared/catalog/metrics.ts';
import type { Sample } from '../../../shared/measurements/records.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { splitSampleByDay } from '../../../shared/measurements/rows/split-sample.ts';
import { computeSampleChanges, type SampleChanges } from '../../../shared/pipeline/compute-sample-changes.ts';
import { writeSamples } from '../../../shared/pipeline/write-samples.ts';
import { addDays, type DayRule, utcDay } from '../../../shared/platform/time/local-day.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';
import { crashingTable, WorkerCrashed } from '../../harness/crashing-table.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { deviceRow } from '../../harness/stored-data.ts';

const user = 'usr_01k00000000000000000000000';
const metrics = ['steps', 'heart_rate', 'stress_score', 'deep_sleep'] as const satisfies SampleId[];
const [minuteMs, dayMs] = [60_000, 86_400_000];
const everyDay = { from: '2000-01-01', to: '2100-01-01' };
const rules: readonly DayRule[] = [
  { zone: null, by: 'profile' },
  { zone: 'Europe/Berlin', by: 'profile' },
  { zone: 'America/Los_Angeles', by: 'profile' },
  { zone: 'Pacific/Kiritimati', by: 'profile' },
  { zone: 'Asia/Tokyo', by: 'recorded' },
];
const devices: readonly DeviceRow[] = [
  deviceRow({ id: 'dev_phone', ordinal: 1, connection: 'sdk' }),
  deviceRow({ id: 'dev_other', ordinal: 10, connection: 'sdk' }),
  deviceRow({ id: 'dev_cloud', ordinal: 2 }),
];

interface Step {
  /** The number of days the writer's clock moves before this step. */
  days: number;
  device: number;
  samples: { metric: SampleId; day: number; minute: number; minutes: number; value: number; offset: number | null }[];
  /** Retracts what the device sent for these days and does not send now. */
  claim: { metric: SampleId; from: number; length: number } | null;
  /** A day that is rebuilt regardless of the samples. */
  begun: { metric: SampleId; day: number } | null;
  /**
   * The write at which the writer crashes, if it gets that far, and whether that write is applied.
   */
  death: { at: number; applied: boolean } | null;
}

const metric = fc.constantFrom(...metrics);
const minute = fc.oneof(fc.nat({ max: 1439 }), fc.constantFrom(0, 1, 239, 240, 1200, 1439));
const step: fc.Arbitrary<Step> = fc.record({
  days: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: fc.integer({ min: -1, max: 2 }) }),
  device: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat({ max: 2 }) }),
  samples: fc.array(
    fc.record({
      metric,
      day: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.integer({ min: -3, max: 1 }) },
      ),
      minute,
      minutes: fc.constantFrom(0, 0, 5, 90, 1_400),
      value: fc.integer({ min: 1, max: 3 }),
      offset: fc.constantFrom(null, null, 60, -840, 840),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  claim: fc.option(fc.record({ metric, from: fc.integer({ min: -2, max: 0 }), length: fc.nat({ max: 2 }) }), {
    freq: 3,
  }),
  begun: fc.option(fc.record({ metric, day: fc.integer({ min: -3, max: 1 }) }), { freq: 2 }),
  death: fc.option(fc.record({ at: fc.integer({ min: 1, max: 8 }), applied: fc.boolean() }), { freq: 2 }),
});

const plainStep: Step = { days: 0, device: 0, samples: [], claim: null, begun: null, death: null };
const stepCount = { metric: 'steps', day: 0, minute: 0, minutes: 0, value: 1, offset: null } as const;
/**
 * A day that has rows is opened afterwards, because the writer's clock is behind, and one of its
 * samples reaches into a later day.
 */
const openedAfterRows: Step[] = [
  { ...plainStep, samples: [{ ...stepCount, metric: 'deep_sleep', day: -1 }] },
  { ...plainStep, days: -1, samples: [{ ...stepCount, minute: 641, minutes: 1400 }] },
  { ...plainStep, days: 2, samples: [stepCount] },
  { ...plainStep, samples: [{ ...stepCount, value: 2 }] },
];

/** Maps device, metric, start and end to the value and the offset. */
type Truth = Map<string, { value: number; offset: number | null }>;

const nameOf = (device: number, { metric: id, startMs, endMs }: Pick<Sample, 'metric' | 'startMs' | 'endMs'>): string =>
  `${device} ${id} ${startMs} ${endMs}`;

const readingOf = ({ value, offsetMinutes }: Pick<Sample, 'value' | 'offsetMinutes'>) => ({
  value,
  offset: offsetMinutes,
});

function arrivalOf({ samples, claim }: Step, today: string) {
  const measured = samples.map(({ metric: id, day, minute: at, minutes, value, offset }): Sample => {
    const startMs = Date.parse(addDays(today, day)) + at * minuteMs;
    return { metric: id, startMs, endMs: startMs + minutes * minuteMs, value, offsetMinutes: offset };
  });
  const from = addDays(today, claim?.from ?? 0);
  const claims = claim ? [{ metric: claim.metric, days: { from, to: addDays(from, claim.length) }, zone: null }] : [];
  return { samples: measured, claims };
}

function applyArrival(truth: Truth, device: number, { samples, claims }: ReturnType<typeof arrivalOf>): Truth {
  const isRetracted = (name: string): boolean => {
    const [by, id, startMs] = name.split(' ');
    const day = utcDay(Number(startMs));
    return claims.some(
      (claim) => Number(by) === device && id === claim.metric && day >= claim.days.from && day <= claim.days.to,
    );
  };
  const next = new Map([...truth].filter(([name]) => !isRetracted(name)));
  for (const sample of samples) next.set(nameOf(device, sample), readingOf(sample));
  return next;
}

async function readAll({ deps }: MemoryDeps): Promise<Truth> {
  const found: Truth = new Map();
  for (const id of metrics) {
    const days = await sampleRows(deps.store).readBetween(user, id, everyDay);
    for (const { device, samples } of days)
      for (const sample of samples) {
        const name = nameOf(device, { metric: id, ...sample });
        expect(found.has(name)).toBe(false);
        found.set(name, readingOf(sample));
      }
  }
  return found;
}

interface Worked {
  taken: Step;
  rule: DayRule;
  arrival: ReturnType<typeof arrivalOf>;
}

async function work(world: MemoryDeps, { taken, rule, arrival }: Worked, dies: boolean): Promise<SampleChanges> {
  const row = devices[taken.device] ?? deviceRow();
  const { table } = crashingTable(
    world.table,
    dies && taken.death ? taken.death : { at: Number.POSITIVE_INFINITY, applied: false },
  );
  const deps = world.withTable(table);
  const context = { userId: user, device: row.ordinal, rule, isPhone: row.connection === 'sdk' };
  // Sleep stages count on the day of their night, so the caller names their days.
  const nightly = arrival.samples.filter(({ metric: id }) => id === 'deep_sleep').map(({ startMs }) => utcDay(startMs));
  const pendingDates = new Map<SampleId, string[]>([['deep_sleep', nightly]]);
  const { begun } = taken;
  if (begun)
    pendingDates.set(begun.metric, [
      ...(pendingDates.get(begun.metric) ?? []),
      addDays(utcDay(deps.clock.now()), begun.day),
    ]);
  const changes = await computeSampleChanges(deps, context, [arrival], pendingDates);
  await writeSamples(deps, user, row, changes);
  return changes;
}

/** Checks that each day to be rebuilt gets every sample that counts on it, and no other. */
function expectCounted({ dates, samplesOf }: SampleChanges, truth: Truth, device: number, rule: DayRule): void {
  for (const [id, days] of dates) {
    if (id === 'deep_sleep') continue;
    const counted = (startMs: number, endMs: number, offsetMinutes: number | null): string[] =>
      splitSampleByDay(id, { startMs, endMs, value: 1, offsetMinutes }, rule).flatMap(({ date }) =>
        days.has(date) ? [date] : [],
      );
    const found = Array.from(samplesOf(id), ({ startMs, endMs, offsetMinutes }) =>
      counted(startMs, endMs, offsetMinutes).map((date) => `${date} ${startMs} ${endMs}`),
    );
    const own = [...truth].flatMap(([name, { offset }]) => {
      const [by, named, startMs, endMs] = name.split(' ');
      if (Number(by) !== device || named !== id) return [];
      return counted(Number(startMs), Number(endMs), offset).map((date) => `${date} ${startMs} ${endMs}`);
    });
    expect(found.flat().sort()).toEqual(own.sort());
  }
}

const isDeath = (error: unknown): true => {
  if (!(error instanceof WorkerCrashed)) throw error;
  return true;
};

export function tryHistories(numRuns: number): void {
  test('any history reads back as it was sent, and a crash on the way loses nothing that stays', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...rules),
        async (steps, rule) => {
          const world = memoryDeps();
          let truth: Truth = new Map();
          for (const taken of steps) {
            world.clock.advance(taken.days * dayMs);
            const arrival = arrivalOf(taken, utcDay(world.clock.now()));
            const next = applyArrival(truth, devices[taken.device]?.ordinal ?? 0, arrival);
            const worked = { taken, rule, arrival };
            if (taken.death && (await work(world, worked, true).then(() => false, isDeath))) {
              const between = await readAll(world);
              for (const [name, entry] of between) expect([truth.get(name), next.get(name)]).toContainEqual(entry);
              for (const name of truth.keys()) if (next.has(name)) expect(between.has(name)).toBe(true);
              // The message is delivered again, perhaps on another day.
              if (taken.death.applied) world.clock.advance(dayMs);
            }
            const changes = await work(world, worked, false);
            truth = next;
            expectCounted(changes, truth, devices[taken.device]?.ordinal ?? 0, rule);
            expect(await readAll(world)).toEqual(truth);
            await expectReadsAgree(world, truth);
          }
        },
      ),
      { numRuns, examples: [[openedAfterRows, { zone: 'Pacific/Kiritimati', by: 'profile' }]] },
    );
  });
}

/** Checks that reading all samples, the first and last days, or one device gives the same data. */
async function expectReadsAgree({ deps }: MemoryDeps, truth: Truth): Promise<void> {
  const rows = sampleRows(deps.store);
  const all: Truth = new Map();
  for await (const { device, metric: id, samples } of rows.iterateAll(user))
    for (const sample of samples) all.set(nameOf(device, { metric: id, ...sample }), readingOf(sample));
  expect(all).toEqual(truth);
  for (const id of metrics) {
    const starts = [...truth.keys()].map((name) => name.split(' ')).filter(([, named]) => named === id);
    const days = starts.map(([, , startMs]) => utcDay(Number(startMs))).sort();
    const extent = await rows.findRange(user, id);
    // Days that lost all their samples stay known.
    if (days[0] !== undefined) expect(extent && extent.from <= days[0] && extent.to >= (days.at(-1) ?? '')).toBe(true);
    for (const { ordinal } of devices) {
      const own = (await rows.readBetween(user, id, everyDay, { device: ordinal })).flatMap(({ samples }) => samples);
      expect(own).toHaveLength(starts.filter(([by]) => Number(by) === ordinal).length);
    }
  }
}
