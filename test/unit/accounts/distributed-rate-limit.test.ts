// Checks admissions at arbitrary times, through functions whose clocks differ, against the limit as
// a caller reads it: any time window admits at most one burst plus what refills within it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiKeyRows } from '../../../shared/accounts/api-key-rows.ts';
import { computeBucketState, maxPerRow, ratePolicy } from '../../../shared/platform/rate-limit.ts';
import { RateLimited } from '../../../shared/system/admission.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';
import { newKey } from './bucket.ts';

const startMs = 1_800_000_000_000;

/** Opens one function per clock skew; the same time passes for all of them. */
async function openFunctions(perSecond: number, skewsMs: readonly number[]) {
  const table = memoryTable();
  const time = { nowMs: startMs };
  const hash = await newKey(table, 0, startMs, perSecond);
  const functions = skewsMs.map((skewMs) => apiKeyRows(storeOn(table, { now: () => time.nowMs + skewMs })));
  const admit = async (at: number) => {
    const admission = await functions[at % functions.length]?.admit(hash);
    if (admission?.outcome !== 'admitted' && admission?.outcome !== 'limited')
      throw new Error('Unexpected admission outcome.');
    return admission;
  };
  return { table, time, hash, admit };
}

/** The largest excess over the limit in any window between two admissions. */
function maxExcess(admitted: readonly number[], { burst, perSecond }: { burst: number; perSecond: number }): number {
  let [excess, sinceBest] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [count, atMs] of admitted.entries()) {
    // Of all windows that end here, this picks the start that maximizes the excess.
    sinceBest = Math.max(sinceBest, (perSecond * atMs) / 1_000 - count);
    excess = Math.max(excess, count + 1 - (perSecond * atMs) / 1_000 + sinceBest);
  }
  return excess - burst;
}

const limit = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 480, max: 1_700 }));
const arrivals = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 700 }), percentOfBurst: fc.integer({ min: 1, max: 130 }) }),
  { minLength: 1, maxLength: 5 },
);
const skews = fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 1, maxLength: 4 });

test('no time window admits more than its burst and its refill, however requests are spread', async () => {
  await fc.assert(
    fc.asyncProperty(limit, arrivals, skews, async (perSecond, steps, skewsMs) => {
      const { time, admit } = await openFunctions(perSecond, skewsMs);
      const policy = ratePolicy(perSecond);
      const admittedMs: number[] = [];
      for (const { afterMs, percentOfBurst } of steps) {
        time.nowMs += afterMs;
        const requestCount = Math.ceil((policy.burst * percentOfBurst) / 100);
        const answers = await Promise.all(Array.from({ length: requestCount }, (_, at) => admit(at)));
        for (const { outcome } of answers) if (outcome === 'admitted') admittedMs.push(time.nowMs - startMs);
      }
      // A clock that runs ahead admits what refills within its lead, once.
      const aheadMs = Math.max(...skewsMs) - Math.min(...skewsMs);
      expect(maxExcess(admittedMs, policy)).toBeLessThanOrEqual((perSecond * aheadMs) / 1_000 + 1e-6);
    }),
    { numRuns: 25 },
  );
});

test('a caller that waits for Retry-After is admitted on any row when there is no other traffic', async () => {
  await fc.assert(
    fc.asyncProperty(limit, skews, async (perSecond, skewsMs) => {
      const { time, admit } = await openFunctions(perSecond, skewsMs);
      const policy = ratePolicy(perSecond);
      const requestCount = Math.ceil(policy.burst * 1.3);
      const answers = await Promise.all(Array.from({ length: requestCount }, (_, at) => admit(at)));
      const refused = answers.flatMap((answer, at) => (answer.outcome === 'limited' ? [{ ...answer, at }] : []));
      expect(refused.length).toBeGreaterThan(0);
      const waits = refused.map(({ key, nowMs, at }) => {
        const { retryAfterSeconds = 0 } = new RateLimited({ fullAtMs: key.fullAtMs, nowMs, policy });
        return { seconds: retryAfterSeconds, at, remaining: computeBucketState(key.fullAtMs, nowMs, policy).remaining };
      });
      // All clocks are within 600 ms of each other, and a row refills a request within one second.
      expect(waits.filter(({ seconds }) => seconds !== 1 && seconds !== 2)).toEqual([]);
      expect(waits.filter(({ remaining }) => remaining !== 0)).toEqual([]);
      // What a function remembers may be older than the row, so its Retry-After may be too short.
      // The row then limits the caller once more.
      const last = waits.reduce((a, b) => (b.seconds > a.seconds ? b : a));
      let seconds = last.seconds;
      for (let round = 1; round <= 2; round++) {
        time.nowMs += seconds * 1_000;
        const { outcome, key, nowMs } = await admit(last.at);
        if (outcome === 'admitted') return;
        expect(round).toBe(1);
        seconds = new RateLimited({ fullAtMs: key.fullAtMs, nowMs, policy }).retryAfterSeconds ?? 0;
      }
      expect.unreachable();
    }),
    { numRuns: 25 },
  );
});

test.each([501, 1_300, 5_000])(
  'at %i a second, almost all of an evenly spread load and of a burst is admitted',
  async (perSecond) => {
    const { time, admit } = await openFunctions(perSecond, [0, 3, -2, 1]);
    const { burst } = ratePolicy(perSecond);
    const countAdmitted = async (requestCount: number) =>
      (await Promise.all(Array.from({ length: requestCount }, (_, at) => admit(at)))).filter(
        ({ outcome }) => outcome === 'admitted',
      ).length;
    // Functions learn the limit from the first row.
    await countAdmitted(4);
    time.nowMs += 10_000;
    expect(await countAdmitted(burst)).toBeGreaterThan(0.93 * burst);
    // Starts from an empty bucket and lasts three seconds.
    let passed = 0;
    for (let step = 0; step < 60; step++) {
      time.nowMs += 50;
      passed += await countAdmitted(Math.round(perSecond / 20));
    }
    expect(passed).toBeGreaterThan(0.9 * 3 * perSecond);
    expect(passed).toBeLessThanOrEqual(3 * perSecond + burst);
  },
);

test('a key has one row up to 500 requests a second, and as few rows as possible above that', async () => {
  for (const [perSecond, rows] of [
    [1, 1],
    [100, 1],
    [maxPerRow, 1],
    [maxPerRow + 1, 2],
    [5_000, 10],
    [10_000, 20],
  ] as const) {
    const { table, admit } = await openFunctions(perSecond, [0]);
    expect(table.rows()).toHaveLength(rows);
    const drawn = new Set<string>();
    for (let at = 0; at < 300 * (rows - 1) + 1; at++) await admit(at);
    for (const row of table.rows()) if (row['fullAtMs'] !== 0) drawn.add(String(row['pk']));
    expect(drawn.size).toBe(rows);
  }
});

test('the remaining count covers all rows together and never exceeds what is available', async () => {
  const { admit } = await openFunctions(5_000, [0]);
  await admit(0);
  const { key, nowMs } = await admit(0);
  const { remaining } = computeBucketState(key.fullAtMs, nowMs, ratePolicy(key.perSecond));
  expect(remaining).toBeGreaterThanOrEqual(9_980);
  expect(remaining).toBeLessThanOrEqual(9_990);
});
