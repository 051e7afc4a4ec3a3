// Compares admissions at arbitrary times, by any number of function instances, with a reference
// token bucket.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { apiKeyRows } from '../../../shared/accounts/api-key-rows.ts';
import type { ApiKeyRow } from '../../../shared/accounts/api-key-writes.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { computeBucketState, rateLimit } from '../../../shared/platform/rate-limit.ts';
import { storeOn } from '../../harness/store-on.ts';

/** Holds at most 200 requests and refills one every 10 milliseconds. */
class Bucket {
  credit: number;
  at: number;
  constructor(missing: number, at: number) {
    this.credit = 2000 - missing;
    this.at = at;
  }
  pass(now: number, requested: number): number {
    this.credit = Math.min(2000, this.credit + now - this.at);
    this.at = now;
    const passed = Math.min(requested, Math.floor(this.credit / 10));
    this.credit -= passed * 10;
    return passed;
  }
}

const arrival = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3000 })),
  requested: fc.integer({ min: 1, max: 12 }),
});

export async function newKey(
  table: Table,
  fullAtMs: number,
  now: number,
  perSecond = rateLimit.perSecond,
): Promise<string> {
  const row: ApiKeyRow = {
    id: `key_${randomBytes(8).toString('hex')}`,
    hash: randomBytes(32).toString('base64url'),
    account: 'a',
    env: 'live',
    form: 2,
    status: 'active',
    suspended: false,
    maskedKey: 'sk_live_…abcd',
    createdMs: now,
    expiresMs: now + 1e9,
    endsMs: now + 1e9,
    perSecond,
    fullAtMs,
    endedMakers: [],
    madeBy: null,
  };
  await table.transact(apiKeyRows(storeOn(table, { now: () => now })).buildInsert(row, row.expiresMs));
  return row.hash;
}

export async function checkAdmissions(table: Table, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 1900, max: 2000 })),
      fc.array(arrival, { minLength: 1, maxLength: 8 }),
      async (instanceCount, missing, arrivals) => {
        let now = 1_800_000_000_000;
        const hash = await newKey(table, now + missing, now);
        const instances = Array.from({ length: instanceCount }, () => apiKeyRows(storeOn(table, { now: () => now })));
        const bucket = new Bucket(missing, now);
        for (const { afterMs, requested } of arrivals) {
          now += afterMs;
          const admissions = await Promise.all(
            Array.from({ length: requested }, (_, n) => instances[n % instanceCount]?.admit(hash)),
          );
          const passed = admissions.filter((each) => each?.outcome === 'admitted').length;
          expect(passed).toBe(bucket.pass(now, requested));
          expect(admissions.every((each) => each?.outcome === 'admitted' || each?.outcome === 'limited')).toBe(true);
          const fullTimes = admissions.flatMap((each) => (each && 'key' in each ? [each.key.fullAtMs] : []));
          expect(computeBucketState(Math.max(...fullTimes), now).remaining).toBe(Math.floor(bucket.credit / 10));
        }
      },
    ),
    { numRuns },
  );
}
