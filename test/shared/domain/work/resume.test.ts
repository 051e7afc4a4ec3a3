import { beforeEach, describe, expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { resumeWork } from '../../../../shared/domain/work/resume.ts';
import { makeId } from '../../../../shared/model/ids.ts';
import { deliveryRows } from '../../../../shared/store/deliveries.ts';
import { sweptKinds } from '../../../../shared/store/due.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../../harness/memory-deps.ts';
import { owing, someOwner } from '../../../harness/owed.ts';

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
    kind: 'a delivery',
    async taken({ store, clock }) {
      const [webhook, delivery] = [id('webhook'), id('delivery')];
      const about = { account: 'acc_1', env: 'live', eventId: 'evt_1', eventType: 'user.created', body: '{}' } as const;
      await deliveryRows(store).insert(
        {
          ...{ id: delivery, webhook, ...about, status: 'pending', createdMs: now },
          ...{ attempts: [], tries: 0, dueMs: now, claimed: false, claims: 0 },
        },
        now,
      );
      const named = { webhook_id: webhook, delivery_id: delivery };
      const lease = () => deliveryRows(store).lease(named, clock.now(), clock.now() + hour);
      await lease();
      return async () => (await lease()) !== undefined;
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
      const lost = owners.filter((each) => each.kind === kind && !told.includes(each.owner));
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
      expect([kind, JSON.stringify(world.sentTo(kind)).includes(owner)]).toEqual([kind, kind !== broken]);
    expect(world.log.map(({ level, fields }) => [level, fields['kind']])).toEqual([['error', broken]]);
  });
});
