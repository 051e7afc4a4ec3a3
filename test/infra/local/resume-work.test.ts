import { beforeEach, describe, expect, test } from 'vitest';
import { resumeWork } from '../../../infra/local/resume-work.ts';
import { sweptKinds } from '../../../shared/system/pending-kinds.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { pendingRow, someOwner } from '../../harness/pending-work.ts';

const now = memoryStartMs;
let world: MemoryDeps;
beforeEach(() => {
  world = memoryDeps();
});

describe('a starting host', () => {
  test('wakes all pending work of every kind, however recent and however much', async () => {
    const owners = sweptKinds.flatMap((kind) =>
      Array.from({ length: 1_500 }, () => ({ kind, owner: someOwner(kind) })),
    );
    await world.table.batchWrite(owners.map(({ kind, owner }) => pendingRow(kind, owner, now)));
    await resumeWork(world.deps);
    for (const kind of sweptKinds) {
      const messages = JSON.stringify(world.sentTo(kind));
      const lost = owners.filter((each) => each.kind === kind && !messages.includes(each.owner));
      expect([kind, lost]).toEqual([kind, []]);
    }
    expect(world.log).toEqual([]);
  });

  test.each(sweptKinds)('continues with every other kind when %s fails, and logs it', async (broken) => {
    const owners = sweptKinds.map((kind) => ({ kind, owner: someOwner(kind) }));
    await world.table.batchWrite(owners.map(({ kind, owner }) => pendingRow(kind, owner, now)));
    world.unavailableQueues.add(broken);
    await resumeWork(world.deps);
    for (const { kind, owner } of owners)
      expect([kind, JSON.stringify(world.sentTo(kind)).includes(owner)]).toEqual([kind, kind !== broken]);
    expect(world.log.map(({ level, fields }) => [level, fields['kind']])).toEqual([['error', broken]]);
  });
});
