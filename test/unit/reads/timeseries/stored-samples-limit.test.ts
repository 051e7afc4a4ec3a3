import { beforeEach, expect, test } from 'vitest';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { readTimeseries } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { storeOn } from '../../../harness/store-on.ts';
import { addDevice, addSamples, ring, watch } from '../../../harness/stored-data.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 2 };
const stranger: Caller = { ...caller, account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t8' };
const range = { from: '2026-03-13', to: '2026-03-14', names: { from: 'start_date', to: 'end_date' }, maxDays: 31 };

let deps: Deps;
let userId: string;
beforeEach(async () => {
  ({ deps } = memoryDeps());
  userId = (await createUser(deps, caller, { timezone: null })).id;
  const samples = { '2026-03-13T08:00:00Z': 60, '2026-03-14T08:00:00Z': 61 };
  await addSamples(deps, userId, (await addDevice(deps, userId, ring)).ordinal, 'heart_rate', samples);
  await addSamples(deps, userId, (await addDevice(deps, userId, watch)).ordinal, 'weight', samples);
});

const read = (as: Caller, maxStoredSamples: number) =>
  readTimeseries(deps, as, userId, { shape: 'samples', metrics: ['heart_rate', 'weight'], range, maxStoredSamples });

test('reading stops at a day beyond which there are too many samples, and says which days are complete', async () => {
  // A row costs as much as eight samples.
  expect(await read(caller, 4 * 8)).toMatchObject({
    isComplete: true,
    range: { from: range.from, to: range.to },
    byMetric: [{ samples: [{}, {}] }, { samples: [{}, {}] }],
  });
  expect(await read(caller, 4 * 8 - 1)).toMatchObject({ isComplete: false });
});

test('an over-large request costs no more reads than the limit allows', async () => {
  const { table, deps: countedDeps } = memoryDeps();
  const id = (await createUser(countedDeps, caller, { timezone: null })).id;
  const { ordinal } = await addDevice(countedDeps, id, ring);
  const days = Array.from({ length: 400 }, (_none, at) => addDays('2025-01-01', at));
  const samples = Object.fromEntries(days.map((date) => [`${date}T08:00:00Z`, 60]));
  await addSamples(countedDeps, id, ordinal, 'heart_rate', samples);
  const year = { ...range, from: '2025-01-01', to: days.at(-1) ?? '', maxDays: 3_653 };
  let rowsRead = 0;
  const counting = {
    ...countedDeps,
    store: storeOn(
      {
        ...table,
        async *queryAll(query) {
          for await (const item of table.queryAll(query)) {
            if (String(item['sk']).startsWith('T#')) rowsRead++;
            yield item;
          }
        },
      },
      countedDeps.clock,
    ),
  };
  const found = await readTimeseries(counting, caller, id, {
    ...{ shape: 'samples', metrics: ['heart_rate'], range: year, maxStoredSamples: 100 * 8 },
  });
  if (found.shape !== 'samples') throw new Error('the shape of the result changed');
  expect(rowsRead).toBe(101);
  // Samples of the three days after a day may count on it.
  expect(found.range).toEqual({ from: '2025-01-01', to: days[100 - 3] });
  expect(found.byMetric[0]?.samples).toHaveLength(98);
});

test('a caller of another account learns nothing about the number of samples', async () => {
  await expect(read(stranger, 3)).rejects.toMatchObject({ code: 'not_found' });
});
