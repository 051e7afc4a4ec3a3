// Users from before there was a limit of devices, and what an operator is told of erasures that go as they should.
import { expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { sweep } from '../../../../shared/domain/work/sweep.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { eraserIn } from '../../../harness/erasure/eraser.ts';
import { life, watch } from '../../../harness/erasure/records.ts';
import { isTold } from '../../../harness/erasure/verdict.ts';
import { openWorld } from '../../../harness/erasure/world.ts';

test('a user with more devices than a transaction takes is deleted, and none of them takes anything in', async () => {
  const world = await openWorld();
  await world.upload(watch, life(1));
  const known = world.table.rows().find(({ sk }) => String(sk).startsWith('@DEVICE#'));
  for (let n = 1; n < 250; n++) {
    const id = `dev_old${n}`;
    const item = { ...known, ...keys.device(world.id, id), id, ordinal: n, model: `M${n}` };
    await world.table.write({ kind: 'put', item });
  }
  await world.delete();
  const devices = world.table.rows().filter(({ sk }) => String(sk).startsWith('@DEVICE#'));
  expect(devices).toHaveLength(250);
  expect(devices.filter(({ status }) => status === 'active')).toEqual([]);
});

test('an erasure that waits for late writers is not told as lost work; one that was left is', async () => {
  const world = await openWorld();
  await world.delete();
  const eraser = eraserIn(world);
  await eraser.come();
  const told: unknown[] = [];
  const deps: Deps = {
    ...world.deps,
    log: (_level, _message, fields = {}) => {
      if (fields['kind'] === 'erase') told.push(fields);
    },
  };
  world.clock.advance(workerLifeMs);
  await sweep(deps);
  expect(told).toEqual([]);
  world.clock.advance(61_000);
  await sweep(deps);
  expect(told).toMatchObject([{ kind: 'erase', owed: 1 }]);
  await eraser.come();
  expect(isTold(world)).toBe(true);
});
