import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { apiKeyRows } from '../../../shared/accounts/api-key-rows.ts';
import { computeBucketState, ratePolicy } from '../../../shared/platform/rate-limit.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from '../system/engines.ts';
import { checkAdmissions, newKey } from './bucket.ts';

let localTable: LocalTable;
beforeAll(async () => {
  localTable = await startTable();
});
afterAll(() => localTable.stop());

test('for any arrivals through any number of functions, exactly what a single bucket allows is admitted', async () => {
  await checkAdmissions(localTable.table, 8);
});

test('sequential requests each report the exact number remaining', async () => {
  const now = 1_800_000_000_000;
  const hash = await newKey(localTable.table, 0, now);
  const [first, second] = [
    apiKeyRows(storeOn(localTable.table, { now: () => now })),
    apiKeyRows(storeOn(localTable.table, { now: () => now })),
  ];
  const left: number[] = [];
  for (let n = 0; n < 200; n++) {
    const admission = await (n % 2 ? first : second).admit(hash);
    if (admission.outcome === 'admitted') left.push(computeBucketState(admission.key.fullAtMs, now).remaining);
  }
  expect(left).toEqual(Array.from({ length: 200 }, (_, n) => 199 - n));
  expect((await first.admit(hash)).outcome).toBe('limited');
});

test.each([7, 333])(
  'at %i a second, where the interval is not a whole number of milliseconds, sequential requests are counted exactly',
  async (perSecond) => {
    let now = 1_800_000_000_000;
    const policy = ratePolicy(perSecond);
    const rows = apiKeyRows(storeOn(localTable.table, { now: () => now }));
    const hash = await newKey(localTable.table, 0, now, perSecond);
    const left: number[] = [];
    for (let n = 0; n < policy.burst; n++) {
      const admission = await rows.admit(hash);
      if (admission.outcome === 'admitted')
        left.push(computeBucketState(admission.key.fullAtMs, now, policy).remaining);
    }
    expect(left).toEqual(Array.from({ length: policy.burst }, (_, n) => policy.burst - 1 - n));
    expect((await rows.admit(hash)).outcome).toBe('limited');
    now += Math.floor(policy.intervalMs);
    expect((await rows.admit(hash)).outcome).toBe('limited');
    now += 1;
    expect((await rows.admit(hash)).outcome).toBe('admitted');
  },
);
