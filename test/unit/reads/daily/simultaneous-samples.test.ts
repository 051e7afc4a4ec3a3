// Instant samples of two devices at the same time, from the upload to every read that returns them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDaily } from '../../../../shared/reads/daily/read-daily.ts';
import { readTimeseries } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../../harness/domain-world.ts';
import { runWriter } from '../../../harness/run-writer.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const [date, metric] = ['2026-03-10', 'flights_climbed'] as const;
const range = { from: date, to: date, names: { from: 'start_date', to: 'end_date' }, maxDays: 31 };
const flights = (clock: string, value: number) => ({ metric, start: `${date}T${clock}:00Z`, value, unit: 'count' });

/** Returns the day, the rows and the column of a user with these samples. */
async function readAll(watch: object[], phone: object[]) {
  const user = await world.user({ timezone: null });
  const send = (model: string, type: string, samples: object[]) =>
    world.upload(user, 'apple_health', { time_zone: 'UTC', device: { name: model, model, type }, samples });
  await send('W1', 'wrist', watch);
  world.clock.advance(1_000);
  await send('P1', 'phone', phone);
  await runWriter(world.deps, user);
  const { columns, sources } = await readDaily(world.deps, world.caller, user, {
    range,
    metrics: [metric],
    withSources: true,
  });
  const rows = await readTimeseries(world.deps, world.caller, user, { shape: 'samples', metrics: [metric], range });
  const steps = await readTimeseries(world.deps, world.caller, user, {
    shape: 'steps',
    metric,
    date,
    resolution: '1m',
  });
  if (rows.shape !== 'samples' || steps.shape !== 'steps') throw new Error('the response has another shape');
  return {
    day: columns[0]?.[0],
    shares: sources?.[0]?.[0]?.contributors.map(({ value }) => value),
    rows: rows.byMetric
      .flatMap(({ samples }) => samples)
      .toSorted((a, b) => a.startMs - b.startMs)
      .map(({ startMs, value }) => [new Date(startMs).toISOString().slice(11, 16), value]),
    steps: [...steps.values].flatMap((value, at) => (Number.isNaN(value) ? [] : [[at - 600, value]])),
  };
}

test('the highest-ranked device counts where both have an instant, in the day, the rows and the column', async () => {
  expect(await readAll([flights('10:00', 1), flights('10:03', 1)], [flights('10:03', 5)])).toEqual({
    day: 2,
    shares: [],
    rows: [
      ['10:00', 1],
      ['10:03', 1],
    ],
    steps: [
      [0, 1],
      [3, 1],
    ],
  });
});

test('the other device keeps the instants that it alone has, minutes away', async () => {
  const phone = [flights('10:02', 4), flights('10:03', 5), flights('10:04', 7)];
  expect(await readAll([flights('10:00', 1), flights('10:03', 2)], phone)).toEqual({
    day: 14,
    shares: [3, 11],
    rows: [
      ['10:00', 1],
      ['10:02', 4],
      ['10:03', 2],
      ['10:04', 7],
    ],
    steps: [
      [0, 1],
      [2, 4],
      [3, 2],
      [4, 7],
    ],
  });
});
