import { beforeEach, describe, expect, test } from 'vitest';
import { ingestUser } from '../../../shared/domain/ingest/ingest-user.ts';
import { subjectOf } from '../../../shared/domain/subject.ts';
import { updateUser } from '../../../shared/domain/users.ts';
import type { Table } from '../../../shared/engine/ports.ts';
import { keys } from '../../../shared/store/keys.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { type RacedUser, raceUser } from '../../harness/raced-user.ts';
import { evening, late, nextMorning, phone, tokyo, waiting, watch } from '../../harness/races/cast.ts';

let user: RacedUser;
beforeEach(async () => {
  user = await raceUser(memoryTable(), null);
  await waiting(user, [watch, evening], [watch, late]);
});

const claim = () => user.table.get(keys.ingestClaim(user.id));
const left = () => user.deps.store.batches.waiting(user.id, 10);

/** Once a worker has found nothing left to do, something happens before it is told so. */
function onceDone(happens: () => Promise<void>): Table {
  let done = false;
  return {
    ...user.table,
    async query(asked) {
      const page = await user.table.query(asked);
      if (done || asked.values['prefix'] !== 'B#' || page.items.length > 0) return page;
      done = true;
      await happens();
      return page;
    },
  };
}

describe('a move', () => {
  test('is left to whoever has the claim, and is made once that has run out', async () => {
    const { ingestClaims } = user.deps.store;
    await ingestUser(user.deps, user.id);
    await updateUser(user.deps, user.caller, user.id, { timezone: tokyo });
    const moved = async () => (await subjectOf(user.deps, user.id))?.rezoning?.againMs !== null;
    const now = user.deps.clock.now();
    expect(await ingestClaims.take(user.id, 'another', now, now + 60_000)).toBe(true);
    await ingestUser(user.deps, user.id);
    expect(await moved()).toBe(false);
    await ingestUser(user.over(user.table, true), user.id);
    expect(await moved()).toBe(true);
    expect(await claim()).toBeUndefined();
  });
});

describe('of several workers one works waiting uploads in', () => {
  test('and the others leave them to it', async () => {
    const { ingestClaims } = user.deps.store;
    const now = user.deps.clock.now();
    expect(await ingestClaims.take(user.id, 'another', now, now + 60_000)).toBe(true);
    await ingestUser(user.deps, user.id);
    expect(await left()).toHaveLength(2);
  });

  test('until it is gone for longer than a worker lives', async () => {
    const { ingestClaims } = user.deps.store;
    const now = user.deps.clock.now();
    expect(await ingestClaims.take(user.id, 'another', now, now + 60_000)).toBe(true);
    await ingestUser(user.over(user.table, true), user.id);
    expect(await left()).toEqual([]);
  });

  test('and gives its claim back', async () => {
    await ingestUser(user.deps, user.id);
    expect(await left()).toEqual([]);
    expect(await claim()).toBeUndefined();
  });

  test('and looks again for what others brought and left to it', async () => {
    const busy = onceDone(async () => {
      expect(await claim()).toBeDefined();
      await waiting(user, [phone, nextMorning], [phone, evening]);
      await ingestUser(user.deps, user.id);
      expect(await left()).toHaveLength(2);
    });
    await ingestUser(user.over(busy, false), user.id);
    expect(await left()).toEqual([]);
  });
});
