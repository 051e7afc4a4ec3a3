import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { ingestLeaseRows } from '../../../shared/store/ingest-leases.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from './engines.ts';

describe('a lease', () => {
  let place: TablePlace;
  let leases: ReturnType<typeof ingestLeaseRows>;
  let user: string;
  let users = 0;
  /** How often it was taken for the upload, or undefined. */
  const take = (worker: string, nowMs: number, of = user, oldest = 'B#1') =>
    leases.take(of, { worker, oldest }, nowMs, nowMs + 70_000);
  beforeAll(async () => {
    place = await startTable();
    leases = ingestLeaseRows(storeOn(place.table));
  });
  afterAll(() => place.stop());
  beforeEach(async () => {
    user = `usr_${++users}`;
    expect(await take('one', 1_000)).toBe(1);
  });

  test('is one worker’s until it runs out', async () => {
    expect(await take('two', 1_000)).toBeUndefined();
    expect(await take('two', 70_999)).toBeUndefined();
    expect(await take('two', 71_000)).toBe(2);
    expect(await take('three', 71_001)).toBeUndefined();
  });

  test('is its own also when the first answer was lost', async () => {
    expect(await take('one', 1_000)).toBe(1);
  });

  test('can be taken at once when it is given back', async () => {
    await leases.giveBack(user, 'one');
    expect(await take('two', 2_000)).toBe(1);
  });

  test('is given back by nobody else', async () => {
    await leases.giveBack(user, 'two');
    expect(await take('two', 2_000)).toBeUndefined();
    expect(await take('two', 71_000)).toBe(2);
    await leases.giveBack(user, 'one');
    expect(await take('three', 72_000)).toBeUndefined();
  });

  test('counts those who did not give it back, upload by upload', async () => {
    expect(await take('two', 71_000)).toBe(2);
    expect(await take('three', 141_000)).toBe(3);
    expect(await take('four', 211_000, user, 'B#2')).toBe(1);
    await leases.giveBack(user, 'four');
    expect(await take('five', 212_000, user, 'B#2')).toBe(1);
  });

  test('is ended whoever had it', async () => {
    await leases.end(user);
    expect(await take('two', 1_001)).toBe(1);
  });

  test('is each user’s own', async () => {
    expect(await take('two', 2_000, `${user}b`)).toBe(1);
  });
});
