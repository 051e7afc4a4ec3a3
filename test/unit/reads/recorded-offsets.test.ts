// The offset that a record states is read back as it was sent, however it was written, and stays
// when open samples are closed, a device is replayed, the time zone changes and a day is split.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredSample } from '../../../shared/measurements/codec/sample-block.ts';
import { replayDevice } from '../../../shared/pipeline/replay-device.ts';
import { form1Sleep } from '../../../shared/reads/sleep/form-1.ts';
import { readNights } from '../../../shared/reads/sleep/read-sleep.ts';
import { form1Workouts } from '../../../shared/reads/workouts/form-1.ts';
import { readWorkoutsAtOffset } from '../../../shared/reads/workouts/read-workouts.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { createUser, updateUser } from '../../../shared/users/users.ts';
import { openDomainWorld } from '../../harness/domain-world.ts';
import {
  readForm2Sleep,
  readForm2Timeseries,
  readForm2Workout,
  readForm2Workouts,
} from '../../harness/form-2-reads.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import { runWriterUntilIdle } from '../../harness/run-writer.ts';
import { addDevice, addStoredSamples, ring, watch } from '../../harness/stored-data.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const midnight = Date.UTC(2026, 2, 10);
const [from, to] = ['2026-03-08', '2026-03-20'];

/**
 * How a record states its offset: in `utc_offset`, in its timestamps, or in both, where the field
 * counts.
 */
const styles = ['field', 'timestamps', 'both'] as const;
interface Place {
  /** Null for `Z`, which does not say where the user was. */
  offset: string | null;
  style: (typeof styles)[number];
}
const quarters = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarter) => {
  const clock = new Date(Math.abs(quarter) * 15 * minuteMs).toISOString().slice(11, 16);
  return quarter < 0 ? `-${clock}` : `+${clock}`;
});
const extremes = fc.constantFrom('-12:00', '+14:00', '-03:30', '+05:45', '+12:45', '+00:00');
const place: fc.Arbitrary<Place> = fc.record({
  offset: fc.option(fc.oneof(quarters, extremes), { freq: 3 }),
  style: fc.constantFrom(...styles),
});

function writeInstant(ms: number, offset: string): string {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const shift = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  return new Date(ms + shift * minuteMs).toISOString().replace('Z', offset);
}

/** `decisive` is the timestamp whose offset counts; the other one may be written elsewhere. */
function stamp(startMs: number, endMs: number, { offset, style }: Place, decisive: 'start' | 'end') {
  const write = (name: 'start' | 'end', ms: number): string => {
    if (offset === null || style === 'field') return new Date(ms).toISOString();
    return writeInstant(ms, style === 'both' || name !== decisive ? '-01:00' : offset);
  };
  const field = offset !== null && style !== 'timestamps' ? { utc_offset: offset } : {};
  return { start: write('start', startMs), end: write('end', endMs), ...field };
}

const metrics = ['heart_rate', 'steps', 'weight', 'blood_glucose', 'water', 'stress_score', 'deep_sleep'] as const;
const units = {
  heart_rate: 'bpm',
  steps: 'count',
  weight: 'kg',
  blood_glucose: 'mg/dL',
  water: 'mL',
  stress_score: 'score',
  deep_sleep: 'min',
};
const lives = fc.record({
  samples: fc.uniqueArray(
    fc.record({ metric: fc.constantFrom(...metrics), quarter: fc.integer({ min: 0, max: 4 * 48 }), place }),
    { maxLength: 20, selector: ({ metric, quarter }) => `${metric} ${quarter}` },
  ),
  nights: fc.array(place, { minLength: 1, maxLength: 3 }),
  workouts: fc.array(place, { minLength: 1, maxLength: 3 }),
});

