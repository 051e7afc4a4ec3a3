// A user goes while one of its tokens is let in: the mark of its bucket comes to stand nowhere again.
import { expect, test } from 'vitest';
import { userTokenBuckets } from '../../../shared/accounts/user-token-buckets.ts';
import { runEveryRace } from '../../harness/erasure/race.ts';
import { makeRecords, watch } from '../../harness/erasure/records.ts';
import { openWorld } from '../../harness/erasure/world.ts';

test('a draw on the bucket of its tokens, first and later', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  for (const _ of ['first', 'later']) {
    const { writes, problems } = await runEveryRace(world, (deps) => userTokenBuckets(deps.store).draw(world.id, 0));
    expect(problems).toEqual([]);
    expect(new Set(writes)).toEqual(new Set(['write update @USER']));
    await userTokenBuckets(world.deps.store).draw(world.id, 0);
  }
});
