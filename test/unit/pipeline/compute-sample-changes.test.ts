// Computing sample changes: which rows are read first, and how a stale writer is stopped.
import { describe, expect, test } from 'vitest';
import type { SampleId } from '../../../shared/catalog/metrics.ts';
import type { Sample } from '../../../shared/measurements/records.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { PassConflict } from '../../../shared/pipeline/command-handler.ts';
import {
  computeSampleChanges,
  type SampleArrival,
  type SampleContext,
} from '../../../shared/pipeline/compute-sample-changes.ts';
import { writeSamples } from '../../../shared/pipeline/write-samples.ts';
import type { DayRule } from '../../../shared/platform/time/local-day.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import { deviceRow } from '../../harness/stored-data.ts';

const user = 'usr_01k00000000000000000000000';
/** The clock starts at noon of `second`. */
const [first, second, third] = ['2026-03-09', '2026-03-10', '2026-03-11'] as const;
const everyDay = { from: '2026-01-01', to: '2026-12-31' };
const [phone, watch] = [deviceRow({ ordinal: 1, connection: 'sdk' }), deviceRow({ ordinal: 2 })];

const sample = (metric: SampleId, at: string, { value = 60, offset = null as number | null } = {}): Sample => {
  const startMs = Date.parse(`${at}:00Z`);
  return { metric, startMs, endMs: startMs, value, offsetMinutes: offset };
};

function sampleFixture(device = phone, rule: DayRule = { zone: null, by: 'profile' }) {
  const { deps, table, clock } = memoryDeps();
  const context: SampleContext = {
    ...{ userId: user, device: device.ordinal, rule },
    isPhone: device.connection === 'sdk',
  };
  const change = (
    samples: readonly Sample[],
    more: Partial<SampleArrival> = {},
    pendingDates = new Map<SampleId, string[]>(),
  ) => computeSampleChanges(deps, context, [{ samples, claims: [], ...more }], pendingDates);
  const write = (changes: Awaited<ReturnType<typeof change>>) => writeSamples(deps, user, device, changes);
  return {
    ...{ deps, table, clock, change, write },
    ingest: async (...samples: Sample[]) => write(await change(samples)),
    async readStarts(metric: SampleId) {
      const days = await sampleRows(deps.store).readBetween(user, metric, everyDay, { device: device.ordinal });
      return days.flatMap(({ samples }) => samples.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 16)));
    },
  };
}

describe('a phone', () => {
  test("that sends a late sample of a closed day changes that UTC day's row, though other zones count it on the next day", async () => {
    const { clock, ingest, change, readStarts } = sampleFixture(phone, { zone: 'Pacific/Auckland', by: 'profile' });
    await ingest(sample('heart_rate', `${second}T01:00`), sample('blood_oxygen', `${second}T01:00`));
    clock.advance(86_400_000);
    await ingest(sample('heart_rate', `${third}T01:00`));
    const { items } = await change([sample('heart_rate', `${second}T23:30`)]);
    expect(items).toMatchObject([{ utcDay: second, revision: 1, samples: [{}, {}] }]);
    await ingest(sample('heart_rate', `${second}T23:30`));
    expect(await readStarts('heart_rate')).toEqual([`${second}T01:00`, `${second}T23:30`, `${third}T01:00`]);
    expect(await readStarts('blood_oxygen')).toEqual([`${second}T01:00`]);
  });

  test('can have the sleep stages of a night in rows from more than a day earlier', async () => {
    const { ingest, change } = sampleFixture(phone, { zone: 'Pacific/Auckland', by: 'profile' });
    // A night of about 25 hours that ends around 01:00 on the tenth in Auckland.
    const begins = '2026-03-08T11:30';
    await ingest(sample('deep_sleep', begins));
    const changes = await change([sample('heart_rate', `${second}T10:00`)], {}, new Map([['deep_sleep', [second]]]));
    expect([...changes.samplesOf('deep_sleep')]).toMatchObject([{ startMs: Date.parse(`${begins}Z`) }]);
  });
});

test('the rows of a retracted range are found by the days of the zone the range was requested in', async () => {
  const { ingest, change } = sampleFixture(phone, { zone: 'Pacific/Honolulu', by: 'profile' });
  await ingest(sample('heart_rate', `${first}T12:00`));
  const claims = [{ metric: 'heart_rate', days: { from: second, to: second }, zone: 'Pacific/Kiritimati' }] as const;
  expect((await change([], { claims })).items).toMatchObject([{ utcDay: first, revision: 1, samples: [] }]);
});

test('a day that loses a sample is rebuilt from all its samples, however far from it they start', async () => {
  const { change, ingest } = sampleFixture(watch, { zone: null, by: 'recorded' });
  // Both count on the ninth: their local times are 13:00 (UTC+14) and 15:00 (UTC-10).
  await ingest(
    sample('heart_rate', '2026-03-08T23:00', { offset: 840 }),
    sample('heart_rate', '2026-03-10T01:00', { offset: -600 }),
  );
  const claims = [{ metric: 'heart_rate', days: { from: second, to: second }, zone: null }] as const;
  const { dates, samplesOf } = await change([], { claims });
  expect([...(dates.get('heart_rate') ?? [])]).toEqual([first]);
  expect([...samplesOf('heart_rate')]).toMatchObject([{ startMs: Date.parse('2026-03-08T23:00Z') }]);
});

describe('a stale writer', () => {
  const late = (metric: SampleId, at: string) => sample(metric, `${first}T${at}`);
  const today = (at: string) => sample('heart_rate', `${second}T${at}`);
  type Samples = readonly Sample[];
  const cases: [what: string, before: Samples, zombie: Samples, other: Samples][] = [
    ['in a slot', [today('01:00')], [today('01:10')], [today('01:20')]],
    ['in a row', [late('heart_rate', '05:00')], [late('heart_rate', '01:10')], [late('heart_rate', '01:20')]],
    ['in the list of stored rows', [], [late('heart_rate', '01:00')], [late('blood_oxygen', '02:00')]],
  ];
  test.each(cases)('%s stops, and the data of other writers stays', async (_what, before, zombie, other) => {
    const { ingest, change, write, readStarts, table } = sampleFixture();
    await ingest(...before);
    const stale = await change(zombie);
    await ingest(...other);
    const rows = structuredClone(table.rows());
    await expect(write(stale)).rejects.toThrow(PassConflict);
    expect(table.rows()).toEqual(rows);
    await ingest(...zombie);
    for (const { metric, startMs } of [...before, ...other, ...zombie])
      expect(await readStarts(metric)).toContain(new Date(startMs).toISOString().slice(0, 16));
  });

  test('that is closing a day stops before it writes rows', async () => {
    const { ingest, change, write, readStarts, clock, table } = sampleFixture();
    await ingest(today('01:00'));
    clock.advance(86_400_000);
    const stale = await change([today('01:10'), sample('heart_rate', `${third}T01:00`)]);
    await ingest(today('01:20'));
    const rows = structuredClone(table.rows());
    await expect(write(stale)).rejects.toThrow(PassConflict);
    expect(table.rows()).toEqual(rows);
    expect(await readStarts('heart_rate')).toEqual([`${second}T01:00`, `${second}T01:20`]);
  });
});