test('every offset is read back as it was sent, before and after samples are closed, replayed and counted again', async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (life) => {
      const world = await openDomainWorld();
      const { deps, caller } = world;
      world.clock.advance(midnight + 2 * dayMs - world.clock.now());
      const user = await world.user({ timezone: 'UTC' });
      const upload = async (records: object) => {
        const device = { name: 'Watch', model: 'W1', type: 'wrist' };
        await world.upload(user, 'apple_health', { time_zone: 'UTC', device, ...records });
        await runWriterUntilIdle(deps, user);
      };
      const startOf = ({ quarter }: (typeof life.samples)[number]) => midnight + quarter * 15 * minuteMs;
      const nightEnd = (at: number) => midnight + at * dayMs + 6 * hourMs;
      const workoutStart = (at: number) => midnight + at * dayMs + 17 * hourMs;
      await upload({
        samples: life.samples.map((sample) => ({
          metric: sample.metric,
          ...stamp(startOf(sample), startOf(sample) + 5 * minuteMs, sample.place, 'start'),
          value: 60,
          unit: units[sample.metric],
        })),
        sleep: life.nights.map((each, at) => stamp(nightEnd(at) - 8 * hourMs, nightEnd(at), each, 'end')),
        workouts: life.workouts.map((each, at) => ({
          type: 'running',
          ...stamp(workoutStart(at) - dayMs, workoutStart(at) - dayMs + hourMs, each, 'start'),
        })),
      });

      const toText = (ms: number): string => new Date(ms).toISOString();
      const expected = {
        samples: life.samples
          .map((sample) => `${toText(startOf(sample))} ${sample.metric} ${sample.place.offset}`)
          .sort(),
        sleep: life.nights.map(({ offset }, at) => [toText(nightEnd(at) - 8 * hourMs), toText(nightEnd(at)), offset]),
        workouts: life.workouts.map(({ offset }, at) => [
          toText(workoutStart(at) - dayMs),
          toText(workoutStart(at) - dayMs + hourMs),
          offset,
        ]),
      };
      const read = async () => {
        const series = await readForm2Timeseries(deps, caller, user, {
          metrics: metrics.join(','),
          start_date: from,
          end_date: to,
          include_sources: false,
        });
        const list = { from_date: from, to_date: to, limit: 50, include_sources: false };
        const sleep = (await readForm2Sleep(deps, caller, user, list)).data;
        const workouts = (await readForm2Workouts(deps, caller, user, list)).data;
        for (const { id, utc_offset } of workouts)
          expect((await readForm2Workout(deps, caller, user, id, { include_sources: false })).utc_offset).toBe(
            utc_offset,
          );
        return {
          samples: ('data' in series ? series.data : [])
            .map(({ timestamp, metric, utc_offset }) => `${timestamp} ${metric} ${utc_offset}`)
            .sort(),
          sleep: sleep.map(({ start_at, end_at, utc_offset }) => [start_at, end_at, utc_offset]).reverse(),
          workouts: workouts.map(({ start_at, end_at, utc_offset }) => [start_at, end_at, utc_offset]).reverse(),
        };
      };
      expect(await read()).toEqual(expected);

      const flat = { start_date: from, end_date: to, include_sources: false };
      const nights = form1Sleep.render(await readNights(deps, caller, user, form1Sleep.parse(flat)), flat);
      expect(nights.data.map(({ start, end, utc_offset }) => [start, end, utc_offset])).toEqual(expected.sleep);
      const page = { ...flat, page: 1, per_page: 20 };
      const flatWorkouts = form1Workouts.render(
        await readWorkoutsAtOffset(deps, caller, user, form1Workouts.parse(page)),
        page,
      );
      expect(flatWorkouts.data.map(({ start, end, utc_offset }) => [start, end, utc_offset])).toEqual(
        expected.workouts,
      );

      world.clock.advance(3 * dayMs);
      const later = { start: toText(midnight + 4 * dayMs), value: 70, unit: 'cm' };
      await upload({ samples: [{ metric: 'height', ...later }] });
      expect(await read(), 'after the samples were closed').toEqual(expected);

      const device = (await readUserContext(deps, user))?.devices[0];
      await replayDevice(deps, user, device?.id ?? '');
      await runWriterUntilIdle(deps, user);
      expect(await read(), 'after a replay').toEqual(expected);

      await updateUser(deps, caller, user, { timezone: 'Asia/Kathmandu' });
      await runWriterUntilIdle(deps, user);
      expect(await read(), 'after a change of the time zone').toEqual(expected);
    }),
    { numRuns: 12 },
  );
});

const form2: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 2 };

/**
 * Adds steps of a ring and of a watch, which ranks higher, and returns time, value and offset of
 * what is listed.
 */
async function listSteps(ofRing: StoredSample[], ofWatch: StoredSample[] = []): Promise<unknown[][]> {
  const { deps } = memoryDeps();
  const user = (await createUser(deps, form2, { timezone: null })).id;
  await addStoredSamples(deps, user, (await addDevice(deps, user, ring)).ordinal, 'steps', ofRing);
  await addStoredSamples(deps, user, (await addDevice(deps, user, watch)).ordinal, 'steps', ofWatch);
  const query = { metrics: 'steps', start_date: from, end_date: to, include_sources: false };
  const body = await readForm2Timeseries(deps, form2, user, query);
  return 'data' in body
    ? body.data.map(({ timestamp, value, utc_offset }) => [timestamp.slice(8, 16), value, utc_offset])
    : [];
}
const steps = (start: number, end: number, value: number, offsetMinutes: number | null): StoredSample => ({
  startMs: midnight + start * minuteMs,
  endMs: midnight + end * minuteMs,
  value,
  offsetMinutes,
});

test('both parts of a sample that is split at midnight have its offset', async () => {
  expect(await listSteps([steps(-30, 30, 100, -210)])).toEqual([
    ['09T23:30', 50, '-03:30'],
    ['10T00:00', 50, '-03:30'],
  ]);
});

test('the rest of a sample next to a higher-ranked device has its own offset', async () => {
  expect(await listSteps([steps(0, 60, 60, 345)], [steps(20, 40, 7, null)])).toEqual([
    ['10T00:00', 20, '+05:45'],
    ['10T00:20', 7, null],
    ['10T00:40', 20, '+05:45'],
  ]);
});

test.each([
  [[540, 540], '+09:00'],
  [[null, null], null],
  [[540, -210], null],
  [[540, null], null],
  [[null, 540], null],
  [[0, null], null],
])(
  'short samples with the offsets %j that are listed together have %j',
  async ([first = null, second = null], expected) => {
    const together = await listSteps([steps(0, 1, 10, first), steps(2, 3, 20, second)], [steps(-5, 2, 7, null)]);
    expect(together).toEqual([
      ['09T23:55', 5, null],
      ['10T00:00', 2, null],
      ['10T00:02', 10, expected],
    ]);
  },
);
