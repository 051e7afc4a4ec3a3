import { beforeEach, describe, expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { resumeWork } from '../../../../shared/domain/work/resume.ts';
import { makeId } from '../../../../shared/model/ids.ts';
import { sweptKinds } from '../../../../shared/store/due.ts';
import { ingestLeaseRows } from '../../../../shared/store/ingest-leases.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { scoreRunRows } from '../../../../shared/store/score-runs.ts';
import { newState, stateRows } from '../../../../shared/store/states.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../../harness/memory-deps.ts';
import { mentionOf, owing, someOwner } from '../../../harness/owed.ts';

const hour = 3_600_000;
const now = memoryStartMs;
let world: MemoryDeps;
beforeEach(() => {
  world = memoryDeps();
});

const id = (kind: 'user' | 'webhook' | 'delivery') => makeId(kind, now, crypto.getRandomValues(new Uint8Array(10)));

/** Each takes the lease of one kind, owes the work, and says whether somebody else can have it now. */
const leases: { kind: string; taken(deps: Deps): Promise<() => Promise<boolean>> }[] = [
  {
    kind: 'the uploads of a user',
    async taken({ store }) {
      const user = id('user');
      await world.table.write(owing('ingest', user, now));
      await ingestLeaseRows(store).take(user, { worker: 'gone', oldest: 'b' }, now, now + hour);
      return async () =>
        (await ingestLeaseRows(store).take(user, { worker: 'next', oldest: 'b' }, now, now + hour)) !== undefined;
    },
  },
  {
    kind: 'the rebuild of a user',
    async taken({ store }) {
      const user = id('user');
      await store.commit([stateRows(store).asking(user, newState, newState.settings, now)]);
      await stateRows(store).lease(user, now, now + hour);
      return () => stateRows(store).lease(user, now, now + hour);
    },
  },
  {
    kind: 'the scores of a user',
    async taken({ store }) {
      const user = id('user');
      await store.commit([scoreRunRows(store).asking(user, { from: '2026-03-09', to: '2026-03-09', asked: 'a' }, now)]);
      const lease = async (worker: string) =>
        scoreRunRows(store).lease(user, worker, await scoreRunRows(store).run(user), {
          nowMs: now,
          untilMs: now + hour,
        });
      await store.table.write({ kind: 'put', item: { ...keys.user(user), status: 'active' } });
      await lease('gone');
      return () => lease('next');
    },
  },
];

describe('a host that begins', () => {
  test.each(leases)('ends the lease of a worker that is gone: $kind', async ({ taken }) => {
    const isFree = await taken(world.deps);
    expect(await isFree()).toBe(false);
    await resumeWork(world.deps);
    expect(await isFree()).toBe(true);
    expect(world.calls).toHaveLength(1);
  });

  test('wakes everything that is owed, of every kind, however young and however many', async () => {
    const owners = sweptKinds.flatMap((kind) =>
      Array.from({ length: 1_500 }, () => ({ kind, owner: someOwner(kind) })),
    );
    await world.table.batchWrite(owners.map(({ kind, owner }) => owing(kind, owner, now)));
    await resumeWork(world.deps);
    for (const kind of sweptKinds) {
      const told = JSON.stringify(world.sentTo(kind));
      const lost = owners.filter((each) => each.kind === kind && !told.includes(mentionOf(kind, each.owner)));
      expect([kind, lost]).toEqual([kind, []]);
    }
    expect(world.log).toEqual([]);
  });

  test.each(sweptKinds)('goes on with every other kind where %s fails, and tells of it', async (broken) => {
    const owners = sweptKinds.map((kind) => ({ kind, owner: someOwner(kind) }));
    await world.table.batchWrite(owners.map(({ kind, owner }) => owing(kind, owner, now)));
    world.closed.add(broken);
    await resumeWork(world.deps);
    for (const { kind, owner } of owners)
      expect([kind, JSON.stringify(world.sentTo(kind)).includes(mentionOf(kind, owner))]).toEqual([
        kind,
        kind !== broken,
      ]);
    expect(world.log.map(({ level, fields }) => [level, fields['kind']])).toEqual([['error', broken]]);
  });
});
