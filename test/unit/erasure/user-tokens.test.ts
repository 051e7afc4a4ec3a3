// A user is deleted while one of its tokens is admitted: the rate limit attribute of the token
// bucket is not written again.
import { expect, test } from 'vitest';
import { userTokenBuckets } from '../../../shared/accounts/user-token-buckets.ts';
import { runEveryRace } from '../../harness/erasure/race.ts';
import { makeRecords, watch } from '../../harness/erasure/records.ts';
import { openWorld } from '../../harness/erasure/world.ts';

test('a draw from the token bucket, first or later, leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  for (const _ of ['first', 'later']) {
    const { writes, problems } = await runEveryRace(world, (deps) => userTokenBuckets(deps.store).draw(world.id, 0));
    expect(problems).toEqual([]);
    expect(new Set(writes)).toEqual(new Set(['write update @USER']));
    await userTokenBuckets(world.deps.store).draw(world.id, 0);
  }
});
