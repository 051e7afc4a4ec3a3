// Instant samples of two devices at the same time, from the upload to every read that returns them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDaily } from '../../../../shared/reads/daily/read-daily.ts';
import { readTimeseries } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../../harness/domain-world.ts';
import { runWriter } from '../../../harness/run-writer.ts';

let shop: EngineDomainWorld;
beforeAll(async () => {
  shop = await openEngineDomainWorld();
});
afterAll(() => shop.localTable.stop());

const [date, metric] = ['2026-03-10', 'flights_climbed'] as const;
const range = { from: date, to: date, names: { from: 'start_date', to: 'end_date' }, maxDays: 31 };
const flights = (clock: string, value: number) => ({ metric, start: `${date}T${clock}:00Z`, value, unit: 'count' });

/** Returns the day, the rows and the column of a user with these samples. */
async function told(watch: object[], phone: object[]) {
  const user = await shop.user({ timezone: null });
  const send = (model: string, type: string, samples: object[]) =>
    shop.upload(user, 'apple_health', { time_zone: 'UTC', device: { name: model, model, type }, samples });
  await send('W1', 'wrist', watch);
  shop.clock.advance(1_000);
  await send('P1', 'phone', phone);
  await runWriter(shop.deps, user);
  const { columns, sources } = await readDaily(shop.deps, shop.caller, user, {
    range,
    metrics: [metric],
    withSources: true,
  });
  const rows = await readTimeseries(shop.deps, shop.caller, user, { shape: 'samples', metrics: [metric], range });
  const steps = await readTimeseries(shop.deps, shop.caller, user, { shape: 'steps', metric, date, resolution: '1m' });
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
  expect(await told([flights('10:00', 1), flights('10:03', 1)], [flights('10:03', 5)])).toEqual({
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
  expect(await told([flights('10:00', 1), flights('10:03', 2)], phone)).toEqual({
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
