import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { ingestClaimRows } from '../../../shared/store/ingest-claims.ts';
import { startTable } from './engines.ts';

describe('a claim', () => {
  let place: TablePlace;
  let claims: ReturnType<typeof ingestClaimRows>;
  let user: string;
  let users = 0;
  beforeAll(async () => {
    place = await startTable();
    claims = ingestClaimRows(place.table);
  });
  afterAll(() => place.stop());
  beforeEach(async () => {
    user = `usr_${++users}`;
    expect(await claims.take(user, 'one', 1_000, 71_000)).toBe(true);
  });

  test('is one worker’s until it runs out', async () => {
    expect(await claims.take(user, 'two', 1_000, 71_000)).toBe(false);
    expect(await claims.take(user, 'two', 70_999, 140_999)).toBe(false);
    expect(await claims.take(user, 'two', 71_000, 141_000)).toBe(true);
    expect(await claims.take(user, 'three', 71_001, 141_001)).toBe(false);
  });

  test('is its own also when the first answer was lost', async () => {
    expect(await claims.take(user, 'one', 1_000, 71_000)).toBe(true);
  });

  test('can be taken at once when it is given back', async () => {
    await claims.giveBack(user, 'one');
    expect(await claims.take(user, 'two', 2_000, 72_000)).toBe(true);
  });

  test('is given back by nobody else', async () => {
    await claims.giveBack(user, 'two');
    expect(await claims.take(user, 'two', 2_000, 72_000)).toBe(false);
    expect(await claims.take(user, 'two', 71_000, 141_000)).toBe(true);
    await claims.giveBack(user, 'one');
    expect(await claims.take(user, 'three', 72_000, 142_000)).toBe(false);
  });

  test('is each user’s own', async () => {
    expect(await claims.take(`${user}b`, 'two', 2_000, 72_000)).toBe(true);
  });
});
